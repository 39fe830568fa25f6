// SPDX-License-Identifier: MIT
#include <thalweg/cholesky/dense/layout.hpp>

#include <thalweg/core/contract.hpp>

namespace thalweg::cholesky {

std::vector<Rank> readers(const Layout& layout, int m, int k) {
  THALWEG_EXPECT(0 <= k && k <= m && m < layout.n_tiles(), "a tile of the lower triangle");
  std::vector<Rank> all;
  // Owners repeat after as many tiles as the grid has rows or columns.
  for (int j = k + 1; j <= m && j < k + layout.grid_columns; ++j) all.push_back(layout.owner(m, j));
  for (int i = m + 1; i < layout.n_tiles() && i < m + layout.grid_rows; ++i)
    all.push_back(layout.owner(i, m));
  return all;
}

}  // namespace thalweg::cholesky
