// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <span>
#include <type_traits>

#include <thalweg/core/contract.hpp>
#include <thalweg/numerics/const_view.hpp>
#include <thalweg/numerics/rows.hpp>

namespace thalweg::numerics {

// A buffer holds a region as a view of just that region would: component slowest, x fastest.

/// Doubles that a region takes in a buffer.
template <int D>
constexpr std::size_t buffer_size(const Box<D>& region, int n_components) {
  return View<const double, D>::size_of(region, n_components);
}

namespace detail {

/// Call row(source, target) with where each row of a region lies in two views.
///
/// Places are found by adding strides: most regions are ghost cells, whose rows are so short that
/// what a row costs beside its cells is what counts.
template <int D, class F>
void for_each_row_of_two(ConstView<D> from, const View<double, D>& to, const Box<D>& region,
                         const Index<D>& shift, const F& row) {
  if (region.is_empty()) return;
  const int n_y = D > 1 ? region.extent(D > 1 ? 1 : 0) : 1;
  const int n_z = D > 2 ? region.extent(D - 1) : 1;
  const auto stride = [](const auto& view, int axis) {
    return axis < D ? view.stride(axis < D ? axis : 0) : std::ptrdiff_t{0};
  };
  const std::array<std::ptrdiff_t, 2> y_stride{stride(from, 1), stride(to, 1)};
  const std::array<std::ptrdiff_t, 2> z_stride{stride(from, 2), stride(to, 2)};
  for (int c = 0; c < to.n_components(); ++c) {
    const double* const source = from.at(c, region.lo + shift);
    double* const target = to.at(c, region.lo);
    for (int z = 0; z < n_z; ++z)
      for (int y = 0; y < n_y; ++y)
        row(source + z * z_stride[0] + y * y_stride[0], target + z * z_stride[1] + y * y_stride[1]);
  }
}

}  // namespace detail

/// Copy a region: to[i] = from[i + shift] for every i in the region.
/// @pre the views do not overlap where they are read and written   @threads safe on distinct
/// regions
template <int D>
void copy_cells(ConstView<D> from, const View<double, D>& to, const Box<D>& region,
                const Index<D>& shift = {}) {
  THALWEG_EXPECT(from.n_components() == to.n_components(), "numbers of components differ");
  THALWEG_EXPECT(from.box().contains(region.shifted(shift)) && to.box().contains(region),
                 "cell outside the view");
  const auto short_rows = [&]<int width>(std::integral_constant<int, width>) {
    detail::for_each_row_of_two(from, to, region, shift, [](const double* source, double* target) {
      for (int i = 0; i < width; ++i) target[i] = source[i];
    });
  };
  switch (region.extent(0)) {  // as wide as ghost cells are
    case 1:
      return short_rows(std::integral_constant<int, 1>{});
    case 2:
      return short_rows(std::integral_constant<int, 2>{});
    case 3:
      return short_rows(std::integral_constant<int, 3>{});
    case 4:
      return short_rows(std::integral_constant<int, 4>{});
    default:
      detail::for_each_row_of_two(from, to, region, shift,
                                  [n = region.extent(0)](const double* source, double* target) {
                                    for_each_in_row(n, [=](int i) { target[i] = source[i]; });
                                  });
  }
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
