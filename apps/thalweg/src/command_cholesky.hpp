// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

#include "proxy.hpp"

namespace thalweg {

/// Factorise a matrix by Cholesky's method; the exit code, which is that of a failure where there
/// is no factor or a check fails.
/// @param words  its options
int command_cholesky(const std::vector<std::string>& words);
/// Factorise; what came of it, which may be that it is not good: see Proxy.
Result<Facts> run_cholesky(const std::vector<std::string>& words, app::Runtime& runtime,
                           Logger& log);

}  // namespace thalweg
