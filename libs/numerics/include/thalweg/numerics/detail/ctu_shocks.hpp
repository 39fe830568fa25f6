// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include <thalweg/numerics/characteristic.hpp>
#include <thalweg/numerics/const_view.hpp>
#include <thalweg/numerics/ctu.hpp>
#include <thalweg/numerics/detail/ctu_workspace.hpp>
#include <thalweg/numerics/rows.hpp>
#include <thalweg/numerics/scheme.hpp>

namespace thalweg::numerics::detail {

/// How much a cell belongs to a strong shock along an axis, from 0 to 1.
///
/// A shock is steep: the pressure changes between the next cells by most of what it changes between
/// the next but one; strong: by a third or more; and compresses.
/// @param p  pressures of the cell and of two neighbours on either side
/// @param closing  velocity of the cell below less that of the one above
/// @source Colella and Woodward (1984), eq. A.1, A.2, with the constants of Castro
constexpr double share_of_shock(Stencil<2> p, double closing) {
  constexpr double strong = 0.33, begins = 0.75, ends = 0.85;
  constexpr double tiny = 1e-200;
  const double near = std::abs(p[3] - p[1]);
  const double far = std::max(std::abs(p[4] - p[0]), tiny);
  const double steepness =
      std::min(1.0, std::max(0.0, (near / far - begins) * (1.0 / (ends - begins))));
  const bool is_shock = bool(int(near > strong * std::min(p[1], p[3])) & int(closing >= 0));
  return is_shock ? steepness : 0.0;
}

/// The flatness of one row of cells along an axis: one less what it or the cell upstream of the
/// shock has of it. Pressures and velocities that are equal but for roundings count as equal: no
/// last bit decides what is flattened. @param before  the flatness that other axes ask for
template <int Axis, ShockSystem System>
void flatten_row(const System& equations, int n, const double* w, std::ptrdiff_t component_stride,
                 std::ptrdiff_t stride, double* flatness) {
  using Primitive = typename System::Primitive;
  constexpr double rounding = 1e-12;  // of sums of several terms
  compute_row(n, [=, system = equations](int i) {
    const auto cell = [=](int s) { return load<Primitive>(w + i + s * stride, component_stride); };
    const auto p = [=](int s) { return system.pressure_excess(cell(s)); };
    const auto shock = [=](int s) {
      const double below = system.velocity(cell(s - 1), Axis);
      const double above = system.velocity(cell(s + 1), Axis);
      const double least = rounding * (std::abs(below) + std::abs(above));
      return share_of_shock({p(s - 2), p(s - 1), p(s), p(s + 1), p(s + 2)},
                            (below - above) + least);
    };
    // Both looked at first: what is loaded in one branch only would not be vectorised. Between
    // equal pressures both count, so that what is mirrored stays mirrored.
    const double below = shock(-1), above = shock(1);
    const double rise = p(1) - p(-1), least = rounding * (p(1) + p(-1));
    const double beside = std::max(rise >= -least ? below : 0.0, rise <= least ? above : 0.0);
    const double flat = 1.0 - std::max(shock(0), beside);
    flatness[i] = Axis == 0 ? flat : std::min(flatness[i], flat);
  });
}

/// Find where to flatten in a plane, if a scheme does: the least flatness of all axes.
template <class System, int D = System::dim>
void find_flatness(const System& system, const ShockCare& care, int plane,
                   const CtuWorkspace<D>& work) {
  const bool flattens = ShockSystem<System> && care.flattens;
  for_each_row(in_plane(work.flatness.box(), plane), [&](const Index<D>& row, int n) {
    double* const flatness = work.flatness.at(0, row);
    if constexpr (ShockSystem<System>)
      if (flattens)
        for_each_axis<D>([&](auto axis) {
          flatten_row<axis>(system, n, work.old.at(0, row), work.old.component_stride(),
                            work.old.stride(axis), flatness);
        });
    if (!flattens) std::fill_n(flatness, n, 1.0);
  });
}

/// The sum of f(k) for all k of n_bits bits, in pairs that differ in one bit: mirroring an axis,
/// which flips a bit of every k, does not change it by a rounding.
template <int n_bits, class F>
double sum_of_corners(const F& f, unsigned k = 0) {
  if constexpr (n_bits == 0)
    return f(k);
  else
    return sum_of_corners<n_bits - 1>(f, k) + sum_of_corners<n_bits - 1>(f, k | 1u << (n_bits - 1));
}

/// The divergence of the velocity at a plane of corners of the valid cells, from the cells around
/// each.
template <ShockSystem System, int D = System::dim>
void find_divergence(const System& equations, int plane, StepSize<D> step,
                     const CtuWorkspace<D>& work) {
  using Primitive = typename System::Primitive;
  std::array<double, D> weight;
  for (int a = 0; a < D; ++a) weight[static_cast<std::size_t>(a)] = 2.0 / ((1 << D) * step.dx[a]);
  std::array<std::ptrdiff_t, 1u << D> corner{};  // bit b of its number: below along axis b
  for (unsigned k = 0; k < corner.size(); ++k)
    for (int b = 0; b < D; ++b) corner[k] -= (k >> b & 1u) != 0 ? work.old.stride(b) : 0;
  for_each_row(in_plane(work.divergence.box(), plane), [&](const Index<D>& row, int n) {
    const double* const w = work.old.at(0, row);
    double* const divergence = work.divergence.at(0, row);
    compute_row(n, [=, system = equations, stride = work.old.component_stride()](int i) {
      double sum = 0;
      for_each_axis<D>([&](auto axis) {
        sum += weight[axis] * sum_of_corners<D>([&](unsigned k) {
                 const double v =
                     system.velocity(load<Primitive>(w + (i + corner[k]), stride), axis);
                 return (k >> axis & 1u) != 0 ? -v : v;
               });
      });
      divergence[i] = sum;
    });
  });
}

/// Add artificial viscosity to a plane of fluxes along an axis: where the flow converges at a face,
/// take from its flux the jump of the state across it times viscosity dx |divergence|.
/// @source Colella and Woodward (1984), eq. 4.2-4.5
template <class System, int D = System::dim>
void add_viscosity(double viscosity, int axis, int plane, ConstView<D> u, StepSize<D> step,
                   const CtuWorkspace<D>& work) {
  using State = typename System::State;
  const View<double, D>& flux = work.flux[static_cast<std::size_t>(axis)];
  constexpr unsigned n_corners = 1u << (D - 1);
  for_each_row(in_plane(flux.box(), plane), [&](const Index<D>& row, int n) {
    std::array<const double*, n_corners> divergence;
    for (unsigned k = 0; k < n_corners; ++k) {
      Index<D> corner = row;
      for (int a = 0, bit = 0; a < D; ++a)
        if (a != axis) corner[a] += static_cast<int>(k >> bit++ & 1u);
      divergence[k] = work.divergence.at(0, corner);
    }
    const double scale = viscosity * step.dx[axis] / n_corners;
    for_each_in_row(n, [=, q = u.at(0, row), q_stride = u.component_stride(), down = u.stride(axis),
                        f = flux.at(0, row), f_stride = flux.component_stride()](int i) {
      const double sum = sum_of_corners<D - 1>([=](unsigned k) { return divergence[k][i]; });
      const double rate = scale * std::min(sum, 0.0);
      store(map_components([=](double through, double above,
                               double below) { return through + rate * (above - below); },
                           load<State>(f + i, f_stride), load<State>(q + i, q_stride),
                           load<State>(q + i - down, q_stride)),
            f + i, f_stride);
    });
  });
}

}  // namespace thalweg::numerics::detail
