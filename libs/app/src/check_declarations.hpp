// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <string>
#include <string_view>

#include <thalweg/app/command_line.hpp>
#include <thalweg/io/parameter.hpp>

namespace thalweg::app {

/// The commands that every program has, as errors list them.
inline constexpr std::array<std::string_view, 14> common_commands{
    "run",     "hash", "diff",      "line",  "profile", "params", "graph",
    "predict", "tune", "calibrate", "trace", "report",  "watch",  "vtkhdf"};

/// Say what is wrong with a value as the default of a parameter, as "= 5 (must be in [0, 1])"; ""
/// if nothing is.
std::string objection_to_default(io::Parameter parameter, const io::DeckValue& value);

/// Find what is wrong with a program as it is declared, whatever it is asked for: names, keys,
/// defaults, functions that are missing.
/// @errors throws Error listing all of it, for the one who wrote the program
void check_declarations(const Program& program);

}  // namespace thalweg::app
