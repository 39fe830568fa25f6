// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace thalweg::io::detail {

/// A piece of a file for a message: what no terminal should get as "\x1b", and no more than a few
/// words of it.
inline std::string printable(std::string_view text) {
  constexpr std::size_t most = 60;
  std::string result;
  for (const char c : text.substr(0, most)) {
    const auto byte = static_cast<unsigned char>(c);
    result += byte >= 0x20 && byte < 0x7f ? std::string(1, c) : fmt::format("\\x{:02x}", byte);
  }
  return text.size() > most ? result + "..." : result;
}

}  // namespace thalweg::io::detail
