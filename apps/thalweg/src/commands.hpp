// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

#include <thalweg/app/command_line.hpp>
#include <thalweg/core/error.hpp>

namespace thalweg {

/// The commands of those applications of the build that have words of their own, and `doctor`.
std::vector<app::Command> commands();
/// The version and kernels of the OpenBLAS that the program loads, in the library's words.
/// @errors says why there is none
/// @threads no other may read the environment meanwhile: call it when the program begins
Result<std::string> open_blas();

}  // namespace thalweg
