// SPDX-License-Identifier: MIT
#include <thalweg/vlasov/layout.hpp>

#include <algorithm>

namespace thalweg::vlasov {

Layout::Layout(const Settings& settings, int n_ranks)
    : columns_(settings.grid.nx, settings.tile_x),
      rows_(settings.grid.nv, settings.tile_v),
      is_round_robin_(settings.decomposition == Decomposition::round_robin),
      n_ranks_(n_ranks) {
  const int most_x = settings.decomposition == Decomposition::v ? 1 : columns_.n_parts();
  const int most_v = settings.decomposition == Decomposition::x ? 1 : rows_.n_parts();
  // As many ranks as there can be; of such rectangles the one with the shortest edges.
  int fewest_edges = 0;
  for (int x = 1; x <= std::min(most_x, n_ranks); ++x) {
    const int v = std::min(most_v, n_ranks / x);
    const int edges = columns_.n_parts() * v + rows_.n_parts() * x;
    const int more = x * v - ranks_x_ * ranks_v_;
    if (fewest_edges > 0 && (more < 0 || (more == 0 && edges >= fewest_edges))) continue;
    ranks_x_ = x;
    ranks_v_ = v;
    fewest_edges = edges;
  }
}

Rank Layout::owner(TilePlace tile) const {
  if (is_round_robin_) return Rank(number(tile) % n_ranks_);
  const int x = tile.column * ranks_x_ / columns_.n_parts();
  const int v = tile.row * ranks_v_ / rows_.n_parts();
  return Rank(x * ranks_v_ + v);
}

std::vector<TilePlace> Layout::tiles_of(Rank rank) const {
  std::vector<TilePlace> tiles;
  for (int i = 0; i < n_tiles(); ++i)
    if (owner(place(i)) == rank) tiles.push_back(place(i));
  return tiles;
}

std::vector<Slab> slabs(const Layout& layout) {
  std::vector<Slab> all;
  const auto has_owners_of_last = [&](int column) {
    for (int row = 0; row < layout.rows().n_parts(); ++row)
      if (layout.owner({column, row}) != layout.owner({all.back().first_column, row})) return false;
    return true;
  };
  for (int column = 0; column < layout.columns().n_parts(); ++column) {
    if (all.empty() || !has_owners_of_last(column))
      all.push_back({.first_column = column,
                     .begin = layout.columns().begin(column),
                     .root = layout.owner({column, 0})});
    all.back().last_column = column + 1;
    all.back().end = layout.columns().end(column);
  }
  return all;
}

}  // namespace thalweg::vlasov
