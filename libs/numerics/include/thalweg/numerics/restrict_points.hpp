// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>

#include <thalweg/core/centring.hpp>
#include <thalweg/core/contract.hpp>
#include <thalweg/numerics/const_view.hpp>

namespace thalweg::numerics {

/// Set coarse points to the fine ones that they consist of: at nodes the fine node there, at faces
/// the mean of the fine faces that cover one.
///
/// The mean is a pairwise sum in a fixed order: equal values give exactly that value.
/// @param  shift  the fine points of coarse point i are those of i + shift in the fine view
/// @shape  fine    holds the points of region + shift; coarse  holds region
/// @pre    ratio is 2 or 4   @threads safe on distinct regions
/// @verified restrict_points_test.cpp
template <int D>
void restrict_points(const Centring<D>& centring, ConstView<D> fine, const View<double, D>& coarse,
                     const Box<D>& region, const Index<D>& shift, int ratio) {
  THALWEG_EXPECT(ratio == 2 || ratio == 4, "the refinement ratio must be 2 or 4");
  THALWEG_EXPECT(fine.n_components() == coarse.n_components(), "numbers of components differ");
  Box<D> parts = Box<D>::cube(ratio);
  for (int a = 0; a < D; ++a)
    if (centring.between[a]) parts.hi[a] = 1;
  std::array<double, 64> values;
  const auto n_parts = static_cast<std::size_t>(parts.n_cells());
  for (int c = 0; c < coarse.n_components(); ++c)
    for_each(region, [&](const Index<D>& i) {
      std::size_t n = 0;
      for_each(parts,
               [&](const Index<D>& part) { values[n++] = fine[c, (i + shift) * ratio + part]; });
      for (; n > 1; n /= 2)
        for (std::size_t k = 0; k < n / 2; ++k) values[k] = values[2 * k] + values[2 * k + 1];
      coarse[c, i] = values[0] / static_cast<double>(n_parts);  // a power of two: exact
    });
}

}  // namespace thalweg::numerics
