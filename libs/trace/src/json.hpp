// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace thalweg::trace {

/// The text as a JSON string, quotes included.
inline std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      out += {'\\', c};
    else if (static_cast<unsigned char>(c) < 0x20)
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      out += c;
  }
  return out + '"';
}

}  // namespace thalweg::trace
