// SPDX-License-Identifier: MIT
#include <thalweg/mesh/refine.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>

#include <thalweg/core/box.hpp>
#include <thalweg/core/contract.hpp>
#include <thalweg/core/dimensions.hpp>
#include <thalweg/mesh/sort_unique.hpp>

namespace thalweg::mesh {
namespace {

// The place of a block in the lattice, around periodic axes. @pre the place is inside or wraps
template <int D>
Index<D> wrapped(const Geometry<D>& geometry, int level, Index<D> place) {
  const Index<D> blocks = geometry.blocks_at(level);
  for (int a = 0; a < D; ++a)
    if (geometry.is_periodic(a)) place[a] -= floor_div(place[a], blocks[a]) * blocks[a];
  return place;
}

}  // namespace

template <int D>
std::vector<Key<D>> wanted_children(const Geometry<D>& geometry, const Key<D>& block,
                                    std::type_identity_t<View<const std::uint8_t, D>> tags,
                                    int buffer) {
  THALWEG_EXPECT(buffer >= 0 && buffer <= geometry.block_cells().fewest(),
                 "the buffer reaches no further than the neighbours");
  THALWEG_EXPECT(block.level < geometry.max_level(), "the finest level is not refined");
  const Index<D> part =
      floor_div(geometry.block_cells(), geometry.ratio(block.level));  // under a child
  const Box<D> cells = geometry.cells(block);
  const Box<D> reached = cells.grown(buffer).coarsened(part);  // children in reach, unwrapped
  Box<D> reachable{{}, geometry.blocks_at(block.level + 1)};
  for (int a = 0; a < D; ++a) {
    if (!geometry.is_periodic(a)) continue;
    reachable.lo[a] = reached.lo[a];
    reachable.hi[a] = reached.hi[a];
  }

  // The buffer adds no more on either side than there are children of the block.
  std::array<std::uint8_t, View<std::uint8_t, D>::size_of(Box<D>::cube(3 * 4), 1)> is_wanted{};
  const View<std::uint8_t, D> marks(is_wanted.data(), reached, 1);
  for_each_row(cells, [&](const Index<D>& row, int n) {
    const std::span of_row(tags.at(0, row), static_cast<std::size_t>(n));
    if (std::accumulate(of_row.begin(), of_row.end(), std::uint8_t{0}, std::bit_or()) == 0) return;
    for (Index<D> i = row; i[0] < row[0] + n; ++i[0]) {
      if (tags[0, i] == 0) continue;
      const Box<D> grown = Box<D>{i, i + Index<D>::filled(1)}.grown(buffer);
      for_each(intersect(grown.coarsened(part), reachable),
               [&](const Index<D>& place) { marks[0, place] = 1; });
    }
  });

  std::vector<Key<D>> wanted;
  wanted.reserve(static_cast<std::size_t>(std::ranges::count(is_wanted, std::uint8_t{1})));
  for_each(reached, [&](const Index<D>& place) {
    if (marks[0, place] != 0)
      wanted.push_back(key_at(block.level + 1, wrapped(geometry, block.level + 1, place)));
  });
  sort_unique(wanted);
  return wanted;
}

#define THALWEG_INSTANTIATE(D)                                                       \
  template std::vector<Key<D>> wanted_children<D>(const Geometry<D>&, const Key<D>&, \
                                                  View<const std::uint8_t, D>, int)
THALWEG_FOR_DIMENSIONS(THALWEG_INSTANTIATE)
#undef THALWEG_INSTANTIATE

}  // namespace thalweg::mesh
