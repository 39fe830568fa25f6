// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

namespace thalweg {

/// Run graphs of Task Bench on our executor; the exit code. Other runtimes has thalweg-taskbench.
/// @param words  Task Bench's options and more
int command_taskbench(const std::vector<std::string>& words);

}  // namespace thalweg
