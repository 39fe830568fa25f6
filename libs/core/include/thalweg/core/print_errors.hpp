// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>

namespace thalweg {

/// Make a text fit for a terminal: control characters that do not end a line become "\x1b" and the
/// like; all else, UTF-8 too, stays.
///
/// Messages hold what decks, files and command lines say.
std::string printable(std::string_view text);

/// Print each line of a text as an error on stderr; of a very long one the beginning.
void print_errors(std::string_view text);

}  // namespace thalweg
