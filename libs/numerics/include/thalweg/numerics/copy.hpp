// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <span>

#include <thalweg/core/contract.hpp>
#include <thalweg/numerics/const_view.hpp>
#include <thalweg/numerics/region_copy.hpp>
#include <thalweg/numerics/rows.hpp>

namespace thalweg::numerics {

// A buffer holds a region as a view of just that region would: component slowest, x fastest.

/// Doubles that a region takes in a buffer.
template <int D>
constexpr std::size_t buffer_size(const Box<D>& region, int n_components) {
  return View<const double, D>::size_of(region, n_components);
}

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

/// Copy a region into a buffer.
template <int D>
void pack_cells(ConstView<D> from, const Box<D>& region, std::span<double> buffer) {
  THALWEG_EXPECT(buffer.size() >= buffer_size(region, from.n_components()), "buffer too small");
  copy_cells(from, View<double, D>(buffer.data(), region, from.n_components()), region);
}

/// Copy a buffer into a region.
template <int D>
void unpack_cells(std::span<const double> buffer, const View<double, D>& to, const Box<D>& region) {
  THALWEG_EXPECT(buffer.size() >= buffer_size(region, to.n_components()), "buffer too small");
  copy_cells(View<const double, D>(buffer.data(), region, to.n_components()), to, region);
}

/// Interpolate a region in time into a buffer; see interpolate_cells.
template <int D>
void pack_interpolated_cells(ConstView<D> before, ConstView<D> after, double theta,
                             const Box<D>& region, std::span<double> buffer) {
  THALWEG_EXPECT(buffer.size() >= buffer_size(region, before.n_components()), "buffer too small");
  interpolate_cells(before, after, theta,
                    View<double, D>(buffer.data(), region, before.n_components()), region);
}

}  // namespace thalweg::numerics
