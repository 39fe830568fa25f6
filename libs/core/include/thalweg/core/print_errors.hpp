// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace thalweg {

/// Make a text fit for a terminal: control characters that do not end a line, and bytes that are no
/// UTF-8, become "\x1b" and the like; all else stays. Of a text longer than most_bytes it is the
/// beginning, with "..." behind it.
///
/// Messages hold what decks, files and command lines say.
std::string printable(std::string_view text, std::size_t most_bytes = std::string_view::npos);

/// Print to stderr as fmt::print does, which throws where that cannot be written: here it is lost.
template <class... Values>
void print_to_stderr(fmt::format_string<Values...> format, Values&&... values) {
  const std::string text = fmt::format(format, std::forward<Values>(values)...);
  std::fwrite(text.data(), 1, text.size(), stderr);
}

/// Print each line of a text as an error on stderr; of a very long one the beginning.
void print_errors(std::string_view text);

}  // namespace thalweg
