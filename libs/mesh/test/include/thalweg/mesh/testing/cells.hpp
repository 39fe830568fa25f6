// SPDX-License-Identifier: MIT
#pragma once
#include <optional>

#include <thalweg/mesh/geometry.hpp>
#include <thalweg/mesh/key.hpp>

namespace thalweg::mesh::testing {

/// Where a cell is inside the domain, around periodic axes; none outside.
template <int D>
std::optional<Index<D>> wrapped(const Geometry<D>& geometry, int level, Index<D> cell) {
  const Index<D> n = geometry.domain_cells(level).hi;
  for (int a = 0; a < D; ++a) {
    if (geometry.is_periodic(a)) cell[a] = (cell[a] + 4 * n[a]) % n[a];
    if (cell[a] < 0 || cell[a] >= n[a]) return std::nullopt;
  }
  return cell;
}

/// The block that would hold a cell inside the domain.
template <int D>
Key<D> holder(const Geometry<D>& geometry, int level, const Index<D>& cell) {
  return key_at(level, floor_div(cell, geometry.block_cells()));
}

}  // namespace thalweg::mesh::testing
