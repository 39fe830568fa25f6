// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

namespace thalweg {

/// Run the proxy application HPCCG; the exit code.
/// @param words  its arguments, which are the reference program's and more
int command_hpccg(const std::vector<std::string>& words);

}  // namespace thalweg
