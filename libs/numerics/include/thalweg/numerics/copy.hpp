// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <span>

#include <thalweg/core/contract.hpp>
#include <thalweg/numerics/const_view.hpp>
#include <thalweg/numerics/region_copy.hpp>
#include <thalweg/numerics/rows.hpp>

namespace thalweg::numerics {

/// Copy a region: to[i] = from[i + shift] for every i in the region.
/// @pre the views do not overlap where they are read and written   @threads safe on distinct
/// regions
template <int D>
void copy_cells(ConstView<D> from, const View<double, D>& to, const Box<D>& region,
                const Index<D>& shift = {}) {
  const RegionCopy<D> copy = find_region<D>(from, to, region, shift);
  copy_regions<D>({&copy, 1}, to);
}

/// Interpolate a region in time: to = old + theta (new - old); theta 0 gives the old bits.
/// @pre 0 <= theta <= 1   @threads safe on distinct regions
template <int D>
void interpolate_cells(ConstView<D> before, ConstView<D> after, double theta,
                       const View<double, D>& to, const Box<D>& region,
                       const Index<D>& shift = {}) {
  THALWEG_EXPECT(
      before.n_components() == to.n_components() && after.n_components() == to.n_components(),
      "numbers of components differ");
  for (int c = 0; c < to.n_components(); ++c)
    for_each_row(region, [&](const Index<D>& row, int n) {
      const double* const a = before.at(c, row + shift);
      const double* const b = after.at(c, row + shift);
      double* const target = to.at(c, row);
      for_each_in_row(n, [=](int i) { target[i] = a[i] + theta * (b[i] - a[i]); });
    });
}

}  // namespace thalweg::numerics
