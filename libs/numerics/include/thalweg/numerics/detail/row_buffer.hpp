// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include <thalweg/numerics/rows.hpp>
#include <thalweg/numerics/scratch.hpp>
#include <thalweg/numerics/system.hpp>

namespace thalweg::numerics::detail {

/// A row of cells or faces along x with all components, or a Strip of rows, in scratch.
///
/// They are short (about a block's edge, some hundred places), so a handful stays in the
/// first-level cache.
struct RowBuffer {
  double* data = nullptr;     ///< component 0 of the first place
  std::ptrdiff_t stride = 0;  ///< from component to component

  /// The same without its first places.
  RowBuffer from(std::ptrdiff_t place) const { return {data + place, stride}; }
};

/// Copy a row of n states.
template <class State>
void copy_row(int n, const RowBuffer& from, const RowBuffer& to) {
  for_each_in_row(
      n, [=](int i) { store(load<State>(from.data + i, from.stride), to.data + i, to.stride); });
}

/// Take a row of so many places from scratch.
inline RowBuffer take_row(int length, int n_components, Scratch& scratch) {
  return {scratch.take(static_cast<std::size_t>(length) * static_cast<std::size_t>(n_components)),
          length};
}

}  // namespace thalweg::numerics::detail
