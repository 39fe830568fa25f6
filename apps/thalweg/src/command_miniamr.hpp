// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

#include "proxy.hpp"

namespace thalweg {

/// Run the proxy application miniAMR; the exit code.
/// @param words  its options, which are the reference program's
int command_miniamr(const std::vector<std::string>& words);
/// Run it; what it came to: see Proxy.
Result<Facts> run_miniamr(const std::vector<std::string>& words, app::Runtime& runtime,
                          Logger& log);

}  // namespace thalweg
