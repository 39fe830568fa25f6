// SPDX-License-Identifier: MIT
#include <thalweg/io/parameter.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include <thalweg/core/joined_text.hpp>

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
  std::string operator()(const NumberTable& table) const {
    std::string text = "{";
    for (const auto& [name, x] : table)
      text += fmt::format("{}{} = {}", text.size() > 1 ? ", " : "", name, (*this)(x));
    return text + "}";
  }
  template <class T>
  std::string operator()(const std::vector<T>& list) const {
    std::string text = "[";
    for (const T& x : list) text += (text.size() > 1 ? ", " : "") + (*this)(x);
    return text + "]";
  }
};

/// Where values are limited, in a few words.
std::string limits(const Parameter& parameter) {
  if (!parameter.columns.empty()) {
    std::string columns;
    for (const Parameter& c : parameter.columns)
      columns += fmt::format("{}{}{}{}", columns.empty() ? "of " : ", ", c.name,
                             c.range.text().empty() ? "" : " ", c.range.text());
    return columns;
  }
  if (!parameter.choices.empty()) return joined_text(parameter.choices, "|");
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
                     lower, upper, std::isfinite(upper) ? ']' : ')');
}

std::string type_name(const Parameter& parameter) {
  static constexpr std::array names{"int",  "real",  "bool",    "string",
                                    "ints", "reals", "strings", "tables"};
  const bool is_choice = !parameter.choices.empty();
  if (is_choice && std::holds_alternative<std::string>(parameter.default_value)) return "choice";
  return names[parameter.default_value.index()];
}

std::string toml_text(const DeckValue& value) {
  return std::visit(TomlText{}, value);
}

std::string describe(std::span<const Parameter> parameters) {
  constexpr std::size_t setting_width = 52;  // of most; with the rest 100 columns hold a line
  std::string text, section;
  for (const Parameter& p : parameters) {
    const std::string own = p.name.substr(0, p.name.find('.'));
    if (own != section && !text.empty()) text += '\n';
    section = own;
    const std::string unit = p.unit.empty() ? "" : " [" + p.unit + "]";
    const std::string allowed = limits(p);
    const std::string by_default =
        p.must_be_given ? "... (must be given)" : toml_text(p.default_value);
    const std::string setting = fmt::format("{} = {}{}", p.name, by_default, unit);
    text += fmt::format("{:<{}}  {}{}{}\n", setting, setting_width, type_name(p),
                        allowed.empty() ? "" : " ", allowed);
    if (!p.doc.empty()) text += fmt::format("    {}\n", p.doc);
  }
  return text;
}

}  // namespace thalweg::io
