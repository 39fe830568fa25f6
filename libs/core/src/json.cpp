// SPDX-License-Identifier: MIT
#include <thalweg/core/json.hpp>

namespace thalweg {

std::string json_string(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      out += {'\\', c};
    else if (code < 0x20)
      out += {'\\', 'u', '0', '0', digits[code >> 4], digits[code & 15]};
    else
      out += c;
  }
  return out + '"';
}

}  // namespace thalweg
