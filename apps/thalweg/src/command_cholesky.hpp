// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

namespace thalweg {

/// Factorise a matrix by Cholesky's method; the exit code, which is that of a failure where there
/// is no factor or a check fails.
/// @param words  its options
int command_cholesky(const std::vector<std::string>& words);

}  // namespace thalweg
