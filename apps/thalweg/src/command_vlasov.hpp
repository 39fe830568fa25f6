// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

namespace thalweg {

/// Run a deck for the Vlasov-Poisson system, as `thalweg run` does; the exit code.
/// @param words  those of `thalweg run`, or --scaled for a deck that is too large for this machine
int command_vlasov(const std::vector<std::string>& words);

}  // namespace thalweg
