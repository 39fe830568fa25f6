// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <string>

#include <thalweg/app/virtual_program.hpp>

namespace thalweg::miniamr {

/// What a command line is on so many virtual ranks, for `thalweg predict`.
///
/// A step is a timestep on the mesh there is after the first refinement. Tasks are timed on a mesh
/// of eight root blocks, refined at most once: the blocks are the same.
/// @errors as parse_options
app::VirtualProgram virtual_program(std::span<const std::string> words, int n_ranks);

}  // namespace thalweg::miniamr
