// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <string>

#include <thalweg/app/virtual_program.hpp>

namespace thalweg::lulesh {

/// What a command line is on so many virtual ranks, for `thalweg predict`.
///
/// A step is a cycle. Each rank brings its own elements, so the problem grows with them; tasks are
/// timed on eight ranks.
/// @errors as parse_options
app::VirtualProgram virtual_program(std::span<const std::string> words, int n_ranks);

}  // namespace thalweg::lulesh
