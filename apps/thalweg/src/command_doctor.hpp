// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

namespace thalweg {

/// Look at what runs need, on all ranks: the program, MPI, libraries, processors, memory; make a
/// small run in every model; say what is wrong, and what to do. The exit code: that of a failure
/// where something is.
/// @param words  --json, --threads N
int command_doctor(const std::vector<std::string>& words);

}  // namespace thalweg
