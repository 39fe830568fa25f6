// SPDX-License-Identifier: MIT
#include <thalweg/mesh/neighbourhood.hpp>

#include <algorithm>
#include <utility>

#include <thalweg/core/contract.hpp>

namespace thalweg::mesh {
namespace {

// The ranks that own the places around a block, each once.
template <int D>
std::vector<Rank> owners_around(const Forest<D>& forest, const Key<D>& key) {
  std::vector<Rank> owners;
  for (int o = 0; o < n_offsets<D>; ++o)
    if (const auto near = forest.geometry.neighbour(key, offset_at<D>(o)))
      owners.push_back(forest.owner(*near));
  std::sort(owners.begin(), owners.end());
  owners.erase(std::unique(owners.begin(), owners.end()), owners.end());
  return owners;
}

template <int D>
NeighbourMask<D> mask_of(const Forest<D>& forest, const Key<D>& key,
                         const std::vector<Key<D>>& existing) {
  NeighbourMask<D> mask;
  for (int o = 0; o < n_offsets<D>; ++o) {
    const auto near = forest.geometry.neighbour(key, offset_at<D>(o));
    if (near && std::binary_search(existing.begin(), existing.end(), *near)) mask.set(o);
  }
  return mask;
}

}  // namespace

template <int D>
Messages<Key<D>> send_presence(const Forest<D>& forest) {
  Messages<Key<D>> out;
  for (const LevelSet<D>& set : forest.levels)
    for (const Key<D>& key : set.keys)
      for (const Rank rank : owners_around(forest, key))
        if (rank != forest.rank) out.emplace_back(rank, key);
  return out;
}

template <int D>
Neighbourhoods<D> collect_masks(const Forest<D>& forest, const Messages<Key<D>>& arrived) {
  std::vector<std::vector<Key<D>>> existing;
  for (const LevelSet<D>& set : forest.levels) existing.push_back(set.keys);
  for (const auto& [from, key] : arrived)
    existing[static_cast<std::size_t>(key.level)].push_back(key);

  Neighbourhoods<D> near{.revision = forest.revision, .levels = {}};
  near.levels.resize(forest.levels.size());
  for (std::size_t l = 0; l < forest.levels.size(); ++l) {
    std::sort(existing[l].begin(), existing[l].end());
    for (const Key<D>& key : forest.levels[l].keys)
      near.levels[l].masks.push_back(mask_of(forest, key, existing[l]));
  }
  return near;
}

template <int D>
Messages<FineNear<D>> send_fine(const Forest<D>& forest, const Neighbourhoods<D>& masks) {
  THALWEG_EXPECT(masks.revision == forest.revision, "masks of another forest");
  Messages<FineNear<D>> out;
  for (std::size_t l = 1; l < forest.levels.size(); ++l)
    for (std::size_t i = 0; i < forest.levels[l].keys.size(); ++i) {
      const Key<D>& key = forest.levels[l].keys[i];
      for (const Rank rank : owners_around(forest, forest.geometry.parent(key)))
        out.emplace_back(rank, FineNear<D>{key, masks.levels[l].masks[i], forest.rank});
    }
  return out;
}

template <int D>
Neighbourhoods<D> collect_fine(Neighbourhoods<D> masks, const Messages<FineNear<D>>& arrived) {
  for (const auto& [from, fine] : arrived)
    masks.levels[static_cast<std::size_t>(fine.key.level) - 1].fine_near.push_back(fine);
  for (Neighbourhood<D>& level : masks.levels)
    std::sort(level.fine_near.begin(), level.fine_near.end(),
              [](const FineNear<D>& a, const FineNear<D>& b) { return a.key < b.key; });
  return masks;
}

template Messages<Key<1>> send_presence(const Forest<1>&);
template Messages<Key<2>> send_presence(const Forest<2>&);
template Messages<Key<3>> send_presence(const Forest<3>&);
template Neighbourhoods<1> collect_masks(const Forest<1>&, const Messages<Key<1>>&);
template Neighbourhoods<2> collect_masks(const Forest<2>&, const Messages<Key<2>>&);
template Neighbourhoods<3> collect_masks(const Forest<3>&, const Messages<Key<3>>&);
template Messages<FineNear<1>> send_fine(const Forest<1>&, const Neighbourhoods<1>&);
template Messages<FineNear<2>> send_fine(const Forest<2>&, const Neighbourhoods<2>&);
template Messages<FineNear<3>> send_fine(const Forest<3>&, const Neighbourhoods<3>&);
template Neighbourhoods<1> collect_fine(Neighbourhoods<1>, const Messages<FineNear<1>>&);
template Neighbourhoods<2> collect_fine(Neighbourhoods<2>, const Messages<FineNear<2>>&);
template Neighbourhoods<3> collect_fine(Neighbourhoods<3>, const Messages<FineNear<3>>&);

}  // namespace thalweg::mesh
