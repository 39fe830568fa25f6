// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <string>

#include <thalweg/app/virtual_program.hpp>

namespace thalweg::hpccg {

/// What a command line is on so many virtual ranks, for `thalweg predict`.
///
/// A step is an iteration. Each rank brings its own box of points, so the problem grows with them.
/// @errors as parse_options
app::VirtualProgram virtual_program(std::span<const std::string> words, int n_ranks);

}  // namespace thalweg::hpccg
