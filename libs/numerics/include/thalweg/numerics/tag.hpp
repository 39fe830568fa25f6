// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include <thalweg/numerics/const_view.hpp>
#include <thalweg/numerics/rows.hpp>
#include <thalweg/numerics/system.hpp>

namespace thalweg::numerics {

/// A number, and what a change of it is compared with: positive.
struct ScaledValue {
  double value;
  double scale;
};

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
          const double least = std::min(here[k].scale, std::min(below[k].scale, above[k].scale));
          is_jump |= int(std::abs(above[k].value - below[k].value) > 2.0 * threshold * least);
        }
      }
      tag[i] = static_cast<std::uint8_t>(tag[i] | is_jump);
    });
  });
}

/// Tag the cells across which a positive quantity changes by more than a fraction of itself:
/// tag_differences with the quantity as its own scale, so rarefied cells beside a jump are tagged
/// as well.
/// @param quantities  point function from a state to a std::array of positive numbers
template <class State, int D, class Quantities>
void tag_jumps(ConstView<D> u, const View<std::uint8_t, D>& tags, const Box<D>& region,
               double threshold, Quantities quantities) {
  tag_differences<State>(u, tags, region, threshold, [quantities](const State& state) {
    const auto values = quantities(state);
    std::array<ScaledValue, std::tuple_size_v<decltype(quantities(state))>> scaled;
    for (std::size_t k = 0; k < values.size(); ++k) scaled[k] = {values[k], values[k]};
    return scaled;
  });
}

}  // namespace thalweg::numerics
