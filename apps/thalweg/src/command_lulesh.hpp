// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

#include "proxy.hpp"

namespace thalweg {

/// Run the proxy application LULESH; the exit code, the reference's where an element fails.
/// @param words  its options, which are the reference program's and more
int command_lulesh(const std::vector<std::string>& words);
/// Run it; what it came to, which may be a fault. Rank 0 has all facts: see Proxy.
Result<Facts> run_lulesh(const std::vector<std::string>& words, app::Runtime& runtime, Logger& log);

}  // namespace thalweg
