// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include <thalweg/numerics/carrying_system.hpp>
#include <thalweg/numerics/const_view.hpp>
#include <thalweg/numerics/system.hpp>

namespace thalweg::numerics {

/// The slope across a cell, limited to twice each one-sided difference; zero at an extremum.
/// @source van Leer, JCP 23 (1977) 276 (monotonised central)
constexpr double slope_monotonised_central(double below, double centre, double above) {
  const double down = centre - below;
  const double up = above - centre;
  const double central = 0.5 * (above - below);
  const double bound = 2.0 * std::min(down < 0 ? -down : down, up < 0 ? -up : up);
  const double size = std::min(bound, central < 0 ? -central : central);
  return down * up > 0 ? (central < 0 ? -size : size) : 0.0;
}

/// The smaller of the two one-sided differences; zero at an extremum.
/// @source Roe, Ann. Rev. Fluid Mech. 18 (1986) 337 (minmod)
constexpr double slope_minmod(double below, double centre, double above) {
  const double down = centre - below;
  const double up = above - centre;
  if (!(down * up > 0)) return 0.0;
  return (down < 0 ? -down : down) < (up < 0 ? -up : up) ? down : up;
}

/// How linear interpolation keeps from making new extrema.
enum class SlopeLimiter : std::uint8_t { monotonised_central, minmod };

namespace detail {

/// The linear profile of a coarse cell: its mean and the change across it along each axis.
template <class State, int D>
struct Profile {
  State mean;
  std::array<State, D> slope;

  /// The mean of the child at an offset from the centre, in units of the coarse cell.
  State at(const Vec<D>& offset) const {
    State u = mean;
    for (std::size_t a = 0; a < D; ++a)
      u = map_components([x = offset.at[a]](double value, double s) { return value + s * x; }, u,
                         slope[a]);
    return u;
  }
};

/// The profile of one coarse cell; flat where a child would be inadmissible, and with the shares of
/// the cell everywhere where those of a child would leave their bounds.
///
/// Admissible states form a convex set, so the outermost children decide for all, whichever of them
/// are asked for: a region cut anywhere gets the same bits.
template <HyperbolicSystem System, int D = System::dim>
Profile<typename System::State, D> profile_of(const System& system, const View<const double, D>& u,
                                              const Index<D>& cell, int ratio,
                                              SlopeLimiter limiter) {
  using State = typename System::State;
  const std::ptrdiff_t stride = u.component_stride();
  const double* const here = u.at(0, cell);
  Profile<State, D> profile{.mean = load<State>(here, stride), .slope = {}};
  for (int a = 0; a < D; ++a)
    profile.slope[static_cast<std::size_t>(a)] =
        map_components(limiter == SlopeLimiter::minmod ? slope_minmod : slope_monotonised_central,
                       load<State>(here - u.stride(a), stride), profile.mean,
                       load<State>(here + u.stride(a), stride));
  const double outermost = 0.5 - 0.5 / ratio;
  bool is_good = true;
  bool has_good_shares = true;
  for_each(Box<D>::cube(2), [&](const Index<D>& corner) {
    Vec<D> offset;
    for (int a = 0; a < D; ++a) offset[a] = corner[a] == 0 ? -outermost : outermost;
    const State state = profile.at(offset);
    is_good = is_good && system.admissible(state);
    has_good_shares = has_good_shares && !leaves_bounds(system, state);
  });
  if (!is_good) profile.slope = {};
  if (!has_good_shares)
    for (State& slope : profile.slope) slope = with_shares_of(system, profile.mean, slope);
  return profile;
}

}  // namespace detail

/// Set fine cells to the coarse cells that they lie in: first order, conservative.
/// @shape  coarse  holds region.coarsened(ratio); fine  holds region   @threads safe on distinct
/// regions
/// @verified prolong_test.cpp
template <int D>
void prolong_constant(ConstView<D> coarse, const View<double, D>& fine, const Box<D>& region,
                      int ratio) {
  THALWEG_EXPECT(fine.n_components() == coarse.n_components(), "numbers of components differ");
  for (int c = 0; c < fine.n_components(); ++c)
    for_each(region, [&](const Index<D>& i) { fine[c, i] = coarse[c, floor_div(i, ratio)]; });
}

/// Interpolate fine cells from coarse ones, conservatively: linear, with limited slopes.
///
/// child = mean + sum over axes of slope_a * offset_a. The children of a coarse cell have its mean
/// to rounding, new extrema do not arise along an axis, a uniform state stays the same to the bit,
/// and every child is admissible if the coarse cell is. Each fine cell depends on its coarse cell
/// floor(i / ratio) and that one's 2D neighbours only, so a region may begin and end anywhere.
///
/// @shape  coarse  holds region.coarsened(ratio).grown(1); of the corners nothing is
/// read
/// @shape  fine    holds region, indices of the fine level
/// @pre    ratio >= 1   @threads safe on distinct regions   @cost no allocation
/// @verified prolong_test.cpp
template <HyperbolicSystem System, int D = System::dim>
void prolong_linear(const System& system, ConstView<D> coarse, const View<double, D>& fine,
                    const Box<D>& region, int ratio,
                    SlopeLimiter limiter = SlopeLimiter::monotonised_central) {
  THALWEG_EXPECT(
      fine.n_components() == System::n_components && coarse.n_components() == System::n_components,
      "components differ from the system's");
  const std::ptrdiff_t stride = fine.component_stride();
  for_each(region.coarsened(ratio), [&](const Index<D>& cell) {
    const auto profile = detail::profile_of(system, coarse, cell, ratio, limiter);
    const Box<D> children =
        intersect(Box<D>{cell, cell + Index<D>::filled(1)}.refined(ratio), region);
    for_each(children, [&](const Index<D>& child) {
      Vec<D> offset;
      for (int a = 0; a < D; ++a) offset[a] = (child[a] - cell[a] * ratio + 0.5) / ratio - 0.5;
      store(profile.at(offset), fine.at(0, child), stride);
    });
  });
}

}  // namespace thalweg::numerics
