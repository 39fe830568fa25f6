// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace thalweg {

/// Make a text fit for a terminal: control characters that do not end a line, and bytes that are no
/// UTF-8, become "\x1b" and the like; all else stays. Of a text longer than most_bytes it is the
/// beginning, with "..." behind it.
///
/// Messages hold what decks, files and command lines say.
std::string printable(std::string_view text, std::size_t most_bytes = std::string_view::npos);

/// Print each line of a text as an error on stderr; of a very long one the beginning.
void print_errors(std::string_view text);

}  // namespace thalweg
