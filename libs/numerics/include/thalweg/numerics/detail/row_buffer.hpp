// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>

#include <thalweg/core/box.hpp>
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

/// Take rows as long as those of a box, and one place more, from scratch.
template <int D, std::size_t n>
void take_rows(const Box<D>& box, int n_components, Scratch& scratch,
               std::array<RowBuffer, n>& rows) {
  const int length = box.extent(0) + 1;
  for (RowBuffer& row : rows) {
    row.data = scratch.take(static_cast<std::size_t>(length * n_components));
    row.stride = length;
    row.lo = box.lo[0];
  }
}

}  // namespace thalweg::numerics::detail
