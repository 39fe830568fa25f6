// SPDX-License-Identifier: MIT
#include <thalweg/io/deck.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include <thalweg/core/contract.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/core/joined_text.hpp>
#include <thalweg/core/print_errors.hpp>

#include "toml_read.hpp"

namespace thalweg::io {

namespace {

/// Levenshtein's distance between two words; of those whose lengths differ by more than `most`,
/// that difference: a key may be as long as a deck.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t most) {
  const std::size_t more = std::max(a.size(), b.size()) - std::min(a.size(), b.size());
  if (more > most) return more;
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

std::string_view key_of(std::string_view name) {
  return name.substr(name.rfind('.') + 1);
}

std::string_view section_of(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  return name.substr(0, dot == std::string_view::npos ? 0 : dot);
}

/// What a value of a parameter looks like.
std::string looks_of(const Parameter& parameter) {
  const double whole = std::clamp(4.0, parameter.range.lower, parameter.range.upper);
  const auto list = [&](std::string_view one, std::string_view many) {
    return parameter.length.min > 1 ? fmt::format("a list of {}", many)
                                    : fmt::format("{} or a list of them", one);
  };
  const std::array looks{
      fmt::format("a whole number, such as {}", whole),
      std::string("a number, such as 0.05 or 1e-3"),
      std::string("true or false"),
      std::string("a text"),
      fmt::format("{}, such as [{}, {}]", list("a whole number", "whole numbers"), whole, whole),
      list("a number", "numbers") + ", such as [0.5, 1]",
      list("a word", "words") + ", such as [\"a\", \"b\"]",
      std::string("a list of tables, such as [{density = 1}]")};
  static_assert(looks.size() == std::variant_size_v<DeckValue>);
  return looks[parameter.default_value.index()];
}

/// The keys of the section that a name is of, or if there is no such section, the sections.
std::string what_there_is(std::string_view unknown, std::span<const Parameter> parameters) {
  for (const Parameter& p : parameters)
    if (section_of(p.name) == unknown)
      return fmt::format("it is a section; write it as [{}]", unknown);
  std::vector<std::string_view> keys, sections;
  for (const Parameter& p : parameters) {
    if (section_of(p.name) == section_of(unknown)) keys.push_back(key_of(p.name));
    if (std::ranges::find(sections, section_of(p.name)) == sections.end())
      sections.push_back(section_of(p.name));
  }
  if (keys.empty()) return fmt::format("the sections are {}", joined_text(sections));
  return fmt::format("[{}] has {}", section_of(unknown), joined_text(keys));
}

/// The known name nearest to an unknown one: a few letters off, or the same key elsewhere.
std::string suggestion(std::string_view unknown, std::span<const Parameter> parameters) {
  const auto outer = std::ranges::find(parameters, section_of(unknown), &Parameter::name);
  if (outer != parameters.end()) return fmt::format("{} is {}", outer->name, looks_of(*outer));
  const Parameter* nearest = nullptr;
  std::size_t shortest = std::max<std::size_t>(2, unknown.size() / 3);
  for (const Parameter& p : parameters) {
    const bool is_moved = key_of(p.name) == key_of(unknown);
    const std::size_t distance = is_moved ? 1 : edit_distance(unknown, p.name, shortest);
    if (distance <= shortest && (nearest == nullptr || distance < shortest)) {
      nearest = &p;
      shortest = distance;
    }
  }
  return nearest == nullptr ? what_there_is(unknown, parameters)
                            : fmt::format("did you mean '{}'?", nearest->name);
}

/// Which choice may have been meant by a word that is none; "" if none is like it.
std::string meant_choice(std::string_view word, std::span<const std::string> choices) {
  const std::size_t most = word.size() / 3;
  const auto distance = [&](const std::string& c) { return edit_distance(word, c, most); };
  const auto nearest = std::ranges::min_element(choices, {}, distance);
  return distance(*nearest) > most ? "" : fmt::format("; did you mean '{}'?", *nearest);
}

/// What to do about an unknown key: where it belongs, or which was meant.
std::string advice(std::string_view unknown, std::span<const Parameter> parameters,
                   std::span<const ForeignKey> foreign) {
  std::vector<std::string> places;
  for (const auto& key : foreign)
    if (key.name == unknown) places.push_back(key.where);
  if (places.empty()) return "; " + suggestion(unknown, parameters);
  return fmt::format(" (only {} has it); leave it out", joined_text(places));
}

/// A value of T as a list of one, where the parameter is a list of T that may be so short.
template <class T>
std::optional<DeckValue> list_of_one(const DeckValue& value, const Parameter& parameter) {
  const auto* one = std::get_if<T>(&value);
  if (one == nullptr || parameter.length.min > 1 ||
      !std::holds_alternative<std::vector<T>>(parameter.default_value))
    return std::nullopt;
  return std::vector<T>{*one};
}

/// A value as the type of the parameter's default; none if it is of another type.
std::optional<DeckValue> as_declared(const DeckValue& value, const Parameter& parameter) {
  if (const auto* tables = std::get_if<std::vector<NumberTable>>(&value);
      tables != nullptr && !parameter.columns.empty()) {
    auto filled = *tables;
    for (NumberTable& table : filled)
      for (const Parameter& column : parameter.columns)
        table.try_emplace(column.name, std::get<double>(column.default_value));
    return filled;
  }
  if (value.index() == parameter.default_value.index()) return value;
  const auto* integer = std::get_if<std::int64_t>(&value);
  if (integer != nullptr && std::holds_alternative<double>(parameter.default_value))
    return static_cast<double>(*integer);
  if (auto list = list_of_one<std::int64_t>(value, parameter)) return list;
  if (auto list = list_of_one<std::string>(value, parameter)) return list;
  const DeckValue real = integer != nullptr ? DeckValue(static_cast<double>(*integer)) : value;
  if (auto list = list_of_one<double>(real, parameter)) return list;
  if (const auto* list = std::get_if<std::vector<std::int64_t>>(&value)) {
    if (std::holds_alternative<std::vector<double>>(parameter.default_value))
      return std::vector<double>(list->begin(), list->end());
    const bool wants_strings =
        std::holds_alternative<std::vector<std::string>>(parameter.default_value);
    if (list->empty() && wants_strings) return std::vector<std::string>{};
    if (list->empty() && !parameter.columns.empty()) return std::vector<NumberTable>{};
  }
  return std::nullopt;
}

/// Says what is wrong with a value of the declared type; nothing if it may be used.
struct Limits {
  const Parameter& parameter;

  std::optional<std::string> number(double x, const std::string& text) const {
    if (parameter.range.contains(x)) return std::nullopt;
    const std::string range = parameter.range.text();
    const std::string unit = parameter.unit.empty() ? "" : fmt::format(" [{}]", parameter.unit);
    return fmt::format("= {}{} (must be {})", text, unit,
                       range.empty() ? "a finite number" : "in " + range);
  }
  std::optional<std::string> operator()(std::int64_t x) const {
    return number(static_cast<double>(x), fmt::format("{}", x));
  }
  std::optional<std::string> operator()(double x) const { return number(x, fmt::format("{}", x)); }
  std::optional<std::string> operator()(bool) const { return std::nullopt; }
  std::optional<std::string> operator()(const std::string& x) const {
    std::string shown = x;  // as it is, by everything that prints values
    std::erase(shown, '\t');
    if (printable(shown) != shown)
      return fmt::format("= \"{}\" (must be text without control characters)", x);
    if (parameter.choices.empty() || std::ranges::count(parameter.choices, x) > 0)
      return std::nullopt;
    return fmt::format("= \"{}\" (must be one of: {}){}", x, joined_text(parameter.choices),
                       meant_choice(x, parameter.choices));
  }
  std::optional<std::string> operator()(const NumberTable& table) const {
    for (const auto& [name, x] : table) {
      const auto column = std::ranges::find(parameter.columns, name, &Parameter::name);
      if (column == parameter.columns.end())
        return fmt::format("with an unknown key '{}' (must have {})", name,
                           toml_text(table_keys()));
      if (auto problem = Limits{*column}(x)) return fmt::format("with {} {}", name, *problem);
    }
    return std::nullopt;
  }
  std::vector<std::string> table_keys() const {
    std::vector<std::string> names;
    for (const Parameter& column : parameter.columns) names.push_back(column.name);
    return names;
  }
  template <class T>
  std::optional<std::string> operator()(const std::vector<T>& list) const {
    const Length& length = parameter.length;
    if (list.size() < length.min || list.size() > length.max) {
      const std::string wanted = length.min == length.max ? fmt::format("{}", length.min)
                                 : length.max == Length{}.max
                                     ? fmt::format("{} or more", length.min)
                                     : fmt::format("{} to {}", length.min, length.max);
      return fmt::format("has {} elements (must have {})", list.size(), wanted);
    }
    for (const T& x : list)
      if (auto problem = (*this)(x)) return "has an element " + *problem;
    return std::nullopt;
  }
};

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// A number; none where a deck could not have it either, as is the largest of all (read_toml).
std::optional<double> number_of(std::string_view text) {
  double x = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), x);
  const bool is_whole = error == std::errc{} && end == text.data() + text.size();
  return is_whole && std::abs(x) != std::numeric_limits<double>::max() ? std::optional(x)
                                                                       : std::nullopt;
}

/// A fraction of two numbers, as 5/3; none if the text is something else.
std::optional<double> fraction(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const auto above = number_of(trimmed(text.substr(0, slash)));
  const auto below = number_of(trimmed(text.substr(slash + 1)));
  return above && below ? std::optional(*above / *below) : std::nullopt;
}

/// A number as overrides may have it.
std::optional<double> number_or_fraction(std::string_view text) {
  const auto x = number_of(text);
  return x ? x : fraction(text);
}

/// A word without quotes: shells take them away.
std::optional<std::string> bare_word(std::string_view text) {
  constexpr std::string_view letters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  const bool is_word = !text.empty() && text.find_first_not_of(letters) == std::string_view::npos;
  return is_word ? std::optional(std::string(text)) : std::nullopt;
}

/// The elements of a list, as [a, b], or of one element alone, each read by read(text); none where
/// one of them, or the text, is something else.
template <class T>
std::optional<std::vector<T>> elements_of(std::string_view text,
                                          std::optional<T> (*read)(std::string_view)) {
  if (!text.starts_with('[') || !text.ends_with(']')) {
    auto only = read(text);
    return only ? std::optional(std::vector{*std::move(only)}) : std::nullopt;
  }
  text = text.substr(1, text.size() - 2);
  std::vector<T> elements;
  for (bool is_last = false; !is_last;) {
    const std::size_t comma = text.find(',');
    auto element = read(trimmed(text.substr(0, comma)));
    if (!element) return std::nullopt;
    elements.push_back(*std::move(element));
    is_last = comma == std::string_view::npos;
    if (!is_last) text.remove_prefix(comma + 1);
  }
  return elements;
}

/// Which parameter may have been meant by its key without the section, if there is one.
std::string whose_key(std::string_view key, std::span<const Parameter> parameters) {
  const auto meant =
      std::ranges::find(parameters, key, [](const Parameter& p) { return key_of(p.name); });
  return meant == parameters.end() ? "" : fmt::format("; did you mean '{}'?", meant->name);
}

/// Take an override apart; the value of a key that nobody has declared is not looked at.
Result<detail::TomlEntry> read_override(std::string_view text,
                                        std::span<const Parameter> parameters) {
  const std::size_t sign = text.find('=');
  const std::string_view name = trimmed(text.substr(0, sign));
  if (sign == std::string_view::npos || name.find('.') == std::string_view::npos ||
      name.find_first_of(" \t\n\"'") != std::string_view::npos)
    return std::unexpected(Failure{fmt::format(
        "override '{}' (not of the form section.key=value){}", text, whose_key(name, parameters))});
  const std::string value(trimmed(text.substr(sign + 1)));
  const auto declared = std::ranges::find(parameters, name, &Parameter::name);
  if (declared == parameters.end() && !value.empty())
    return detail::TomlEntry{std::string(name), std::nullopt, 0};
  const auto is_a = [&]<class T>(T) {
    return declared != parameters.end() && std::holds_alternative<T>(declared->default_value);
  };
  if (is_a(std::string()) && !value.starts_with('"') && !value.starts_with('\'')) {
    // It is written into decks, which are text.
    if (const auto bad = detail::wrong_character(value))
      return std::unexpected(
          Failure{fmt::format("override of '{}' (its value '{}' is no text: {}); give another",
                              name, printable(value, 60), bad->message)});
    return detail::TomlEntry{std::string(name), value, 0};
  }
  if (is_a(std::vector<std::string>()))
    if (const auto words = elements_of(value, bare_word))
      return detail::TomlEntry{std::string(name), *words, 0};
  if (is_a(std::vector<double>()))
    if (const auto numbers = elements_of(value, number_or_fraction))
      return detail::TomlEntry{std::string(name), *numbers, 0};
  if (const auto x = is_a(0.0) ? number_of(value) : std::nullopt)
    return detail::TomlEntry{std::string(name), *x, 0};  // TOML has no .5, nor 5.e-2
  if (const auto x = fraction(value)) return detail::TomlEntry{std::string(name), *x, 0};
  if (value.empty())
    return std::unexpected(Failure{fmt::format("override '{}' (no value behind '=')", text)});
  const auto entries = detail::read_toml("value = " + value);
  if (!entries)
    return std::unexpected(
        Failure{fmt::format("override '{}' (must be {})", text, looks_of(*declared))});
  if (entries->size() != 1 || entries->front().name != "value") {
    const bool is_table = !entries->empty() && entries->front().name.starts_with("value.");
    return std::unexpected(Failure{
        fmt::format("override '{}' (must {})", text,
                    is_table ? "be " + looks_of(*declared) : std::string("set one value"))});
  }
  return detail::TomlEntry{std::string(name), entries->front().value, 0};
}

/// An error on one line that can be read, whatever keys and values in it are made of.
std::string one_line(std::string_view error) {
  std::string line = printable(error, 1000);
  for (std::size_t end; (end = line.find('\n')) != std::string::npos;) line.replace(end, 1, "\\n");
  return line;
}

/// The value that was given for a parameter, of its type and within its limits; or what is wrong.
Result<DeckValue> checked(const detail::TomlEntry& given, const Parameter& declared) {
  auto value = given.value ? as_declared(*given.value, declared) : std::nullopt;
  if (!value)
    return std::unexpected(
        Failure{fmt::format("= {} (must be {})",
                            given.value ? toml_text(*given.value)
                                        : "a date, a table, a mixed list or too large a number",
                            looks_of(declared))});
  if (auto problem = std::visit(Limits{declared}, *value))
    return std::unexpected(Failure{*problem});
  return *std::move(value);
}

/// The name of what a deck has an entry for.
constexpr auto name_of = [](const auto& entry) -> const std::string& {
  return entry.parameter.name;
};

/// What was found wrong: as much of it as anybody reads, each on a line.
class ErrorList {
 public:
  /// @param message  message() -> std::string; not asked where nobody would read it
  template <class Message>
  void add(Message message) {
    constexpr std::size_t most = 20;
    if (errors_.size() < most)
      errors_.push_back(one_line(message()));
    else
      ++n_more_;
  }
  /// Throws Error with all of it.
  void throw_if_any() const {
    if (errors_.empty()) return;
    throw Error(fmt::format("{}{}", joined_text(errors_, "\n"),
                            n_more_ > 0 ? fmt::format("\nand {} more", n_more_) : ""));
  }

 private:
  std::vector<std::string> errors_;
  std::size_t n_more_ = 0;
};

}  // namespace

std::optional<std::string> find_string(std::string_view text,
                                       std::span<const std::string> overrides,
                                       std::string_view name) {
  const Parameter declared{.name = std::string(name), .default_value = std::string()};
  const auto string_in = [](const detail::TomlEntry& entry) -> std::optional<std::string> {
    if (!entry.value) return std::nullopt;
    const auto* const found = std::get_if<std::string>(&*entry.value);
    return found == nullptr ? std::nullopt : std::optional(*found);
  };
  std::optional<std::string> found;
  if (const auto entries = detail::read_toml(text))
    for (const auto& entry : *entries)
      if (entry.name == name) found = string_in(entry);
  for (const std::string& argument : overrides)
    if (const auto entry = read_override(argument, std::span(&declared, 1)))
      if (entry->name == name) found = string_in(*entry);
  return found;
}

Deck Deck::load(std::string_view text, std::string_view file_name,
                std::span<const Parameter> parameters, std::span<const std::string> overrides,
                std::span<const ForeignKey> foreign) {
  Deck deck;
  for (const Parameter& p : parameters) {
    if (deck.is_declared(p.name))
      throw ContractViolation(fmt::format("parameter '{}' is declared twice", p.name));
    deck.entries_.push_back({p, p.default_value, false});
  }
  for (const Parameter& p : parameters)
    for (const std::string& choice : p.used_with.values)
      if (std::ranges::count(deck.entry(p.used_with.key).parameter.choices, choice) == 0)
        throw ContractViolation(
            fmt::format("parameter '{}' is used with {} = \"{}\", which is no "
                        "choice of it",
                        p.name, p.used_with.key, choice));

  ErrorList errors;
  std::string undecided;  // a wrong value of a key that decides which others there are
  const auto set = [&](const detail::TomlEntry& given, const std::string& where) {
    const auto entry = std::ranges::find(deck.entries_, given.name, name_of);
    if (entry == deck.entries_.end())
      return errors.add([&] {
        return fmt::format("{}: unknown key '{}'{}", where, given.name,
                           advice(given.name, parameters, foreign));
      });
    entry->is_given = true;
    auto value = checked(given, entry->parameter);
    if (!value) {
      const auto message = [&] {
        return fmt::format("{}: {} {}", where, given.name, value.error().message);
      };
      if (!entry->parameter.decides_keys) return errors.add(message);
      undecided = one_line(message());
      return;
    }
    if (entry->parameter.decides_keys) undecided.clear();
    entry->value = *std::move(value);
  };
  const auto entries = detail::read_toml(text);
  if (entries)
    for (const detail::TomlEntry& given : *entries)
      set(given, fmt::format("{}:{}", file_name, given.line));
  else
    errors.add([&] {
      return fmt::format(
          "{}: not TOML: {}; write sections as [mesh], and below them key = value: "
          "numbers as 1.6667 (no 5/3), words in quotes, lists in brackets",
          file_name, entries.error().message);
    });
  for (const std::string& argument : overrides) {
    if (const auto given = read_override(argument, parameters))
      set(*given, fmt::format("override '{}'", argument));
    else
      errors.add([&] { return given.error().message; });
  }
  for (const auto& [declared, value, is_given] : deck.entries_)
    if (declared.must_be_given && !is_given && entries)
      errors.add([&] {
        const std::string choices =
            declared.choices.empty()
                ? ""
                : fmt::format("; give one of {}", joined_text(declared.choices));
        return fmt::format("{}: {} is missing (it must be given){}", file_name, declared.name,
                           choices);
      });
  if (!undecided.empty()) throw Error(undecided);
  errors.throw_if_any();
  return deck;
}

const Deck::Entry& Deck::entry(std::string_view name) const {
  const auto found = std::ranges::find(entries_, name, name_of);
  if (found == entries_.end())
    throw ContractViolation(fmt::format(
        "parameter '{}' is read from the deck, but is not declared (no deck could set it); add it "
        "to Application::parameters, or to ProblemChoice::parameters of the problem",
        name));
  return *found;
}

template <class T>
const T& Deck::value(std::string_view name) const {
  const Entry& found = entry(name);
  if (const T* value = std::get_if<T>(&found.value)) return *value;
  static constexpr std::array kinds{
      "a whole number",          "a real number",          "true or false",     "a string",
      "a list of whole numbers", "a list of real numbers", "a list of strings", "a list of tables"};
  static constexpr std::array readers{"integer",  "real",  "boolean", "string",
                                      "integers", "reals", "strings", "tables"};
  const std::size_t declared = found.value.index();
  throw ContractViolation(
      fmt::format("parameter '{}' is read as {} (it is declared as {}); read it by {}()", name,
                  kinds[DeckValue(T{}).index()], kinds[declared], readers[declared]));
}

std::int64_t Deck::integer(std::string_view name) const {
  return value<std::int64_t>(name);
}
double Deck::real(std::string_view name) const {
  return value<double>(name);
}
bool Deck::boolean(std::string_view name) const {
  return value<bool>(name);
}
const std::string& Deck::string(std::string_view name) const {
  return value<std::string>(name);
}
const std::vector<std::int64_t>& Deck::integers(std::string_view name) const {
  return value<std::vector<std::int64_t>>(name);
}
const std::vector<double>& Deck::reals(std::string_view name) const {
  return value<std::vector<double>>(name);
}
const std::vector<std::string>& Deck::strings(std::string_view name) const {
  return value<std::vector<std::string>>(name);
}
const std::vector<NumberTable>& Deck::tables(std::string_view name) const {
  return value<std::vector<NumberTable>>(name);
}

std::vector<Parameter> Deck::parameters() const {
  std::vector<Parameter> all;
  for (const Entry& e : entries_) all.push_back(e.parameter);
  return all;
}

bool Deck::is_declared(std::string_view name) const {
  return std::ranges::find(entries_, name, name_of) != entries_.end();
}

const DeckValue& Deck::any(std::string_view name) const {
  return entry(name).value;
}

bool Deck::is_default(std::string_view name) const {
  const Entry& found = entry(name);
  return found.value == found.parameter.default_value;
}

bool Deck::is_given(std::string_view name) const {
  return entry(name).is_given;
}

std::vector<std::string> Deck::without_effect() const {
  std::vector<std::string> all;
  for (const auto& [parameter, value, is_given] : entries_) {
    const auto& [other, wanted] = parameter.used_with;
    if (other.empty() || !is_given || value == parameter.default_value) continue;
    const DeckValue& there = any(other);
    const auto* const list = std::get_if<std::vector<std::string>>(&there);
    const auto has = list != nullptr ? *list : std::vector{string(other)};
    if (std::ranges::find_first_of(has, wanted) != has.end()) continue;
    std::string choices;
    for (const std::string& choice : wanted)
      choices += (choices.empty() ? "" : " or ") +
                 toml_text(list != nullptr ? DeckValue{std::vector{choice}} : DeckValue{choice});
    all.push_back(fmt::format("{} = {} has no effect: it is used with {} = {}, not {}",
                              parameter.name, toml_text(value), other, choices, toml_text(there)));
  }
  return all;
}

std::string Deck::to_toml() const {
  // Sections in the order of their first parameter; keys in the order of declaration.
  std::vector<std::string_view> sections;
  for (const Entry& e : entries_)
    if (std::ranges::count(sections, section_of(name_of(e))) == 0)
      sections.push_back(section_of(name_of(e)));

  std::string text;
  for (const std::string_view section : sections) {
    text += fmt::format("{}[{}]\n", text.empty() ? "" : "\n", section);
    for (const Entry& e : entries_) {
      if (section_of(name_of(e)) != section) continue;
      const std::string unit =
          e.parameter.unit.empty() ? "" : fmt::format(" [{}]", e.parameter.unit);
      const std::string comment = e.parameter.doc + unit;
      text += fmt::format("{} = {}{}{}\n", key_of(e.parameter.name), toml_text(e.value),
                          comment.empty() ? "" : "  # ", comment);
    }
  }
  return text;
}

}  // namespace thalweg::io
