// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <thalweg/io/parameter.hpp>

namespace thalweg::io {

namespace {

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      out += fmt::format("\\{}", c);
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      out += fmt::format("\\u{:04X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    else
      out += c;
  }
  return out + '"';
}

struct TomlText {
  std::string operator()(std::int64_t x) const { return fmt::format("{}", x); }
  std::string operator()(double x) const {
    // Shortest text that reads back to the same bits; TOML wants a point or an exponent in a real.
    const std::string text = fmt::format("{}", x);
    const bool is_real = !std::isfinite(x) || text.find_first_of(".e") != std::string::npos;
    return is_real ? text : text + ".0";
  }
  std::string operator()(bool x) const { return x ? "true" : "false"; }
  std::string operator()(const std::string& x) const { return quoted(x); }
  template <class T>
  std::string operator()(const std::vector<T>& list) const {
    std::string text = "[";
    for (const T& x : list) text += (text.size() > 1 ? ", " : "") + (*this)(x);
    return text + "]";
  }
};

/// Where values are limited, in a few words.
std::string limits(const Parameter& parameter) {
  if (!parameter.choices.empty()) return fmt::format("{}", fmt::join(parameter.choices, "|"));
  const Length any;
  std::string text = parameter.range.text();
  if (parameter.length == any) return text;
  const Length& length = parameter.length;
  const std::string n = length.min == length.max ? fmt::format("{}", length.min)
                        : length.max == any.max  ? fmt::format("{}+", length.min)
                                                 : fmt::format("{}..{}", length.min, length.max);
  return text + (text.empty() ? "" : " ") + "x" + n;
}

}  // namespace

std::string Range::text() const {
  if (lower == any().lower && upper == any().upper) return "";
  return fmt::format("{}{}, {}{}", at_lower == Bound::included && std::isfinite(lower) ? '[' : '(',
                     lower, upper, at_upper == Bound::included && std::isfinite(upper) ? ']' : ')');
}

std::string type_name(const Parameter& parameter) {
  static constexpr std::array names{"int", "real", "bool", "string", "ints", "reals", "strings"};
  const bool is_choice = !parameter.choices.empty();
  if (is_choice && std::holds_alternative<std::string>(parameter.default_value)) return "choice";
  return names[parameter.default_value.index()];
}

std::string toml_text(const DeckValue& value) {
  return std::visit(TomlText{}, value);
}

std::string describe(std::span<const Parameter> parameters) {
  constexpr std::size_t n_columns = 6;
  std::vector<std::array<std::string, n_columns>> rows;
  rows.push_back({"name", "type", "default", "unit", "range", "meaning"});
  for (const Parameter& p : parameters)
    rows.push_back({p.name, type_name(p), toml_text(p.default_value), p.unit, limits(p), p.doc});
  std::array<std::size_t, n_columns> widths{};
  for (const auto& row : rows)
    for (std::size_t c = 0; c < n_columns; ++c) widths[c] = std::max(widths[c], row[c].size());
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < n_columns; ++c) line += fmt::format("{:<{}}  ", row[c], widths[c]);
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

}  // namespace thalweg::io
