// SPDX-License-Identifier: MIT
#include "toml_read.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <toml.hpp>

#include <thalweg/core/utf8.hpp>

namespace thalweg::io::detail {

namespace {

using Toml = toml::value;

constexpr std::size_t longest_text = 1 << 20;
constexpr int deepest_nesting = 32;

/// Where what begins at a place of a text ends: a comment, before its line does; a string, behind
/// its last quote, or where it has none at the end of its line or of the text.
std::size_t end_of(std::string_view text, std::size_t begin) {
  const char quote = text[begin];
  if (quote == '#') return std::min(text.find('\n', begin), text.size());
  const std::string three(3, quote);
  const bool is_long = text.substr(begin, 3) == three;
  const std::size_t n_quotes = is_long ? 3 : 1;
  for (std::size_t i = begin + n_quotes; i < text.size(); ++i) {
    if (quote == '"' && text[i] == '\\')
      ++i;
    else if (text[i] == '\n' && !is_long)
      return i;
    else if (text.substr(i, n_quotes) == three.substr(0, n_quotes))
      return i + n_quotes;
  }
  return text.size();
}

/// Say where a text is too deep for a recursive parser, which would run out of stack on it: by its
/// brackets, and by the dots of a key.
std::optional<Failure> check_nesting(std::string_view text) {
  if (text.size() > longest_text)
    return Failure{
        fmt::format("{} bytes are too long for a deck (at most {})", text.size(), longest_text)};
  int line = 1, brackets = 0, dots = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '#' || text[i] == '"' || text[i] == '\'') {
      const std::size_t end = end_of(text, i);
      line += static_cast<int>(std::ranges::count(text.substr(i, end - i), '\n'));
      i = end - 1;
      continue;
    }
    const char c = text[i];
    if (c == '[' || c == '{') ++brackets;
    if ((c == ']' || c == '}') && brackets > 0) --brackets;
    if (c == '.') ++dots;
    if (c == '=' || c == ',' || c == '\n') dots = 0;
    if (brackets > deepest_nesting || dots > deepest_nesting)
      return Failure{fmt::format("line {}: nested more than {} deep", line, deepest_nesting)};
    if (c == '\n') ++line;
  }
  return std::nullopt;
}

/// Say where a text has a real number that doubles do not have, which toml11 would read as the
/// largest of all, or as 0.
std::optional<Failure> check_reals(std::string_view text) {
  constexpr std::string_view of_numbers =
      "+-._0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  for (std::size_t i = 0, end = 0; i < text.size(); i = end) {
    if (text[i] == '#' || text[i] == '"' || text[i] == '\'') {
      end = end_of(text, i);
      continue;
    }
    end = std::min(text.find_first_not_of(of_numbers, i), text.size());
    if (end == i) ++end;
    std::string word(text.substr(i, end - i));
    std::erase(word, '_');
    if (word.starts_with('+')) word.erase(0, 1);
    double x = 0;
    const char* const last = word.data() + word.size();
    if (const auto read = std::from_chars(word.data(), last, x);
        read.ec == std::errc::result_out_of_range && read.ptr == last)
      return Failure{fmt::format("line {}: the number {} is too large, or too near to 0",
                                 1 + std::ranges::count(text.substr(0, i), '\n'), word)};
  }
  return std::nullopt;
}

template <class T, class F>
std::vector<T> converted(const toml::array& list, F&& convert) {
  std::vector<T> values;
  for (const Toml& x : list) values.push_back(convert(x));
  return values;
}

double as_real(const Toml& x) {
  return x.is_integer() ? static_cast<double>(x.as_integer()) : x.as_floating();
}

/// toml11 clips numbers of more than 64 bits without a word: the ends of the ranges are not
/// trusted.
bool is_clipped(const Toml& x) {
  if (x.is_floating()) return std::abs(x.as_floating()) == std::numeric_limits<double>::max();
  return x.is_integer() && (x.as_integer() == std::numeric_limits<std::int64_t>::max() ||
                            x.as_integer() == std::numeric_limits<std::int64_t>::min());
}

bool is_number_table(const Toml& x) {
  return x.is_table() && std::ranges::all_of(x.as_table(), [](const auto& entry) {
           const Toml& number = entry.second;
           return (number.is_integer() || number.is_floating()) && !is_clipped(number);
         });
}

NumberTable as_number_table(const Toml& x) {
  NumberTable numbers;
  for (const auto& [name, number] : x.as_table()) numbers.emplace(name, as_real(number));
  return numbers;
}

std::optional<DeckValue> list_value(const toml::array& list) {
  if (std::ranges::any_of(list, is_clipped)) return std::nullopt;
  if (std::ranges::all_of(list, [](const Toml& x) { return x.is_integer(); }))
    return converted<std::int64_t>(list, [](const Toml& x) { return x.as_integer(); });
  if (std::ranges::all_of(list, [](const Toml& x) { return x.is_integer() || x.is_floating(); }))
    return converted<double>(list, as_real);
  if (std::ranges::all_of(list, [](const Toml& x) { return x.is_string(); }))
    return converted<std::string>(list, [](const Toml& x) { return x.as_string().str; });
  if (std::ranges::all_of(list, is_number_table))
    return converted<NumberTable>(list, as_number_table);
  return std::nullopt;
}

std::optional<DeckValue> deck_value(const Toml& x) {
  if (is_clipped(x)) return std::nullopt;
  if (x.is_integer()) return x.as_integer();
  if (x.is_floating()) return x.as_floating();
  if (x.is_boolean()) return x.as_boolean();
  if (x.is_string()) return x.as_string().str;
  if (x.is_array()) return list_value(x.as_array());
  return std::nullopt;
}

void flatten(const toml::table& table, const std::string& section,
             std::vector<TomlEntry>& entries) {
  for (const auto& [key, value] : table) {
    const std::string name = section.empty() ? key : section + '.' + key;
    if (value.is_table())
      flatten(value.as_table(), name, entries);
    else
      entries.push_back({name, deck_value(value), static_cast<int>(value.location().line())});
  }
}

/// Bring toml11's message down to one line with the place it is about.
///
/// The message is a picture, " 2 | cfl = = 3" over "   |       ^--- here", and its last arrow is
/// the only true word on the column: the exception's own location is that of the whole line.
std::string one_line(const std::string& message) {
  std::istringstream lines(message);
  std::string what, above, line, place, comment;
  std::getline(lines, what);
  for (const std::string_view noise : {"[error] ", "toml::"})
    if (what.starts_with(noise)) what.erase(0, noise.size());
  while (std::getline(lines, line)) {
    const std::size_t bar = line.find(" | ");
    const std::size_t arrow = line.find_first_not_of(' ', bar + 3);
    const bool is_arrow = bar != std::string::npos && arrow != std::string::npos &&
                          line.find_first_not_of(' ') == bar + 1 &&
                          (line[arrow] == '^' || line[arrow] == '~');
    if (is_arrow) {
      const std::string number = above.substr(0, above.find(" | "));
      place = fmt::format("line {} column {}: ", number.substr(number.find_first_not_of(' ')),
                          arrow - bar - 2);
      comment = line.substr(std::min(line.find_first_not_of("^~- ", arrow), line.size()));
    }
    above = line;
  }
  // It begins with the name of one of its functions.
  if (const auto end = what.find(": "); what.starts_with("parse_") || what.starts_with("insert_"))
    what.erase(0, what.find_first_not_of(": ", end));
  return place + what + (comment.empty() || comment == "here" ? "" : " (" + comment + ")");
}

}  // namespace

// Where a text is not UTF-8 toml11 3.7.1 reads out of bounds (its issue 199), and it does not tell
// the place of a control character.
std::optional<Failure> wrong_character(std::string_view text) {
  int line = 1, column = 1;
  while (!text.empty()) {
    const std::size_t n = utf8_length(text);
    if (n == 0) return Failure{fmt::format("line {} column {}: not UTF-8", line, column)};
    const auto c = static_cast<unsigned char>(text[0]);
    if ((c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f)
      return Failure{fmt::format("line {} column {}: control character {:#04x}", line, column, c)};
    column = text[0] == '\n' ? 1 : column + 1;
    if (text[0] == '\n') ++line;
    text.remove_prefix(n);
  }
  return std::nullopt;
}

Result<std::vector<TomlEntry>> read_toml(std::string_view text) {
  if (auto failure = check_nesting(text)) return std::unexpected(*failure);
  if (auto failure = wrong_character(text)) return std::unexpected(*failure);
  if (auto failure = check_reals(text)) return std::unexpected(*failure);
  std::istringstream stream{std::string(text)};
  try {
    const Toml root = toml::parse(stream, "deck");
    std::vector<TomlEntry> entries;
    if (root.is_table()) flatten(root.as_table(), "", entries);
    std::ranges::sort(entries, [](const TomlEntry& a, const TomlEntry& b) {
      return a.line != b.line ? a.line < b.line : a.name < b.name;
    });
    return entries;
  } catch (const std::exception& e) {
    return std::unexpected(Failure{one_line(e.what())});
  }
}

}  // namespace thalweg::io::detail
