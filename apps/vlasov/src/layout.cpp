// SPDX-License-Identifier: MIT
#include <thalweg/vlasov/layout.hpp>

#include <algorithm>
#include <cstdint>

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
  const auto part = [](int i, int n_parts, int n) {
    return static_cast<int>(std::int64_t{i} * n_parts / n);
  };
  return Rank(part(tile.column, ranks_x_, columns_.n_parts()) * ranks_v_ +
              part(tile.row, ranks_v_, rows_.n_parts()));
}

namespace {

/// The first of n columns (or rows) that owner() gives to part `part` of n_parts.
int first_of(int part, int n, int n_parts) {
  return static_cast<int>((std::int64_t{part} * n + n_parts - 1) / n_parts);
}

}  // namespace

std::vector<TilePlace> Layout::tiles_of(Rank rank) const {
  std::vector<TilePlace> tiles;
  const int r = static_cast<int>(rank());
  if (is_round_robin_) {
    for (int i = r; i < n_tiles(); i += n_ranks_) tiles.push_back(place(i));
    return tiles;
  }
  const int x = r / ranks_v_, v = r % ranks_v_;
  if (x >= ranks_x_) return tiles;
  const int n_columns = columns_.n_parts(), n_rows = rows_.n_parts();
  for (int column = first_of(x, n_columns, ranks_x_); column < first_of(x + 1, n_columns, ranks_x_);
       ++column)
    for (int row = first_of(v, n_rows, ranks_v_); row < first_of(v + 1, n_rows, ranks_v_); ++row)
      tiles.push_back({column, row});
  return tiles;
}

std::vector<Slab> slabs(const Layout& layout) {
  std::vector<Slab> all;
  for (int column = 0; column < layout.columns().n_parts(); ++column) {
    // Columns whose first tiles have one owner have the same owners in all rows.
    const Rank root = layout.owner({column, 0});
    if (all.empty() || all.back().root != root)
      all.push_back(
          {.first_column = column, .begin = layout.columns().begin(column), .root = root});
    all.back().last_column = column + 1;
    all.back().end = layout.columns().end(column);
  }
  return all;
}

}  // namespace thalweg::vlasov
