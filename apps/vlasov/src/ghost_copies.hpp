// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include <thalweg/vlasov/layout.hpp>

namespace thalweg::vlasov {

/// A rectangle of a tile's points that is a part of the ghosts of a tile, itself perhaps.
struct GhostCopy {
  TilePlace from, to;
  int from_i = 0, from_j = 0;  ///< its first point in the one
  int to_i = 0, to_j = 0;      ///< and in the other, outside of it
  int nx = 0, nv = 0;

  int size() const { return nx * nv; }
};

/// All that a tile's ghosts are made of, in order. Eight, where neighbours are as large as the
/// halo; more where tiles are smaller than that.
inline std::vector<GhostCopy> ghost_copies(const Layout& layout, TilePlace to, int halo_x,
                                           int halo_v) {
  std::vector<GhostCopy> copies;
  const auto& [columns, rows] = std::pair(layout.columns(), layout.rows());
  const int x = columns.begin(to.column), v = rows.begin(to.row);
  const auto in_x = pieces(columns, x - halo_x, columns.end(to.column) + halo_x);
  const auto in_v = pieces(rows, v - halo_v, rows.end(to.row) + halo_v);
  for (const Piece& a : in_x)
    for (const Piece& b : in_v) {
      const bool is_inside = a.to == halo_x && b.to == halo_v;
      if (!is_inside)
        copies.push_back(
            {{a.part, b.part}, to, a.from, b.from, a.to - halo_x, b.to - halo_v, a.n, b.n});
    }
  return copies;
}

}  // namespace thalweg::vlasov
