// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <thalweg/io/parameter.hpp>

namespace thalweg::io {

/// A key that is not declared here but elsewhere, so that an error can say where.
struct ForeignKey {
  std::string name;   ///< "section.key"
  std::string where;  ///< what has it, e.g. problem.name = "sedov"
};

/// The string that overrides, or else a TOML text, give a key; none if neither does, or as
/// something else than a string. Nothing is checked: for keys that say what may be declared.
std::optional<std::string> find_string(std::string_view text,
                                       std::span<const std::string> overrides,
                                       std::string_view name);

/// The resolved parameters of a run: declared defaults, then the deck's file, then the overrides.
/// @threads safe: immutable
class Deck {
 public:
  /// Check a TOML text and overrides of the form "section.key=value" against the declarations.
  ///
  /// Strings in overrides need no quotes, and numbers may be fractions, as 5/3. An integer is
  /// accepted where a real is wanted, never the other way round, and where a list of integers may
  /// have one element.
  /// @errors Error listing everything that is wrong, one a line: what is not TOML (line, column),
  /// unknown keys (and the nearest known one), wrong types, words that are no choice (and the
  /// nearest one), numbers out of range, lists too short or too long; a wrong value of a key that
  /// decides which others there are (Parameter::decides_keys) alone
  static Deck load(std::string_view text, std::string_view file_name,
                   std::span<const Parameter> parameters,
                   std::span<const std::string> overrides = {},
                   std::span<const ForeignKey> foreign = {});

  /// The declarations, in their order.
  std::vector<Parameter> parameters() const;
  bool is_declared(std::string_view name) const;

  // Each value by the name it is declared by. Asking for an undeclared name, or for another type
  // than the declared one, is a bug: ContractViolation, in every build.
  std::int64_t integer(std::string_view name) const;
  double real(std::string_view name) const;
  bool boolean(std::string_view name) const;
  const std::string& string(std::string_view name) const;  ///< a string or a choice
  const std::vector<std::int64_t>& integers(std::string_view name) const;
  const std::vector<double>& reals(std::string_view name) const;
  const std::vector<std::string>& strings(std::string_view name) const;
  /// Each table has a number for every declared column, and no others.
  const std::vector<NumberTable>& tables(std::string_view name) const;

  /// A value of any type.
  const DeckValue& any(std::string_view name) const;

  /// Tell whether the deck's file or an override set a parameter.
  bool is_given(std::string_view name) const;
  /// Tell whether a parameter has its declared default, given or not.
  bool is_default(std::string_view name) const;

  /// A sentence on each key that was given in vain: not its default, and used with other choices of
  /// another key alone (Parameter::used_with).
  std::vector<std::string> without_effect() const;

  /// Write all parameters as a deck that loads to the same values; doc and unit as comments.
  std::string to_toml() const;

 private:
  struct Entry {
    Parameter parameter;
    DeckValue value;
    bool is_given = false;
  };

  const Entry& entry(std::string_view name) const;
  template <class T>
  const T& value(std::string_view name) const;

  std::vector<Entry> entries_;  // in the order of declaration
};

}  // namespace thalweg::io
