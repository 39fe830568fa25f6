// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

namespace thalweg {

/// Run the proxy application LULESH; the exit code, the reference's where an element fails.
/// @param words  its options, which are the reference program's and more
int command_lulesh(const std::vector<std::string>& words);

}  // namespace thalweg
