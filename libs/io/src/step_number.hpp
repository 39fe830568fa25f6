// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cctype>
#include <string_view>

namespace thalweg::io::detail {

inline bool is_number(std::string_view text) {
  const auto is_digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  return !text.empty() && std::ranges::all_of(text, is_digit);
}

/// Whether a text is the step in the name of a result, which has five digits at least.
inline bool is_step_number(std::string_view text) {
  return text.size() >= 5 && is_number(text);
}

}  // namespace thalweg::io::detail
