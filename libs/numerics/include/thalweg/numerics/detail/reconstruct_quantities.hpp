// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include <thalweg/numerics/reconstruction.hpp>
#include <thalweg/numerics/rows.hpp>

namespace thalweg::numerics::detail {

/// Read a quantity in a cell and its neighbours along an axis.
template <int radius>
constexpr Stencil<radius> load_stencil(const double* centre, std::ptrdiff_t stride) {
  Stencil<radius> q;
  for (int s = -radius; s <= radius; ++s)
    q[static_cast<std::size_t>(s + radius)] = centre[s * stride];
  return q;
}

/// Quantities of a row of cells, one after another, to reconstruct along an axis.
struct Quantities {
  int count;
  const double* first;              ///< in the first cell of the row
  std::ptrdiff_t component_stride;  ///< from a quantity to the next
  std::ptrdiff_t stride;            ///< from a cell to the next along the axis
};

/// Edge values of a row of cells with all components.
struct EdgeRow {
  double* lower;
  double* upper;
  std::ptrdiff_t stride;  ///< from component to component
  double* replaced;       ///< counts inadmissible states that the mean takes the place of
};

/// Reconstruct the edge values of n cells of a row, quantity by quantity.
template <class Rule>
[[gnu::flatten]] void reconstruct_quantities(int n, const Quantities& quantities,
                                             const EdgeRow& edges) {
  const auto [count, first, component_stride, stride] = quantities;
  for (int c = 0; c < count; ++c)
    compute_row(n,
                [q = first + c * component_stride, stride, lower = edges.lower + c * edges.stride,
                 upper = edges.upper + c * edges.stride](int i) {
                  const Edges e = Rule::edges(load_stencil<Rule::radius>(q + i, stride));
                  lower[i] = e.lower;
                  upper[i] = e.upper;
                });
}

}  // namespace thalweg::numerics::detail
