// SPDX-License-Identifier: MIT
#pragma once
#include <thalweg/numerics/const_view.hpp>
#include <thalweg/numerics/restrict.hpp>
#include <thalweg/numerics/rows.hpp>
#include <thalweg/numerics/system.hpp>

namespace thalweg::numerics {

// Flux registers live on patches of faces normal to one axis at coarse resolution. Face i is the
// lower face of coarse cell i. A register holds time-integrated fluxes, sum of dt * F: the coarse
// one of the coarse step, the fine one of all its substeps, averaged over the fine faces.

/// Set or add to a register.
enum class Accumulate { set, add };

/// Put dt * F of faces of the same resolution into a register.
/// @shape region  faces normal to any one axis, held by both views
/// @threads safe on distinct regions
template <int D>
void record_flux(ConstView<D> flux, const View<double, D>& reg, const Box<D>& region, double dt,
                 Accumulate how) {
  const double keep = how == Accumulate::add ? 1.0 : 0.0;
  for (int c = 0; c < reg.n_components(); ++c)
    for_each_row(region, [&](const Index<D>& row, int n) {
      const double* const from = flux.at(c, row);
      double* const to = reg.at(c, row);
      // A select, not a product with `keep`: what an unset register holds may be a NaN.
      for_each_in_row(n, [=](int i) { to[i] = (keep > 0 ? to[i] : 0.0) + dt * from[i]; });
    });
}

/// Put dt times the mean of the fine fluxes through each coarse face into a register.
///
/// The mean of the ratio^(D-1) fine faces is a pairwise sum in a fixed order, x fastest.
/// @shape flux    fine faces normal to the axis, face ratio*i lies on coarse face i
/// @shape region  coarse faces normal to the axis, indices of the coarse level
/// @pre   ratio is 2 or 4   @threads safe on distinct regions
/// @verified reflux_test.cpp
template <int D>
void record_fine_flux(ConstView<D> flux, int ratio, int axis, const View<double, D>& reg,
                      const Box<D>& region, double dt, Accumulate how) {
  const double keep = how == Accumulate::add ? 1.0 : 0.0;
  with_ratio(ratio, [&](auto r) {
    detail::combine_means<r, D - 1>(
        View<const double, D>(flux), reg, region, axis,
        [=](double before, double mean) { return (keep > 0 ? before : 0.0) + dt * mean; });
  });
}

/// On which side of a face a cell lies.
enum class Side { below, above };

/// Replace the coarse fluxes by the fine ones in the coarse cells along a coarse-fine face.
///
/// With C and F the registers of the face and h the coarse spacing along the axis,
///     cell below the face (the face is its upper one):  u += (C - F) / h,
///     cell above the face (the face is its lower one):  u += (F - C) / h.
/// What the fine cells gained through the face is then what the coarse cells lost.
/// @shape  u, coarse, fine  the registers may have fewer components than u: its first ones
/// @param side    on which side of the faces the coarse cells lie, that is, not the fine ones
/// @shape faces   coarse faces normal to the axis, held by both registers; face i bounds the cells
///                i - e_axis (below) and i (above)
/// @errors none; the caller checks whether the corrected states are admissible
/// @threads safe on distinct cells: a cell with fine cells on several sides takes its corrections
///          one after the other, in an order the caller fixes
/// @source Berger and Colella, JCP 82 (1989) 64, sec. 3
/// @verified reflux_test.cpp
template <int D>
void correct_cells(const View<double, D>& u, ConstView<D> coarse, ConstView<D> fine,
                   const Box<D>& faces, int axis, Side side, double h) {
  const double sign = (side == Side::below ? 1.0 : -1.0) / h;
  const Index<D> to_cell = side == Side::below ? Index<D>::unit(axis) * -1 : Index<D>{};
  for (int c = 0; c < coarse.n_components(); ++c)
    for_each_row(faces, [&](const Index<D>& row, int n) {
      const double* const from_coarse = coarse.at(c, row);
      const double* const from_fine = fine.at(c, row);
      double* const q = u.at(c, row + to_cell);
      for_each_in_row(n, [=](int i) { q[i] += sign * (from_coarse[i] - from_fine[i]); });
    });
}

/// The same in cells of a system, which may say what becomes of the components without registers.
template <HyperbolicSystem System, int D = System::dim>
void correct_states(const System& system, const View<double, D>& u, ConstView<D> coarse,
                    ConstView<D> fine, const Box<D>& faces, int axis, Side side, double h) {
  if constexpr (RefluxedSystem<System>) {
    using State = typename System::State;
    const Index<D> to_cell = side == Side::below ? Index<D>::unit(axis) * -1 : Index<D>{};
    for_each(faces, [&](const Index<D>& face) {
      double* const cell = u.at(0, face + to_cell);
      const auto before = load<State>(cell, u.component_stride());
      correct_cells<D>(u, coarse, fine, {face, face + Index<D>::filled(1)}, axis, side, h);
      const auto after = load<State>(cell, u.component_stride());
      store(system.after_reflux(before, after), cell, u.component_stride());
    });
  } else {
    correct_cells<D>(u, coarse, fine, faces, axis, side, h);
  }
}

}  // namespace thalweg::numerics
