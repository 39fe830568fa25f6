// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include <thalweg/app/command_line.hpp>

namespace thalweg {

/// The commands of those applications of the build that have words of their own.
std::vector<app::Command> commands();

}  // namespace thalweg
