// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>

#include <thalweg/core/contract.hpp>
#include <thalweg/numerics/const_view.hpp>
#include <thalweg/numerics/pairwise.hpp>
#include <thalweg/numerics/ratio.hpp>
#include <thalweg/numerics/rows.hpp>

namespace thalweg::numerics {

namespace detail {

/// Offsets of the children of a coarse cell, x fastest; those of a face if `normal` is an axis.
template <int ratio, int D, int n_axes>
std::array<std::ptrdiff_t, power_of(ratio, n_axes)> child_offsets(const View<const double, D>& fine,
                                                                  int normal) {
  Box<D> children = Box<D>::cube(ratio);
  if (normal >= 0 && normal < D) children.hi[normal] = 1;
  std::array<std::ptrdiff_t, power_of(ratio, n_axes)> offsets;
  std::size_t n = 0;
  for_each(children, [&](const Index<D>& child) {
    offsets[n] = 0;
    for (int a = 0; a < D; ++a) offsets[n] += child[a] * fine.stride(a);
    ++n;
  });
  return offsets;
}

/// target[i] = combine(target[i], mean of the children) for a region of coarse cells or faces.
template <int ratio, int n_axes, int D, class Combine>
void combine_means(const View<const double, D>& fine, const View<double, D>& target,
                   const Box<D>& region, int normal, Combine combine) {
  const auto offsets = child_offsets<ratio, D, n_axes>(fine, normal);
  constexpr double weight = 1.0 / static_cast<double>(power_of(ratio, n_axes));
  const std::ptrdiff_t step = normal == 0 ? ratio : ratio * fine.stride(0);
  for (int c = 0; c < target.n_components(); ++c)
    for_each_row(region, [&](const Index<D>& row, int n) {
      const double* const from = fine.at(c, row * ratio);
      double* const to = target.at(c, row);
      for_each_in_row(n, [=](int i) {
        std::array<double, power_of(ratio, n_axes)> children;
        for (std::size_t k = 0; k < children.size(); ++k) children[k] = from[i * step + offsets[k]];
        to[i] = combine(to[i], weight * sum_pairwise(children));
      });
    });
}

}  // namespace detail

/// Set coarse cells to the means of the ratio^D fine cells that they cover.
///
/// The mean is a pairwise sum in a fixed order: equal children give exactly their value.
/// @shape  fine    holds region.refined(ratio)
/// @shape  coarse  holds region, indices of the coarse level
/// @pre    ratio is 2 or 4   @threads safe on distinct regions
/// @verified restrict_test.cpp
template <int D>
void restrict_cells(ConstView<D> fine, const View<double, D>& coarse, const Box<D>& region,
                    int ratio) {
  THALWEG_EXPECT(fine.n_components() == coarse.n_components(), "numbers of components differ");
  with_ratio(ratio, [&](auto r) {
    detail::combine_means<r, D>(fine, coarse, region, -1, [](double, double mean) { return mean; });
  });
}

}  // namespace thalweg::numerics
