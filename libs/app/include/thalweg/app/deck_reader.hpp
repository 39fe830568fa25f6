// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <thalweg/core/error.hpp>
#include <thalweg/core/joined_text.hpp>
#include <thalweg/core/vec.hpp>
#include <thalweg/io/deck.hpp>

namespace thalweg::app {

/// Reads the values of a deck for D dimensions, and collects what does not go together.
template <int D>
class DeckReader {
 public:
  explicit DeckReader(const io::Deck& deck) : deck_(deck) {}

  const io::Deck& deck() const { return deck_; }
  double real(std::string_view name) const { return deck_.real(name); }
  /// A whole number; complains of one that no int holds, as the others here do.
  int integer(std::string_view name) { return as_int(deck_.integer(name), name); }
  const std::string& string(std::string_view name) const { return deck_.string(name); }

  // Lists with one entry an axis.
  Vec<D> reals(std::string_view name) {
    Vec<D> result;
    read(deck_.reals(name), name, [&](int a, double x) { result[a] = x; });
    return result;
  }
  Index<D> integers(std::string_view name) {
    Index<D> result;
    read(deck_.integers(name), name, [&](int a, auto x) { result[a] = as_int(x, name); });
    return result;
  }
  /// One number for all axes, or one an axis.
  Index<D> one_or_each(std::string_view name) {
    const auto& values = deck_.integers(name);
    return values.size() == 1 ? Index<D>::filled(as_int(values[0], name)) : integers(name);
  }
  std::vector<std::string> strings(std::string_view name) {
    std::vector<std::string> result;
    read(deck_.strings(name), name, [&](int, const std::string& s) { result.push_back(s); });
    return result;
  }

  /// Widths of the domain along axes with periodic sides [length]; 0 along others.
  Vec<D> periods() {
    Vec<D> widths = reals("mesh.upper") - reals("mesh.lower");
    const auto sides = strings("boundary.lower");
    for (std::size_t a = 0; a < D; ++a)
      if (a >= sides.size() || sides[a] != "periodic") widths[static_cast<int>(a)] = 0;
    return widths;
  }

  /// Note an error; one that is noted already counts once.
  void complain(std::string error) {
    if (std::ranges::find(errors_, error) == errors_.end()) errors_.push_back(std::move(error));
  }
  /// @errors throws Error with everything that was complained about, one a line
  void throw_if_wrong() const {
    if (!errors_.empty()) throw Error(joined_text(errors_, "\n"));
  }

 private:
  int as_int(std::int64_t x, std::string_view name) {
    using Limits = std::numeric_limits<int>;
    if (std::in_range<int>(x)) return static_cast<int>(x);
    complain(fmt::format("{} = {} (here it must be in [{}, {}]); give another number", name, x,
                         Limits::min(), Limits::max()));
    return 1;  // of what is thrown away
  }
  template <class T, class Set>
  void read(const std::vector<T>& values, std::string_view name, Set set) {
    // Defaults have three entries, also in a resolved deck; others must have one an axis.
    if (values.size() < D || (!deck_.is_default(name) && values.size() != D))
      complain(
          fmt::format("{} has {} entries (mesh.dim = {} needs {})", name, values.size(), D, D));
    for (std::size_t a = 0; a < std::min<std::size_t>(D, values.size()); ++a)
      set(static_cast<int>(a), values[a]);
  }

  const io::Deck& deck_;
  std::vector<std::string> errors_;
};

}  // namespace thalweg::app
