// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <charconv>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <thalweg/core/complaints.hpp>
#include <thalweg/core/contract.hpp>
#include <thalweg/core/joined_text.hpp>
#include <thalweg/core/vec.hpp>

namespace thalweg::app {

/// The values that an option chooses from, with the words for them.
template <class T>
using Choices = std::vector<std::pair<const char*, T>>;

/// The word for a value. @pre it has one
template <class T>
const char* word_of(const Choices<T>& choices, T value) {
  return std::ranges::find(choices, value, &std::pair<const char*, T>::second)->first;
}

/// The value of a word. @pre it has one
template <class T>
const T& value_of(const Choices<T>& choices, std::string_view word) {
  const auto found = std::ranges::find_if(choices, [&](const auto& c) { return c.first == word; });
  THALWEG_EXPECT(found != choices.end(), "a word that was chosen from others");
  return found->second;
}

/// Set a value by its word, or complain, naming the option and all words.
template <class T>
void choose(const Choices<T>& choices, std::string_view option, std::string_view word, T& value,
            Complaints& complaints) {
  const auto found = std::ranges::find_if(choices, [&](const auto& c) { return c.first == word; });
  if (found != choices.end()) {
    value = found->second;
    return;
  }
  std::vector<std::string_view> known;
  for (const auto& [name, ignored] : choices) known.push_back(name);
  complaints.add(
      fmt::format("{} {} (there is no such one); give {}", option, word, joined_text(known)));
}

/// Whether --help or -h is among the words.
inline bool asks_for_help(std::span<const std::string> words) {
  return std::ranges::any_of(words, [](const auto& w) { return w == "--help" || w == "-h"; });
}

/// Settings as people type them, "key = value" in three words or two, as one word each.
std::vector<std::string> joined_settings(const std::vector<std::string>& words);

/// D numbers above 0 with an x between them, as 2x3; nothing, where it is anything else.
template <int D>
std::optional<Index<D>> read_grid(std::string_view text) {
  Index<D> grid;
  const char* at = text.data();
  const char* const end = at + text.size();
  for (int a = 0; a < D; ++a) {
    if (a > 0 && (at == end || *at++ != 'x')) return std::nullopt;
    const auto [next, error] = std::from_chars(at, end, grid[a]);
    if (error != std::errc() || grid[a] < 1) return std::nullopt;
    at = next;
  }
  return at == end ? std::optional(grid) : std::nullopt;
}

}  // namespace thalweg::app
