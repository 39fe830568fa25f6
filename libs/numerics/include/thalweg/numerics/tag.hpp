// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <tuple>

#include <thalweg/numerics/cell_window.hpp>
#include <thalweg/numerics/const_view.hpp>
#include <thalweg/numerics/rows.hpp>
#include <thalweg/numerics/system.hpp>

namespace thalweg::numerics {

/// A number, and what a change of it is compared with: positive.
struct ScaledValue {
  double value;
  double scale;
};

namespace detail {

/// Tag the cells across which any of the first n_values numbers changes by more than a fraction of
/// the one that is so many behind it.
/// @param numbers  point function from a state to a std::array of doubles
template <int n_values, class State, int D, class Numbers>
void tag_changes(ConstView<D> u, const View<std::uint8_t, D>& tags, const Box<D>& region,
                 double threshold, Numbers numbers, int to_scale) {
  const auto tag = [&](const Index<D>& first, int n, const CellWindow<D>& window) {
    tag_row(tags.at(0, first), n, [=, scale_at = to_scale * window.stride](int i) {
      double n_jumps = 0;
      // Unrolled: GCC 12 does not vectorise over the cells around a loop.
      for_each_axis<n_values>([&](auto k) {
        const std::ptrdiff_t value = i + k * window.stride, scale = value + scale_at;
        const double here = window.at({})[scale];
        for_each_axis<D>([&](auto a) {
          const double* const below = window.at(-1 * Index<D>::unit(a));
          const double* const above = window.at(Index<D>::unit(a));
          const double least = std::min(here, std::min(below[scale], above[scale]));
          n_jumps += std::abs(above[value] - below[value]) > 2.0 * threshold * least ? 1.0 : 0.0;
        });
      });
      return n_jumps;
    });
  };
  for_each_window<State>(u, region, Around::faces, numbers, tag);
}

}  // namespace detail

/// Tag the cells across which a quantity changes by more than a fraction of its scale.
///
/// A cell is tagged (set to 1, else left as it is) if for any quantity q of scale s and any axis
///     |q(i+1) - q(i-1)| > 2 threshold min(s(i-1), s(i), s(i+1)),
/// half the difference over the smallest scale. Rules called one after the other add up.
///
/// @param quantities  point function from a state to a std::array of ScaledValue
/// @shape u     holds region.grown(1) but for its corners
/// @shape tags  one component, holds region; set
/// @threads safe on distinct regions   @verified tag_test.cpp
template <class State, int D, class Quantities>
void tag_differences(ConstView<D> u, const View<std::uint8_t, D>& tags, const Box<D>& region,
                     double threshold, Quantities quantities) {
  constexpr std::size_t n = std::tuple_size_v<decltype(quantities(State{}))>;
  const auto numbers = [quantities](const State& state) {
    const auto scaled = quantities(state);
    std::array<double, 2 * n> values_and_scales;
    for (std::size_t k = 0; k < n; ++k) {
      values_and_scales[k] = scaled[k].value;
      values_and_scales[n + k] = scaled[k].scale;
    }
    return values_and_scales;
  };
  detail::tag_changes<int(n), State>(u, tags, region, threshold, numbers, int(n));
}

/// Tag the cells across which a positive quantity changes by more than a fraction of itself:
/// tag_differences with the quantity as its own scale, so rarefied cells beside a jump are tagged
/// as well.
/// @param quantities  point function from a state to a std::array of positive numbers
template <class State, int D, class Quantities>
void tag_jumps(ConstView<D> u, const View<std::uint8_t, D>& tags, const Box<D>& region,
               double threshold, Quantities quantities) {
  constexpr std::size_t n = std::tuple_size_v<decltype(quantities(State{}))>;
  detail::tag_changes<int(n), State>(u, tags, region, threshold, quantities, 0);
}

}  // namespace thalweg::numerics
