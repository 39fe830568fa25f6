// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include <thalweg/core/print_errors.hpp>

namespace thalweg {

namespace {
constexpr std::size_t longest_line = 2000;  // that anybody reads
}

std::string printable(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x20 && c != '\n') || byte == 0x7f)
      result += fmt::format("\\x{:02x}", byte);
    else
      result += c;
  }
  return result;
}

void print_errors(std::string_view text) {
  while (!text.empty()) {
    const auto line = text.substr(0, text.find('\n'));
    fmt::print(stderr, "error: {}{}\n", printable(line.substr(0, longest_line)),
               line.size() > longest_line ? "..." : "");
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
}

}  // namespace thalweg
