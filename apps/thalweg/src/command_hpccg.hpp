// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

#include "proxy.hpp"

namespace thalweg {

/// Run the proxy application HPCCG; the exit code.
/// @param words  its arguments, which are the reference program's and more
int command_hpccg(const std::vector<std::string>& words);
/// Run it; what it came to: see Proxy.
Result<Facts> run_hpccg(const std::vector<std::string>& words, app::Runtime& runtime, Logger& log);

}  // namespace thalweg
