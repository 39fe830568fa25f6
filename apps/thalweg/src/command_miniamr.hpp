// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

namespace thalweg {

/// Run the proxy application miniAMR; the exit code.
/// @param words  its options, which are the reference program's
int command_miniamr(const std::vector<std::string>& words);

}  // namespace thalweg
