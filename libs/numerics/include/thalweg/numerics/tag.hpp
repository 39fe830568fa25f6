// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include <thalweg/numerics/const_view.hpp>
#include <thalweg/numerics/rows.hpp>
#include <thalweg/numerics/system.hpp>

namespace thalweg::numerics {

/// Tag the cells across which a positive quantity changes by more than a fraction of itself.
///
/// A cell is tagged (1, else 0) if for any quantity q and any axis
///     |q(i+1) - q(i-1)| > 2 threshold min(q(i-1), q(i), q(i+1)),
/// half the difference over the smallest value: rarefied cells beside a jump are tagged as well.
///
/// @param quantities  point function from a state to a std::array of positive numbers
/// @shape u     holds region.grown(1) but for its corners
/// @shape tags  one component, holds region
/// @threads safe on distinct regions   @verified tag_test.cpp
template <class State, int D, class Quantities>
void tag_jumps(ConstView<D> u, const View<std::uint8_t, D>& tags, const Box<D>& region,
               double threshold, Quantities quantities) {
  using Values = decltype(quantities(State{}));
  const std::ptrdiff_t stride = u.component_stride();
  for_each_row(region, [&](const Index<D>& row, int n) {
    const double* const centre = u.at(0, row);
    std::uint8_t* const tag = tags.at(0, row);
    for_each_in_row(n, [=](int i) {
      const Values here = quantities(load<State>(centre + i, stride));
      int is_jump = 0;
      for (int a = 0; a < D; ++a) {
        const Values below = quantities(load<State>(centre + i - u.stride(a), stride));
        const Values above = quantities(load<State>(centre + i + u.stride(a), stride));
        for (std::size_t k = 0; k < here.size(); ++k) {
          const double least = std::min(here[k], std::min(below[k], above[k]));
          is_jump |= int(std::abs(above[k] - below[k]) > 2.0 * threshold * least);
        }
      }
      tag[i] = static_cast<std::uint8_t>(is_jump);
    });
  });
}

}  // namespace thalweg::numerics
