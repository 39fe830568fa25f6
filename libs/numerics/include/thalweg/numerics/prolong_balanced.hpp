// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>

#include <thalweg/core/view.hpp>
#include <thalweg/numerics/const_view.hpp>
#include <thalweg/numerics/gravity_system.hpp>
#include <thalweg/numerics/pairwise.hpp>
#include <thalweg/numerics/prolongation.hpp>

namespace thalweg::numerics {

/// Interpolate fine cells from coarse ones as prolong does, but pressures less the weight of the
/// gas as each coarse cell sees it; then the children get that weight back. Conservative.
///
/// Gas at rest in layers of constant densities, or with ratio 2 of a density that is linear in
/// height, is at rest on the finer level, to rounding. Where a child would be inadmissible so, the
/// cell is interpolated as prolong does. What is read and the bits of parts are as prolong has
/// them.
///
/// @shape  coarse  holds region.coarsened(ratio).grown(rule.reach())
/// @shape  fine    holds region, indices of the fine level
/// @param  dx      of the coarse cells
/// @pre    ratio is 2 or 4   @threads safe on distinct regions   @cost no allocation
/// @verified prolong_balanced_test.cpp
template <GravitySystem System, int D = System::dim>
void prolong_balanced(const System& system, const Prolongation& rule, ConstView<D> coarse,
                      const View<double, D>& fine, const Box<D>& region, int ratio,
                      const Vec<D>& dx) {
  using State = typename System::State;
  constexpr int n = System::n_components;
  constexpr int widest = 2 * Prolongation{ProlongOrder::parabolic}.reach() + 1;
  std::array<double, power_of(widest, D) * std::size_t{n}> around_memory;
  std::array<double, power_of(4, D) * std::size_t{n}> child_memory;
  Vec<D> weight;  // of a coarse cell of density 1 along each axis
  for (int a = 0; a < D; ++a) weight[a] = dx[a] * system.acceleration()[a];

  for_each(region.coarsened(ratio), [&](const Index<D>& cell) {
    const Box<D> here{cell, cell + Index<D>::filled(1)};
    const View<double, D> around(around_memory.data(), here.grown(rule.reach()), n);
    const double rho = coarse[System::density_at, cell];
    for_each(around.box(), [&](const Index<D>& i) {
      const auto u = load<State>(coarse.at(0, i), coarse.component_stride());
      double between = 0;
      for (int a = 0; a < D; ++a) between += weight[a] * (i[a] - cell[a]);
      const double mean = 0.5 * (rho + coarse[System::density_at, i]);
      store(system.raise_pressure(u, -mean * between), around.at(0, i), around.component_stride());
    });

    const View<double, D> children(child_memory.data(), here.refined(ratio), n);
    prolong(system, rule, around, children, children.box(), ratio);
    bool is_good = true;
    for_each(children.box(), [&](const Index<D>& i) {
      double above = 0;
      for (int a = 0; a < D; ++a)
        above += weight[a] * detail::child_offset(i[a] - cell[a] * ratio, ratio);
      double* const child = children.at(0, i);
      const auto u =
          system.raise_pressure(load<State>(child, children.component_stride()), rho * above);
      is_good = is_good && system.admissible(u);
      store(u, child, children.component_stride());
    });
    const Box<D> wanted = intersect(children.box(), region);
    if (!is_good) return prolong(system, rule, coarse, fine, wanted, ratio);
    for (int c = 0; c < n; ++c)
      for_each(wanted, [&](const Index<D>& i) { fine[c, i] = children[c, i]; });
  });
}

}  // namespace thalweg::numerics
