// SPDX-License-Identifier: MIT
#pragma once
#include <array>

#include <thalweg/numerics/const_view.hpp>
#include <thalweg/numerics/rows.hpp>
#include <thalweg/numerics/scheme.hpp>
#include <thalweg/numerics/scratch.hpp>

namespace thalweg::numerics::detail {

/// A row of cells or faces along x with all components, in scratch.
///
/// Rows are short (about a block's edge), so a handful of them stays in the first-level cache.
struct RowBuffer {
  double* data = nullptr;     ///< component 0 of the place where lo lies
  std::ptrdiff_t stride = 0;  ///< from component to component
  int lo = 0;                 ///< index along x of the first place

  double* at(int i) const { return data + (i - lo); }
};

/// What a van Leer step keeps while it works on one block.
template <class Scheme>
struct Vl2Workspace {
  static constexpr int D = Scheme::dim;
  static constexpr int n_components = Scheme::n_components;

  Vl2Workspace(const Box<D>& valid, Scratch& scratch) {
    // The fluxes outlive the step: first, so that a caller may keep the front of the scratch only.
    for (int a = 0; a < D; ++a)
      flux[static_cast<std::size_t>(a)] = scratch.take(faces_of(valid, a), n_components);
    old = scratch.take(valid.grown(Scheme::n_ghosts), n_components);
    half = scratch.take(valid.grown(Scheme::reach), n_components);
    const Box<D> with_ghosts = valid.grown(Scheme::n_ghosts);
    const int length = with_ghosts.extent(0) + 1;
    for (RowBuffer& row : rows) {
      row.data = scratch.take(static_cast<std::size_t>(length * n_components));
      row.stride = length;
      row.lo = with_ghosts.lo[0];
    }
  }

  FluxViews<D> flux;              ///< through the faces of the valid cells
  View<double, D> old;            ///< primitive, at the start of the step
  View<double, D> half;           ///< primitive, half a step on
  std::array<RowBuffer, 4> rows;  ///< for what the sweeps pass from row to row
};

/// Compute the fluxes through n faces of a row from the primitive states on either side.
template <class Scheme, int Axis>
void flux_row(const Scheme& scheme, std::integral_constant<int, Axis>, int n, const double* l,
              std::ptrdiff_t l_stride, const double* r, std::ptrdiff_t r_stride, double* f,
              std::ptrdiff_t f_stride) {
  using Primitive = typename Scheme::Primitive;
  for_each_in_row(n, [=, system = scheme.system](int i) {
    store(Scheme::Riemann::flux(system, load<Primitive>(l + i, l_stride),
                                load<Primitive>(r + i, r_stride), Axis),
          f + i, f_stride);
  });
}

}  // namespace thalweg::numerics::detail
