// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <string>

#include <thalweg/app/virtual_program.hpp>

namespace thalweg::cholesky {

/// What a command line is on so many virtual ranks, for `thalweg predict`.
///
/// A step is a factorisation. Tasks are timed on a matrix of at most eight tile rows.
/// @errors as parse_options
app::VirtualProgram virtual_program(std::span<const std::string> words, int n_ranks);

}  // namespace thalweg::cholesky
