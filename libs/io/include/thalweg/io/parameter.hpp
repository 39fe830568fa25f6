// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace thalweg::io {

/// One table of a list of them: numbers by name.
using NumberTable = std::map<std::string, double, std::less<>>;

/// What a deck's key may hold.
using DeckValue =
    std::variant<std::int64_t, double, bool, std::string, std::vector<std::int64_t>,
                 std::vector<double>, std::vector<std::string>, std::vector<NumberTable>>;

/// The numbers a parameter may take, element by element in a list. NaN and infinities are in no
/// range.
struct Range {
  enum class Bound { included, excluded };
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  Bound at_lower = Bound::included;

  static constexpr Range any() { return {}; }
  static constexpr Range at_least(double lower) { return {.lower = lower}; }
  static constexpr Range above(double lower) {
    return {.lower = lower, .at_lower = Bound::excluded};
  }
  static constexpr Range between(double lower, double upper) {
    return {.lower = lower, .upper = upper};
  }
  /// lower < x <= upper
  static constexpr Range above_up_to(double lower, double upper) {
    return {.lower = lower, .upper = upper, .at_lower = Bound::excluded};
  }

  constexpr bool contains(double x) const {
    const bool over = at_lower == Bound::included ? x >= lower : x > lower;
    constexpr double inf = std::numeric_limits<double>::infinity();
    return over && x <= upper && -inf < x && x < inf;
  }
  /// Write the range as "[0, 1)"; empty if it is everything.
  std::string text() const;
};

/// How many elements a list may have.
struct Length {
  std::size_t min = 0;
  std::size_t max = std::numeric_limits<std::size_t>::max();

  static constexpr Length exactly(std::size_t n) { return {n, n}; }
  bool operator==(const Length&) const = default;
};

/// Whether a run that goes on from a checkpoint may have another value than it began with.
enum class AtRestart { fixed, may_change };

/// A key and some of its choices: those with which another key has an effect.
struct UsedWith {
  std::string key{};                  ///< of a choice or a list of choices; "": there is always one
  std::vector<std::string> values{};  ///< one of them is enough
};

/// The declaration of one key of the deck. Its type is that of its default.
struct Parameter {
  std::string name;  ///< "section.key"
  DeckValue default_value;
  std::string unit{};                  ///< "" for pure numbers and everything that is no number
  Range range{};                       ///< of numbers
  std::vector<std::string> choices{};  ///< of strings; empty for any
  Length length{};                     ///< of lists
  std::string doc{};                   ///< one sentence
  AtRestart at_restart = AtRestart::fixed;
  bool must_be_given = false;  ///< a deck without it is an error; the default says its type
  bool decides_keys = false;   ///< which others there are: where it is wrong, only that is said
  UsedWith used_with{};
  std::vector<Parameter> columns{};  ///< of lists of tables: the numbers that each table has
};

// The commonest declarations in a line each.

/// A number.
inline Parameter real(std::string name, double by_default, std::string unit, std::string doc,
                      Range range = {}) {
  return {.name = std::move(name),
          .default_value = by_default,
          .unit = std::move(unit),
          .range = range,
          .doc = std::move(doc)};
}
/// A whole number.
inline Parameter integer(std::string name, std::int64_t by_default, std::string unit,
                         std::string doc, Range range = {}) {
  return {.name = std::move(name),
          .default_value = by_default,
          .unit = std::move(unit),
          .range = range,
          .doc = std::move(doc)};
}
/// Yes or no.
inline Parameter boolean(std::string name, bool by_default, std::string doc) {
  return {.name = std::move(name), .default_value = by_default, .doc = std::move(doc)};
}
/// One of some words.
inline Parameter choice(std::string name, std::string by_default, std::vector<std::string> choices,
                        std::string doc) {
  return {.name = std::move(name),
          .default_value = std::move(by_default),
          .choices = std::move(choices),
          .doc = std::move(doc)};
}
/// A list of numbers with one entry an axis, each in the range.
inline Parameter vector(std::string name, std::vector<double> by_default, std::string unit,
                        std::string doc, Range range = {}) {
  return {.name = std::move(name),
          .default_value = std::move(by_default),
          .unit = std::move(unit),
          .range = range,
          .length = {1, 3},
          .doc = std::move(doc)};
}

/// The same declarations, of keys that may have another value when a run goes on.
inline Parameter changeable(Parameter one) {
  one.at_restart = AtRestart::may_change;
  return one;
}
inline std::vector<Parameter> changeable(std::vector<Parameter> all) {
  for (Parameter& parameter : all) parameter.at_restart = AtRestart::may_change;
  return all;
}

/// The same declarations, of keys that have an effect with some choices of another one alone.
inline std::vector<Parameter> used_with(const UsedWith& other, std::vector<Parameter> all) {
  for (Parameter& parameter : all) parameter.used_with = other;
  return all;
}

/// A list of tables, each with a number for every column: its own, or the column's default.
inline Parameter tables(std::string name, std::vector<NumberTable> by_default,
                        std::vector<Parameter> columns, std::string doc) {
  return {.name = std::move(name),
          .default_value = std::move(by_default),
          .doc = std::move(doc),
          .columns = std::move(columns)};
}

/// Name the type of a parameter: "int", "real", "bool", "string", "choice", "ints", ...
std::string type_name(const Parameter& parameter);

/// Write a value as TOML, reals such that they read back bit by bit.
std::string toml_text(const DeckValue& value);

/// Render the declarations for people: "name = default [unit]", type and range; meaning below.
std::string describe(std::span<const Parameter> parameters);

}  // namespace thalweg::io
