// SPDX-License-Identifier: MIT
#pragma once
#include <array>

#include <thalweg/numerics/detail/row_buffer.hpp>
#include <thalweg/numerics/detail/tally.hpp>
#include <thalweg/numerics/scheme.hpp>
#include <thalweg/numerics/scratch.hpp>

namespace thalweg::numerics::detail {

/// What a van Leer step keeps while it works on one block.
template <class Scheme>
struct Vl2Workspace {
  static constexpr int D = Scheme::dim;
  static constexpr int n_components = Scheme::n_components;

  Vl2Workspace(const Box<D>& valid, Scratch& scratch)
      : replaced(valid.grown(Scheme::n_ghosts), scratch) {
    // The fluxes outlive the step: first, so that a caller may keep the front of the scratch only.
    for (int a = 0; a < D; ++a)
      flux[static_cast<std::size_t>(a)] = scratch.take(faces_of(valid, a), n_components);
    old = scratch.take(valid.grown(Scheme::n_ghosts), n_components);
    half = scratch.take(valid.grown(Scheme::reach), n_components);
    take_rows(valid.grown(Scheme::n_ghosts), n_components, scratch, rows);
  }

  FluxViews<D> flux;              ///< through the faces of the valid cells
  View<double, D> old;            ///< primitive, at the start of the step
  View<double, D> half;           ///< primitive, half a step on
  std::array<RowBuffer, 4> rows;  ///< for what the sweeps pass from row to row
  Tally replaced;                 ///< inadmissible states
};

}  // namespace thalweg::numerics::detail
