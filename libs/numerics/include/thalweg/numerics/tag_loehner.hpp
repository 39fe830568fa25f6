// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <tuple>

#include <thalweg/numerics/cell_window.hpp>
#include <thalweg/numerics/const_view.hpp>
#include <thalweg/numerics/rows.hpp>
#include <thalweg/numerics/system.hpp>

namespace thalweg::numerics {

/// When Loehner's estimator asks for finer cells.
struct Loehner {
  double threshold = 0.5;  ///< on the estimate, which is between 0 and 1
  double filter = 0.01;    ///< fraction of a quantity that its ripples may have unseen
};

namespace detail {

/// The sums over pairs of axes whose quotient is the square of Loehner's estimate.
struct LoehnerSums {
  double curvature = 0;
  double slope = 0;
};

/// @param q  q(axis, sign, other axis, sign): the quantity so many cells away
template <int D, class Neighbour>
LoehnerSums loehner_sums(Neighbour q, double filter) {
  LoehnerSums sums;
  const double here = q(0, 0, 0, 0);
  // Unrolled: GCC 12 does not vectorise over the cells around a loop.
  for_each_axis<D>([&](auto a) {
    const double below = q(a, -1, a, 0), above = q(a, 1, a, 0);
    const double curvature = (above - here) - (here - below);
    const double slope = std::abs(above - here) + std::abs(here - below) +
                         filter * (std::abs(above) + 2.0 * std::abs(here) + std::abs(below));
    sums.curvature += curvature * curvature;
    sums.slope += slope * slope;
    for_each_axis<a>([&](auto b) {
      const double mm = q(a, -1, b, -1), mp = q(a, -1, b, 1);
      const double pm = q(a, 1, b, -1), pp = q(a, 1, b, 1);
      const double twist = 0.25 * ((pp - pm) - (mp - mm));
      const double noise = filter * ((std::abs(pp) + std::abs(pm)) + (std::abs(mp) + std::abs(mm)));
      const double along_b = 0.25 * (std::abs(pp - pm) + std::abs(mp - mm) + noise);
      const double along_a = 0.25 * (std::abs(pp - mp) + std::abs(pm - mm) + noise);
      sums.curvature += 2.0 * twist * twist;
      sums.slope += along_a * along_a + along_b * along_b;
    });
  });
  return sums;
}

}  // namespace detail

/// Tag the cells in which Loehner's estimate of the error of a quantity is above a threshold.
///
/// The estimate compares second differences with first ones, over all pairs of axes, in cells:
///     E^2 = sum_ab (d_a d_b q)^2 / sum_ab (|d_b q|_a+ + |d_b q|_a- + filter |d_a d_b| |q|)^2,
/// with the first differences on either side along a, as far apart as the second one takes them,
/// and |d_a d_b| with plus signs only. A pair a = b has
///     d_a d_a q = q(i+1) - 2 q(i) + q(i-1),   |q(i+1) - q(i)| + |q(i) - q(i-1)|   and
///     |q(i+1)| + 2 |q(i)| + |q(i-1)|,
/// another a quarter of the sums and differences of the four cells that lie diagonally. E has no
/// unit and is at most 1; it is 1, 0.89, 0.82 on both sides of a jump along an axis in 1, 2, 3
/// dimensions, less what the filter takes, whatever its height, and near 0 where q is linear or its
/// ripples are below the filter. Rules called one after the other add up.
///
/// @param quantities  point function from a state to a std::array of numbers of any sign
/// @shape u     holds region.grown(1) but for its corners in 3-D
/// @shape tags  one component, holds region; set
/// @threads safe on distinct regions   @verified tag_loehner_test.cpp
/// @source Loehner, Comput. Methods Appl. Mech. Eng. 61 (1987) 323; in D dimensions and with the
///         filter as in Fryxell et al., ApJS 131 (2000) 273
template <class State, int D, class Quantities>
void tag_loehner(ConstView<D> u, const View<std::uint8_t, D>& tags, const Box<D>& region,
                 const Loehner& rule, Quantities quantities) {
  constexpr auto n_values = std::tuple_size_v<decltype(quantities(State{}))>;
  const double bound = rule.threshold * rule.threshold;
  const auto tag = [&](const Index<D>& first, int n, const CellWindow<D>& window) {
    detail::tag_row(tags.at(0, first), n, [=, filter = rule.filter](int i) {
      double n_rough = 0;
      for_each_axis<n_values>([&](auto k) {
        const auto q = [&](int a, int sign_a, int b, int sign_b) {
          const auto offset = sign_a * Index<D>::unit(a) + sign_b * Index<D>::unit(b);
          return window.at(offset)[i + k * window.stride];
        };
        const auto sums = detail::loehner_sums<D>(q, filter);
        n_rough += sums.curvature > bound * sums.slope ? 1.0 : 0.0;
      });
      return n_rough;
    });
  };
  for_each_window<State>(u, region, Around::edges, quantities, tag);
}

}  // namespace thalweg::numerics
