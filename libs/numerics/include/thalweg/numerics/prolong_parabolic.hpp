// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include <thalweg/numerics/const_view.hpp>
#include <thalweg/numerics/pairwise.hpp>
#include <thalweg/numerics/prolong.hpp>
#include <thalweg/numerics/ratio.hpp>
#include <thalweg/numerics/system.hpp>

namespace thalweg::numerics {

namespace detail {

/// Say whether two second differences are those of one smooth curve: of one sign, and alike in
/// size.
constexpr bool is_smooth(double a, double b) {
  const double size_a = a < 0 ? -a : a;
  const double size_b = b < 0 ? -b : b;
  return a * b >= 0 && size_a <= 2 * size_b && size_b <= 2 * size_a;
}

/// One component of a coarse cell as the parabola through the means of the 3^D cells around it.
template <int D>
struct Parabola {
  double mean = 0;
  Vec<D> slope{};
  Vec<D> bend{};                  ///< half the second difference along each axis
  std::array<double, 3> twist{};  ///< mixed differences along x and y, x and z, y and z
  double smallest = 0;            ///< of the 3^D means
  double largest = 0;
  bool is_smooth_everywhere = true;  ///< second differences do not jump, along no axis

  /// What the mean of a child differs by, at an offset and of a width in units of the coarse cell.
  constexpr double deviation(const Vec<D>& x, double width) const {
    double d = 0;
    std::size_t pair = 0;
    for (int a = 0; a < D; ++a) {
      d += slope[a] * x[a] + bend[a] * (x[a] * x[a] + (width * width - 1) / 12);
      for (int b = a + 1; b < D; ++b, ++pair) d += twist[pair] * x[a] * x[b];
    }
    return d;
  }
};

/// Fit the parabola of a cell. @param q  the cell in one component; two more lie on every side
template <int D>
constexpr Parabola<D> fit_parabola(const double* q, const Index<D>& stride) {
  Parabola<D> p{.mean = q[0], .smallest = q[0], .largest = q[0]};
  std::size_t pair = 0;
  for (int a = 0; a < D; ++a) {
    const std::ptrdiff_t s = stride[a];
    // The sums of equally distant cells first: mirrored cells give the same bits.
    const auto second_around = [q, s](std::ptrdiff_t at) {
      return (q[at + s] + q[at - s]) - 2 * q[at];
    };
    const double second = second_around(0);
    p.slope[a] = 0.5 * (q[s] - q[-s]);
    p.bend[a] = 0.5 * second;
    p.is_smooth_everywhere = p.is_smooth_everywhere && is_smooth(second, second_around(s)) &&
                             is_smooth(second, second_around(-s));
    for (int b = a + 1; b < D; ++b, ++pair) {
      const std::ptrdiff_t t = stride[b];
      p.twist[pair] = 0.25 * ((q[s + t] - q[s - t]) - (q[t - s] - q[-s - t]));
    }
  }
  for_each(Box<D>{Index<D>::filled(-1), Index<D>::filled(2)}, [&](const Index<D>& i) {
    std::ptrdiff_t at = 0;
    for (int a = 0; a < D; ++a) at += std::ptrdiff_t{i[a]} * stride[a];
    p.smallest = std::min(p.smallest, q[at]);
    p.largest = std::max(p.largest, q[at]);
  });
  return p;
}

/// The means of the children of a cell in one component, x fastest.
///
/// Where the data are not smooth, deviations from the mean are shrunk, all alike, until no child
/// lies outside the range of the 3^D means.
template <int ratio, int D>
constexpr std::array<double, power_of(ratio, D)> parabolic_children(const Parabola<D>& p) {
  std::array<double, power_of(ratio, D)> child;
  double lowest = 0;
  double highest = 0;
  std::size_t n = 0;
  for_each(Box<D>::cube(ratio), [&](const Index<D>& i) {
    Vec<D> x;
    for (int a = 0; a < D; ++a) x[a] = child_offset(i[a], ratio);
    child[n] = p.deviation(x, 1.0 / ratio);
    lowest = std::min(lowest, child[n]);
    highest = std::max(highest, child[n]);
    ++n;
  });
  double keep = 1;
  if (!p.is_smooth_everywhere) {
    const double above = p.largest - p.mean, below = p.mean - p.smallest;
    if (highest > above) keep = std::min(keep, above / highest);
    if (-lowest > below) keep = std::min(keep, below / -lowest);
  }
  for (double& c : child) c = p.mean + keep * c;
  return child;
}

}  // namespace detail

/// Interpolate fine cells from coarse ones, conservatively: parabolic, exact for what is quadratic.
///
/// child = mean + sum over axes of slope x + bend (x^2 + (w^2 - 1)/12) + mixed terms, where x is
/// the child's offset and w its width in coarse cells. The children have the mean of the cell to
/// rounding, and a uniform state stays the same to the bit. Where second differences change sign or
/// size from cell to cell (by more than a factor of two) no child lies outside the range of the 3^D
/// means around; smooth extrema are not cut. Where a child would be inadmissible, the cell is
/// interpolated as prolong_linear does; where one of its shares would leave its bounds, children
/// have that of the cell. Each fine cell depends on its coarse cell, the 3^D around it and those
/// two away along an axis, so a region may begin and end anywhere. Mirrored cells have mirrored
/// children to the bit.
///
/// @shape  coarse  holds region.coarsened(ratio).grown(2)
/// @shape  fine    holds region, indices of the fine level
/// @pre    ratio is 2 or 4   @threads safe on distinct regions   @cost no allocation
/// @source the parabola of means is Colella and Woodward's, JCP 54 (1984) 174, along each axis
/// @verified prolong_parabolic_test.cpp
template <HyperbolicSystem System, int D = System::dim>
void prolong_parabolic(const System& system, ConstView<D> coarse, const View<double, D>& fine,
                       const Box<D>& region, int ratio,
                       SlopeLimiter limiter = SlopeLimiter::monotonised_central) {
  using State = typename System::State;
  THALWEG_EXPECT(
      fine.n_components() == System::n_components && coarse.n_components() == System::n_components,
      "components differ from the system's");
  THALWEG_EXPECT(coarse.box().contains(region.coarsened(ratio).grown(2)), "too few coarse cells");
  Index<D> stride;
  for (int a = 0; a < D; ++a) stride[a] = static_cast<int>(coarse.stride(a));
  with_ratio(ratio, [&](auto r) {
    for_each(region.coarsened(r), [&](const Index<D>& cell) {
      std::array<std::array<double, power_of(r, D)>, System::n_components> children;
      for (int c = 0; c < System::n_components; ++c)
        children[static_cast<std::size_t>(c)] =
            detail::parabolic_children<r>(detail::fit_parabola(coarse.at(c, cell), stride));
      const auto state = [&](std::size_t n) {
        return make_state<State>([&](std::size_t c) { return children[c][n]; });
      };
      const Box<D> all = Box<D>{cell, cell + Index<D>::filled(1)}.refined(r);
      bool is_good = true;
      for (std::size_t n = 0; n < power_of(r, D); ++n)
        is_good = is_good && system.admissible(state(n));
      if (!is_good) {
        prolong_linear(system, coarse, fine, intersect(all, region), r, limiter);
        return;
      }
      const auto has_share_of_mean = find_beyond_bounds(system, [&](const auto& test) {
        bool holds = false;
        for (std::size_t n = 0; n < power_of(r, D); ++n) holds = holds || test(state(n));
        return holds;
      });
      const auto mean = load<State>(coarse.at(0, cell), coarse.component_stride());
      std::size_t n = 0;
      for_each(all, [&](const Index<D>& child) {
        if (region.contains(child))
          store(with_shares_of(system, mean, state(n), has_share_of_mean), fine.at(0, child),
                fine.component_stride());
        ++n;
      });
    });
  });
}

}  // namespace thalweg::numerics
