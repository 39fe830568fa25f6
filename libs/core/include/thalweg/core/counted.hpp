// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace thalweg {

/// A number of things in words: "1 rank", "2 ranks".
/// @param thing  of which there is one; its plural ends in s
inline std::string counted(std::int64_t n, std::string_view thing) {
  return std::to_string(n).append(" ").append(thing).append(n == 1 ? "" : "s");
}

}  // namespace thalweg
