// SPDX-License-Identifier: MIT
#include <thalweg/cholesky/dense/layout.hpp>

#include <thalweg/core/contract.hpp>

namespace thalweg::cholesky {

std::vector<Rank> readers(const Layout& layout, int m, int k) {
  THALWEG_EXPECT(0 <= k && k <= m && m < layout.n_tiles(), "a tile of the lower triangle");
  const Rank owner = layout.owner(m, k);
  std::vector<Rank> all;
  const auto add = [&](int i, int j) {
    const Rank rank = layout.owner(i, j);
    if (rank != owner && std::ranges::find(all, rank) == all.end()) all.push_back(rank);
  };
  // Owners repeat after as many tiles as the grid has rows or columns.
  for (int j = k + 1; j <= m && j <= k + layout.grid_columns; ++j) add(m, j);
  for (int i = m; i < layout.n_tiles() && i < m + layout.grid_rows; ++i) add(i, m);
  return all;
}

}  // namespace thalweg::cholesky
