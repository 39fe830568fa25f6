// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>

#include <thalweg/core/view.hpp>
#include <thalweg/numerics/boundary.hpp>
#include <thalweg/numerics/gravity_system.hpp>
#include <thalweg/numerics/scheme.hpp>

namespace thalweg::numerics {

/// Which sides of a block are walls. @param block, domain  cells of one level
template <int D>
Walls<D> walls_of(const Box<D>& block, const Box<D>& domain, const Boundaries<D>& kinds) {
  Walls<D> walls{};
  for (int a = 0; a < D; ++a) {
    const auto lower = static_cast<std::size_t>(2 * a);
    walls[lower] = kinds[lower] == Boundary::reflecting && block.lo[a] == domain.lo[a];
    walls[lower + 1] = kinds[lower + 1] == Boundary::reflecting && block.hi[a] == domain.hi[a];
  }
  return walls;
}

/// Continue the pressure of gas at rest through walls: add to the mirror images in the cells
/// outside the weight of the gas between each and what it is the image of, where that leaves
/// admissible states.
///
/// With densities rho_0, rho_1, ... from a lower wall on, the image of cell k gets the pressure
///     p_k - g dx (rho_k + 2 (rho_{k-1} + ... + rho_0)).
/// @shape  u   as fill_boundaries takes it, and has filled it
/// @param  dx  of the cells
/// @threads safe on distinct views   @cost no allocation   @verified balanced_walls_test.cpp
template <GravitySystem System, int D = System::dim>
void balance_walls(const System& system, const View<double, D>& u, const Box<D>& domain,
                   const Boundaries<D>& kinds, const Vec<D>& dx) {
  using State = typename System::State;
  for (int axis = 0; axis < D; ++axis)
    for (const int side : {0, 1}) {
      const double weight = dx[axis] * system.acceleration()[axis];
      if (weight == 0 || kinds[static_cast<std::size_t>(2 * axis + side)] != Boundary::reflecting)
        continue;
      const int inner = side == 0 ? domain.lo[axis] : domain.hi[axis] - 1;
      const int outwards = side == 0 ? -1 : 1;
      Box<D> outside = u.box();
      if (side == 0)
        outside.hi[axis] = std::min(outside.hi[axis], domain.lo[axis]);
      else
        outside.lo[axis] = std::max(outside.lo[axis], domain.hi[axis]);
      for_each(outside, [&](const Index<D>& cell) {
        const int depth = outwards * (cell[axis] - inner) - 1;
        Index<D> inside = cell;
        double column = 0;
        for (int k = 0; k <= depth; ++k) {
          inside[axis] = inner - outwards * k;
          column += (k < depth ? 2 : 1) * u[System::density_at, inside];
        }
        double* const here = u.at(0, cell);
        const auto image = load<State>(here, u.component_stride());
        const auto raised = system.raise_pressure(image, outwards * weight * column);
        if (system.admissible(raised)) store(raised, here, u.component_stride());
      });
    }
}

}  // namespace thalweg::numerics
