// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>

#include <thalweg/numerics/detail/row_buffer.hpp>
#include <thalweg/numerics/detail/tally.hpp>
#include <thalweg/numerics/detail/weight.hpp>
#include <thalweg/numerics/scheme.hpp>
#include <thalweg/numerics/scratch.hpp>

namespace thalweg::numerics::detail {

/// What a step or stage whose fluxes a FluxSweep makes keeps while it works on one block.
template <int D>
struct SweepWorkspace {
  /// @param n_old     layers of ghost cells of `old`
  /// @param n_ghosts  of what is reconstructed
  template <class System>
  SweepWorkspace(const RowKernels<System>& kernels, const Box<D>& valid, int n_old, int n_ghosts,
                 Scratch& scratch)
      : replaced(valid.grown(n_ghosts), scratch) {
    constexpr int n_components = System::n_components;
    // The fluxes outlive the step: first, so that a caller may keep the front of the scratch only.
    for (int a = 0; a < D; ++a)
      flux[static_cast<std::size_t>(a)] = scratch.take(faces_of(valid, a), n_components);
    old = scratch.take(valid.grown(n_old), n_components);
    take_rows(valid.grown(n_ghosts), n_components, scratch, rows);
    weight = take_weight(kernels, valid.grown(n_ghosts).extent(0), scratch);
    if (has_gravity(kernels.system))
      take_rows(valid.grown(n_ghosts), n_components, scratch, weighed);
    half = old;
  }

  FluxViews<D> flux;              ///< through the faces of the valid cells
  View<double, D> old;            ///< primitive, at the start of the step or stage
  View<double, D> half;           ///< primitive, what is reconstructed: the same, or half a step on
  std::array<RowBuffer, 3> rows;  ///< for what the sweeps pass from row to row
  std::array<RowBuffer, 2> weighed{};  ///< cells at their faces; none where no gravity acts
  Weight weight;                       ///< room for it
  Tally replaced;                      ///< inadmissible states
};

}  // namespace thalweg::numerics::detail
