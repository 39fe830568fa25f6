// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstddef>
#include <span>
#include <string>

#include <fmt/format.h>

#include <thalweg/core/view.hpp>

namespace thalweg::step::detail {

/// The components of a cell, for an error: "density 1, xmom 0".
/// @param names  of the components; none: their numbers are given alone
template <int D>
std::string state_words(std::span<const std::string> names, const View<const double, D>& cells,
                        const Index<D>& cell) {
  std::string words;
  for (int c = 0; c < cells.n_components(); ++c) {
    const double x = cells[c, cell];
    if (c > 0) words += ", ";
    if (!names.empty()) words += names[static_cast<std::size_t>(c)] + ' ';
    words += std::isnan(x) ? "not a number" : fmt::format("{:g}", x);
  }
  return words;
}

/// Whether all components of a cell are finite.
template <int D>
bool is_finite(const View<const double, D>& cells, const Index<D>& cell) {
  for (int c = 0; c < cells.n_components(); ++c)
    if (!std::isfinite(cells[c, cell])) return false;
  return true;
}

}  // namespace thalweg::step::detail
