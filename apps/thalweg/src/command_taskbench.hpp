// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

#include "proxy.hpp"

namespace thalweg {

/// Run graphs of Task Bench on our executor; the exit code. Other runtimes has thalweg-taskbench.
/// @param words  Task Bench's options and more
int command_taskbench(const std::vector<std::string>& words);
/// Run its graphs; what that came to: see Proxy.
Result<Facts> run_taskbench(const std::vector<std::string>& words, app::Runtime& runtime,
                            Logger& log);

}  // namespace thalweg
