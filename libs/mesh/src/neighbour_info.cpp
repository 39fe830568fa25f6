// SPDX-License-Identifier: MIT
#include <thalweg/mesh/neighbour_info.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <thalweg/core/contract.hpp>
#include <thalweg/core/dimensions.hpp>
#include <thalweg/mesh/remote_owners.hpp>
#include <thalweg/mesh/sort_unique.hpp>

namespace thalweg::mesh {
namespace {

// The ranks that own the places around a block, each once.
template <int D>
void find_owners_around(const Forest<D>& forest, const Key<D>& key, std::vector<Rank>& owners) {
  owners.clear();
  for (int o = 0; o < n_offsets<D>; ++o)
    if (const auto neighbour = forest.geometry.neighbour(key, offset_at<D>(o)))
      owners.push_back(forest.owns(*neighbour) ? forest.rank : forest.owner(*neighbour));
  sort_unique(owners);
}

template <int D>
NeighbourMask<D> mask_of(const Forest<D>& forest, const Key<D>& key,
                         const std::vector<Key<D>>& existing) {
  NeighbourMask<D> mask;
  for (int o = 0; o < n_offsets<D>; ++o) {
    const auto neighbour = forest.geometry.neighbour(key, offset_at<D>(o));
    if (neighbour && std::binary_search(existing.begin(), existing.end(), *neighbour)) mask.set(o);
  }
  return mask;
}

// Blocks with one parent: which of its children they are, as bits by number.
struct Family {
  std::uint64_t parent;
  std::uint64_t children;
};

std::vector<Family> families_of(const auto& keys, int bits) {
  std::vector<Family> families;
  for (const auto& key : keys) {
    const std::uint64_t parent = key.code >> bits;
    if (families.empty() || families.back().parent != parent) families.push_back({parent, 0});
    families.back().children |= std::uint64_t{1} << (key.code - (parent << bits));
  }
  return families;
}

// Where a child's neighbour is: next to which neighbour of its parent, and which child of that.
struct Cousin {
  int parent_offset;
  int child;
};

template <int D>
std::vector<Cousin> cousins(int ratio) {
  std::vector<Cousin> table;
  for (int i = 0; i < n_children<D>(ratio); ++i)
    for (int o = 0; o < n_offsets<D>; ++o) {
      Index<D> place = morton_decode<D>(static_cast<std::uint64_t>(i)) + offset_at<D>(o);
      Index<D> outside;
      for (int a = 0; a < D; ++a) {
        outside[a] = place[a] < 0 ? -1 : place[a] >= ratio ? 1 : 0;
        place[a] -= outside[a] * ratio;
      }
      table.push_back({offset_number(outside), static_cast<int>(morton_encode(place))});
    }
  return table;
}

// The masks of blocks of a level below level 0: blocks are looked for family by family, as most
// blocks around one are those around its siblings.
template <int D>
std::vector<NeighbourMask<D>> masks_by_family(const Forest<D>& forest,
                                              const std::vector<Key<D>>& keys,
                                              const std::vector<Key<D>>& existing) {
  if (keys.empty()) return {};
  const int ratio = forest.geometry.ratio(keys.front().level - 1);
  const int bits = bits_per_level<D>(ratio);
  const std::vector<Family> families = families_of(existing, bits);
  const std::vector<Cousin> table = cousins<D>(ratio);
  std::vector<NeighbourMask<D>> masks;
  masks.reserve(keys.size());
  std::array<std::uint64_t, n_offsets<D>> around{};
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const Key<D> parent = forest.geometry.parent(keys[i]);
    if (i == 0 || parent != forest.geometry.parent(keys[i - 1]))
      for (int o = 0; o < n_offsets<D>; ++o) {
        around[static_cast<std::size_t>(o)] = 0;
        const auto neighbour = forest.geometry.neighbour(parent, offset_at<D>(o));
        if (!neighbour) continue;
        const auto found = std::ranges::lower_bound(families, neighbour->code, {}, &Family::parent);
        if (found != families.end() && found->parent == neighbour->code)
          around[static_cast<std::size_t>(o)] = found->children;
      }
    const std::size_t child = keys[i].code - (parent.code << bits);
    NeighbourMask<D> mask;
    for (int o = 0; o < n_offsets<D>; ++o) {
      const Cousin& c = table[child * n_offsets<D> + static_cast<std::size_t>(o)];
      if ((around[static_cast<std::size_t>(c.parent_offset)] >> c.child & 1u) != 0) mask.set(o);
    }
    masks.push_back(mask);
  }
  return masks;
}

}  // namespace

template <int D>
Messages<Key<D>> send_presence(const Forest<D>& forest) {
  Messages<Key<D>> out;
  if (forest.lists_owners()) return out;  // it has them
  std::vector<Rank> owners;
  for (const LevelSet<D>& set : forest.levels)
    for (std::size_t i = 0; i < set.keys.size();) {
      const Key<D>& key = set.keys[i];
      // Most blocks are far from other ranks, and their siblings too.
      if (key.level > 0) {
        const Key<D> parent = forest.geometry.parent(key);
        if (is_directory_around_family(forest, parent)) {
          while (i < set.keys.size() && forest.geometry.parent(set.keys[i]) == parent) ++i;
          continue;
        }
      }
      find_owners_around(forest, key, owners);
      for (const Rank rank : owners)
        if (rank != forest.rank) out.emplace_back(rank, key);
      ++i;
    }
  return out;
}

template <int D>
NeighbourInfo<D> collect_masks(const Forest<D>& forest, const Messages<Key<D>>& arrived) {
  std::vector<std::vector<Key<D>>> existing;
  for (const LevelSet<D>& set : forest.levels) {
    existing.push_back(set.keys);
    for (const OwnedKey<D>& other : set.remote_owners) existing.back().push_back(other.key);
  }
  for (const auto& [from, key] : arrived)
    existing[static_cast<std::size_t>(key.level)].push_back(key);

  NeighbourInfo<D> neighbour{.revision = forest.revision, .levels = {}};
  neighbour.levels.resize(forest.levels.size());
  for (std::size_t l = 0; l < forest.levels.size(); ++l) {
    std::sort(existing[l].begin(), existing[l].end());
    const std::vector<Key<D>>& keys = forest.levels[l].keys;
    if (l > 0) {
      neighbour.levels[l].masks = masks_by_family(forest, keys, existing[l]);
      continue;
    }
    for (const Key<D>& key : keys)
      neighbour.levels[0].masks.push_back(mask_of(forest, key, existing[0]));
  }
  return neighbour;
}

template <int D>
Messages<FineNeighbour<D>> send_fine(const Forest<D>& forest, const NeighbourInfo<D>& masks) {
  THALWEG_EXPECT(masks.revision == forest.revision, "masks of another forest");
  Messages<FineNeighbour<D>> out;
  std::vector<Rank> owners;
  for (std::size_t l = 1; l < forest.levels.size(); ++l) {
    const std::vector<Key<D>>& keys = forest.levels[l].keys;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const Key<D> parent = forest.geometry.parent(keys[i]);
      if (i == 0 || parent != forest.geometry.parent(keys[i - 1]))
        find_owners_around(forest, parent, owners);
      for (const Rank rank : owners)
        out.emplace_back(rank, FineNeighbour<D>{keys[i], masks.levels[l].masks[i], forest.rank});
    }
  }
  return out;
}

template <int D>
NeighbourInfo<D> collect_fine(NeighbourInfo<D> masks, const Messages<FineNeighbour<D>>& arrived) {
  for (const auto& [from, fine] : arrived)
    masks.levels[static_cast<std::size_t>(fine.key.level) - 1].fine_neighbours.push_back(fine);
  for (LevelNeighbourInfo<D>& level : masks.levels)
    std::sort(level.fine_neighbours.begin(), level.fine_neighbours.end(),
              [](const FineNeighbour<D>& a, const FineNeighbour<D>& b) { return a.key < b.key; });
  return masks;
}

#define THALWEG_INSTANTIATE(D)                                                              \
  template Messages<Key<D>> send_presence(const Forest<D>&);                                \
  template NeighbourInfo<D> collect_masks(const Forest<D>&, const Messages<Key<D>>&);       \
  template Messages<FineNeighbour<D>> send_fine(const Forest<D>&, const NeighbourInfo<D>&); \
  template NeighbourInfo<D> collect_fine(NeighbourInfo<D>, const Messages<FineNeighbour<D>>&)
THALWEG_FOR_DIMENSIONS(THALWEG_INSTANTIATE)
#undef THALWEG_INSTANTIATE

}  // namespace thalweg::mesh
