// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include <thalweg/core/strong_id.hpp>
#include <thalweg/vlasov/grid.hpp>
#include <thalweg/vlasov/settings.hpp>

namespace thalweg::vlasov {

/// The place of a tile: its column along x, and its row along v.
struct TilePlace {
  int column = 0, row = 0;

  bool operator==(const TilePlace&) const = default;
};

/// The tiles and their owners. Every rank can say who owns any of them.
class Layout {
 public:
  Layout(const Settings& settings, int n_ranks);

  const Cuts& columns() const { return columns_; }
  const Cuts& rows() const { return rows_; }
  int n_tiles() const { return columns_.n_parts() * rows_.n_parts(); }
  /// Tiles in order: along v first.
  int number(TilePlace tile) const { return tile.column * rows_.n_parts() + tile.row; }
  TilePlace place(int number) const { return {number / rows_.n_parts(), number % rows_.n_parts()}; }
  Rank owner(TilePlace tile) const;
  /// The tiles of a rank, in order. @cost O(tiles of the rank)
  std::vector<TilePlace> tiles_of(Rank rank) const;

 private:
  Cuts columns_, rows_;
  bool is_round_robin_;
  int n_ranks_;
  int ranks_x_ = 1, ranks_v_ = 1;  ///< how many ranks share an axis
};

/// Columns of tiles next to each other that have the same owners in all rows.
struct Slab {
  int first_column = 0, last_column = 0;  ///< [first, last)
  int begin = 0, end = 0;                 ///< points along x
  Rank root{};                            ///< solves for the field: the owner of row 0

  int size() const { return end - begin; }
  int n_columns() const { return last_column - first_column; }
};

/// All columns as slabs, in order. @cost O(columns)
std::vector<Slab> slabs(const Layout& layout);

}  // namespace thalweg::vlasov
