// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <span>

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

namespace detail {

/// Interpolate one component of a region, rows of `width` cells or, where that is 0, of any number.
template <int width, int D>
void interpolate_rows(const RegionCopy<D>& before, const RegionCopy<D>& after, double theta,
                      int component, const View<double, D>& to) {
  const double* a = before.source + component * before.component_stride;
  const double* b = after.source + component * after.component_stride;
  double* target = to.data() + component * to.component_stride() + before.target;
  constexpr int y = D > 1 ? 1 : 0, z = D - 1;
  const int n_y = D > 1 ? before.extent[y] : 1;
  const int n_z = D > 2 ? before.extent[z] : 1;
  for (int k = 0; k < n_z; ++k)
    for (int j = 0; j < n_y; ++j) {
      const double* const from = a + j * before.stride[y] + (D > 2 ? k * before.stride[z] : 0);
      const double* const next = b + j * after.stride[y] + (D > 2 ? k * after.stride[z] : 0);
      double* const row = target + j * to.stride(y) + (D > 2 ? k * to.stride(z) : 0);
      const auto at = [=](int i) { row[i] = from[i] + theta * (next[i] - from[i]); };
      // Of a number known here it is a few moves of registers.
      if constexpr (width > 0)
        for (int i = 0; i < width; ++i) at(i);
      else
        compute_row(before.extent[0], at);
    }
}

/// Interpolate one component of a region.
template <int D>
void interpolate_component(const RegionCopy<D>& before, const RegionCopy<D>& after, double theta,
                           int component, const View<double, D>& to) {
  switch (before.extent[0]) {  // most rows are those under ghost cells
    case 3:
      return interpolate_rows<3>(before, after, theta, component, to);
    case 4:
      return interpolate_rows<4>(before, after, theta, component, to);
    default:
      return interpolate_rows<0>(before, after, theta, component, to);
  }
}

}  // namespace detail

/// Interpolate a region in time: to = old + theta (new - old); theta 0 gives the old bits.
/// @pre 0 <= theta <= 1, `to` overlaps with neither   @threads safe on distinct regions
template <int D>
void interpolate_cells(ConstView<D> before, ConstView<D> after, double theta,
                       const View<double, D>& to, const Box<D>& region,
                       const Index<D>& shift = {}) {
  if (region.is_empty()) return;
  const RegionCopy<D> old = find_region<D>(before, to, region, shift);
  const RegionCopy<D> now = find_region<D>(after, to, region, shift);
  for (int c = 0; c < to.n_components(); ++c) detail::interpolate_component(old, now, theta, c, to);
}

}  // namespace thalweg::numerics
