// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <thalweg/core/error.hpp>
#include <thalweg/io/parameter.hpp>

namespace thalweg::io::detail {

/// One key of a TOML text with its section, "section.key".
struct TomlEntry {
  std::string name;
  std::optional<DeckValue> value;  ///< none for dates, mixed lists, huge integers
  int line = 0;
};

/// What is wrong with the characters of a text: "line 3 column 7: not UTF-8", or a control
/// character.
std::optional<Failure> wrong_character(std::string_view text);

/// Read a TOML text into its keys, in the order of their lines.
///
/// An empty list is given as a list of integers; a list of integers and reals as one of reals.
/// @errors "line 3 column 7: why it is not TOML", for any text whatever
Result<std::vector<TomlEntry>> read_toml(std::string_view text);

}  // namespace thalweg::io::detail
