// SPDX-License-Identifier: MIT
#pragma once
#include <functional>
#include <string>
#include <vector>

#include <thalweg/app/runtime.hpp>
#include <thalweg/core/error.hpp>

#include "proxy.hpp"

namespace thalweg {

/// Do a command that has words of its own on all ranks; the exit code. All must have the same
/// words; an Error of `command` is said by rank 0, what else goes wrong ends all ranks.
/// @param help     makes what is printed where the words ask for it
/// @param command  its exit code
int on_ranks(const std::string& name, const std::vector<std::string>& words,
             const std::function<std::string()>& help,
             const std::function<Result<int>(app::Runtime&)>& command);

/// The same for a proxy application, whose facts are in the lines that it prints.
int on_ranks(const std::string& name, const std::vector<std::string>& words,
             const std::function<std::string()>& help, decltype(Proxy::run) run);

}  // namespace thalweg
