// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>

#include <thalweg/numerics/detail/row_buffer.hpp>
#include <thalweg/numerics/detail/states_by_axis.hpp>
#include <thalweg/numerics/detail/strips.hpp>
#include <thalweg/numerics/detail/tally.hpp>
#include <thalweg/numerics/detail/weight.hpp>
#include <thalweg/numerics/scheme.hpp>
#include <thalweg/numerics/scratch.hpp>

namespace thalweg::numerics::detail {

/// What a step or stage whose fluxes a FluxSweep makes keeps while it works on one block.
template <int D>
struct SweepWorkspace {
  /// @param n_ghosts   of what is reconstructed
  /// @param from_half  whether that is half a step on; `old` then has one layer
  template <class System>
  SweepWorkspace(const RowKernels<System>& kernels, const Box<D>& valid, int n_ghosts,
                 bool from_half, Scratch& scratch)
      : is_from_half(from_half),
        n_rows(n_rows_at_once(valid, n_ghosts)),
        replaced(valid, n_ghosts, scratch) {
    constexpr int n_components = System::n_components;
    // The fluxes outlive the step: first, so that a caller may keep the front of the scratch only.
    for (int a = 0; a < D; ++a) {
      Box<D> faces = faces_of(valid, a);
      if (a == 0)
        faces.hi[0] =
            faces.lo[0] + valid.grown(n_ghosts).extent(0);  // a strip's rows as the cells have
      flux[static_cast<std::size_t>(a)] = scratch.take(faces, n_components);
    }
    old = {valid, from_half ? 1 : n_ghosts, n_rows, n_components, scratch};
    half = from_half ? StatesByAxis<D>(valid, n_ghosts, n_rows, n_components, scratch) : old;
    const int length = n_places_of_strip(valid, n_ghosts, n_rows);
    for (RowBuffer& row : rows) row = take_row(length, n_components, scratch);
    if constexpr (D > 2) {
      const int n_strips = (valid.extent(1) + n_rows - 1) / n_rows;
      for (auto& plane : upper_edges)
        plane = take_row(n_strips * length, n_components, scratch).data;
    }
    weight = take_weight(kernels, length, scratch);
  }

  /// The upper edges along z of the strip that begins at a row, in a plane or the one before it.
  RowBuffer upper_edges_of(const Index<D>& row, const Box<D>& valid) const
    requires(D > 2)
  {
    const std::ptrdiff_t n_of_strip = rows[0].stride * flux[0].n_components();
    const std::ptrdiff_t number = (row[1] - valid.lo[1]) / n_rows;
    return {upper_edges[static_cast<std::size_t>(row[2] & 1)] + number * n_of_strip,
            rows[0].stride};
  }

  bool is_from_half;
  int n_rows;                     ///< of a strip
  FluxViews<D> flux;              ///< through the faces of the valid cells, and unset ones along x
  StatesByAxis<D> old;            ///< primitive, at the start of the step or stage
  StatesByAxis<D> half;           ///< primitive, what is reconstructed: the same, or half a step on
  std::array<RowBuffer, 2> rows;  ///< for edges of a strip, the upper ones from strip to strip
  std::array<double*, 2> upper_edges{};  ///< along z, of a plane and the one before it
  Weight weight;                         ///< room for it
  Tally<D> replaced;                     ///< inadmissible states
};

}  // namespace thalweg::numerics::detail
