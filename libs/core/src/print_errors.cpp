// SPDX-License-Identifier: MIT
#include <thalweg/core/print_errors.hpp>

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include <thalweg/core/utf8.hpp>

namespace thalweg {

namespace {
constexpr std::size_t longest_line = 2000;  // that anybody reads
}

std::string printable(std::string_view text, std::size_t most_bytes) {
  std::string result;
  for (std::size_t at = 0, n = 0; at < text.size(); at += n) {
    if (at >= most_bytes) return result + "...";
    n = utf8_length(text.substr(at));
    const auto byte = static_cast<unsigned char>(text[at]);
    // U+0080 to U+009F are control characters, too.
    const bool is_c1 = n == 2 && byte == 0xc2 && static_cast<unsigned char>(text[at + 1]) < 0xa0;
    if (n == 0 || is_c1 || (byte < 0x20 && byte != '\n') || byte == 0x7f) {
      result += fmt::format("\\x{:02x}", byte);
      n = 1;
    } else {
      result += text.substr(at, n);
    }
  }
  return result;
}

void print_errors(std::string_view text) {
  while (!text.empty()) {
    const auto line = text.substr(0, text.find('\n'));
    print_to_stderr("error: {}\n", printable(line, longest_line));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
}

}  // namespace thalweg
