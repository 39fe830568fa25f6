// SPDX-License-Identifier: MIT
#pragma once
#include <ranges>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace thalweg {

/// All of a range as one text, each part as `{}` of fmt writes it: numbers with as many digits as
/// give the same number when they are read.
///
/// In place of fmt::join, which compiles the writing of floating-point numbers again in each source
/// that names it: five seconds.
/// @param separator  between two parts
template <std::ranges::input_range Parts>
std::string joined_text(Parts&& parts, std::string_view separator = ", ") {
  std::string text;
  std::string_view before;
  for (const auto& part : parts) {
    text += before;
    text += fmt::format("{}", part);
    before = separator;
  }
  return text;
}

}  // namespace thalweg
