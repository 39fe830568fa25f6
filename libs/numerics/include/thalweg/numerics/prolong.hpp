// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <thalweg/numerics/carrying_system.hpp>
#include <thalweg/numerics/const_view.hpp>
#include <thalweg/numerics/detail/coarse_line.hpp>
#include <thalweg/numerics/ratio.hpp>
#include <thalweg/numerics/rows.hpp>
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

/// The offset of a child's middle from that of its coarse cell, in units of the cell.
constexpr double child_offset(int place, int ratio) {
  return (place + 0.5) / ratio - 0.5;
}

/// The linear profiles of a line of coarse cells: their means, and the changes across them.
template <HyperbolicSystem System>
struct Profiles {
  static constexpr int D = System::dim;
  static constexpr int length = CoarseLine<D, System::n_components>::longest;
  static constexpr std::size_t n_slopes = std::size_t{D} * System::n_components * length;
  using State = typename System::State;

  const double* means;
  std::ptrdiff_t stride;  ///< from component to component
  double* slopes;         ///< n_slopes, of which n_components rows for each axis

  const double* mean(int c) const { return means + c * stride; }
  double* slope(int axis, int c) const {
    return slopes + (axis * System::n_components + c) * length;
  }

  /// Say whether a test holds for any of the outermost children of cell i.
  template <class Test>
  bool holds_at_any_corner(int i, double outermost, const Test& test) const {
    const auto at_corner = [&](int corner) {
      return int(test(make_state<State>([&](std::size_t component) {
        const auto c = static_cast<int>(component);
        double child = mean(c)[i];
        for (int a = 0; a < D; ++a)
          child += slope(a, c)[i] * ((corner >> a & 1) == 0 ? -outermost : outermost);
        return child;
      })));
    };
    return [&]<int... corner>(std::integer_sequence<int, corner...>) {
      return (at_corner(corner) | ...) != 0;
    }(std::make_integer_sequence<int, 1 << D>{});
  }
};

/// Limit the slopes of n cells between those on their two sides.
template <auto limited_slope>
void limit_slopes(int n, const std::array<const double*, 2>& sides, const double* mean,
                  double* slope) {
  for_each_in_row(n, [below = sides[0], above = sides[1], mean, slope](int i) {
    slope[i] = limited_slope(below[i], mean[i], above[i]);
  });
}

/// The same of a component that a density carries: its slope is that of the density times its
/// share, and the density times the limited slope of the share. So shares of which one is what
/// another lacks keep their sum.
template <auto limited_slope>
void limit_carried_slopes(int n, const std::array<const double*, 2>& sides, const double* mean,
                          const std::array<const double*, 2>& density_sides, const double* density,
                          const double* density_slope, double* slope) {
  for_each_in_row(n, [=, below = sides[0], above = sides[1], density_below = density_sides[0],
                      density_above = density_sides[1]](int i) {
    const double share = mean[i] / density[i];
    const double of_share =
        limited_slope(below[i] / density_below[i], share, above[i] / density_above[i]);
    slope[i] = share * density_slope[i] + density[i] * of_share;
  });
}

/// Make profiles flat where a child would be inadmissible, and let them have that share of the cell
/// everywhere which in a child would leave its bounds.
///
/// Admissible states form a convex set, so the outermost children decide for all, whichever of them
/// are asked for: a region cut anywhere gets the same bits. The test of a whole row is vectorised.
template <HyperbolicSystem System>
void keep_children_good(const System& equations, const Profiles<System>& profiles, int n,
                        int ratio) {
  using State = typename System::State;
  const double outermost = child_offset(ratio - 1, ratio);
  const auto is_bad = [system = equations](const State& u) { return !system.admissible(u); };
  const auto has_bad_shares = [system = equations](const State& u) {
    return leaves_bounds(system, u);
  };
  if (!any_in_row(n, [=](int i) {
        return profiles.holds_at_any_corner(
            i, outermost, [&](const State& u) { return int(is_bad(u)) | int(has_bad_shares(u)); });
      }))
    return;
  for (int i = 0; i < n; ++i) {
    const bool is_flat = profiles.holds_at_any_corner(i, outermost, is_bad);
    const auto has_share_of_mean = find_beyond_bounds(equations, [&](const auto& test) {
      return profiles.holds_at_any_corner(i, outermost, test);
    });
    for (int a = 0; a < System::dim; ++a) {
      double* const first = profiles.slope(a, 0) + i;
      auto slope = load<State>(first, profiles.length);
      if (is_flat) slope = {};
      const auto mean = load<State>(profiles.means + i, profiles.stride);
      store(with_shares_of(equations, mean, slope, has_share_of_mean), first, profiles.length);
    }
  }
}

/// Find the slopes of n cells of a line along all axes.
template <auto limited_slope, HyperbolicSystem System, int D = System::dim>
void find_slopes(const CoarseLine<D, System::n_components>& line, int n,
                 const Profiles<System>& profiles) {
  for (int a = 0; a < D; ++a)
    for (int c = 0; c < System::n_components; ++c) {
      if constexpr (CarryingSystem<System>)
        if (c >= static_cast<int>(first_carried<System>)) {
          constexpr int rho = System::density_at;
          limit_carried_slopes<limited_slope>(n, line.sides(a, c), line.mean(c), line.sides(a, rho),
                                              line.mean(rho), profiles.slope(a, rho),
                                              profiles.slope(a, c));
          continue;
        }
      limit_slopes<limited_slope>(n, line.sides(a, c), line.mean(c), profiles.slope(a, c));
    }
}

/// Find the profiles of n cells of a line.
/// @param slopes  room for them
template <HyperbolicSystem System, int D = System::dim>
Profiles<System> find_profiles(const System& system,
                               const CoarseLine<D, System::n_components>& line, int n, int ratio,
                               SlopeLimiter limiter, double* slopes) {
  const Profiles<System> profiles{line.mean(0), line.component_stride(), slopes};
  if (limiter == SlopeLimiter::minmod)
    find_slopes<slope_minmod>(line, n, profiles);
  else
    find_slopes<slope_monotonised_central>(line, n, profiles);
  keep_children_good(system, profiles, n, ratio);
  return profiles;
}

/// Find a line of children of n coarse cells in one component.
/// @param offset    of the line from the middles of the cells, of which that along the line's axis
///                  is not read
/// @param children  ratio * n
template <int ratio, int axis, HyperbolicSystem System, int D = System::dim>
void find_children(const Profiles<System>& profiles, int c, int n, const Vec<D>& offset,
                   double* children) {
  for_each_in_row(n, [=, mean = profiles.mean(c)](int i) {
    for (int k = 0; k < ratio; ++k) {
      double child = mean[i];
      for (int a = 0; a < D; ++a)
        child += profiles.slope(a, c)[i] * (a == axis ? child_offset(k, ratio) : offset[a]);
      children[i * ratio + k] = child;
    }
  });
}

/// Set the children of n coarse cells of a line along an axis, as far as they are in the region.
template <int ratio, int axis, HyperbolicSystem System, int D = System::dim>
void set_children(const Profiles<System>& profiles, const Index<D>& first, int n,
                  const Box<D>& region, const View<double, D>& fine) {
  Box<D> cells{first, first + Index<D>::filled(1)};
  cells.hi[axis] = first[axis] + n;
  for_each_line(intersect(cells.refined(ratio), region), axis, [&](const Index<D>& to, int n_to) {
    Vec<D> offset;
    for (int a = 0; a < D; ++a) offset[a] = child_offset(to[a] - first[a] * ratio, ratio);
    const bool are_all_wanted = axis == 0 && n_to == n * ratio;
    for (int c = 0; c < System::n_components; ++c) {
      double* const target = fine.at(c, to);
      std::array<double, ratio * Profiles<System>::length> children;
      find_children<ratio, axis>(profiles, c, n, offset, are_all_wanted ? target : children.data());
      if (are_all_wanted) continue;
      const double* const wanted = children.data() + (to[axis] - first[axis] * ratio);
      for (int i = 0; i < n_to; ++i) target[i * fine.stride(axis)] = wanted[i];
    }
  });
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
/// child = mean + sum over axes of slope_a * offset_a; of what a density carries the slope of its
/// share is limited. The children of a coarse cell have its mean to rounding, new extrema do not
/// arise along an axis but in what is carried, a uniform state stays the same to the bit, and every
/// child is admissible if the coarse cell is. Each fine cell depends on its coarse cell
/// floor(i / ratio) and that one's 2D neighbours only, so a region may begin and end anywhere.
///
/// @shape  coarse  holds region.coarsened(ratio).grown(1); of the corners nothing is
/// read
/// @shape  fine    holds region, indices of the fine level
/// @pre    ratio is 2 or 4   @threads safe on distinct regions   @cost no allocation
/// @verified prolong_test.cpp
template <HyperbolicSystem System, int D = System::dim>
void prolong_linear(const System& system, ConstView<D> coarse, const View<double, D>& fine,
                    const Box<D>& region, int ratio,
                    SlopeLimiter limiter = SlopeLimiter::monotonised_central) {
  THALWEG_EXPECT(
      fine.n_components() == System::n_components && coarse.n_components() == System::n_components,
      "components differ from the system's");
  constexpr int length = detail::Profiles<System>::length;
  const Box<D> cells = region.coarsened(ratio);
  std::array<double, detail::Profiles<System>::n_slopes> slopes;
  const auto set_lines = [&](auto r, auto axis) {
    detail::for_each_line(cells, axis, [&](Index<D> first, int n_of_line) {
      for (; n_of_line > 0; n_of_line -= length, first[axis] += length) {
        const int n = std::min(n_of_line, length);
        const detail::CoarseLine<D, System::n_components> line(coarse, first, axis, n);
        const auto profiles = detail::find_profiles(system, line, n, r, limiter, slopes.data());
        detail::set_children<r, axis>(profiles, first, n, region, fine);
      }
    });
  };
  with_ratio(ratio, [&](auto r) {
    with_axis<D>(detail::axis_of_lines(cells), [&](auto axis) { set_lines(r, axis); });
  });
}

}  // namespace thalweg::numerics
