// SPDX-License-Identifier: MIT
#include <thalweg/mesh/leaf_neighbours.hpp>

#include <optional>

#include <thalweg/core/dimensions.hpp>
#include <thalweg/mesh/offsets.hpp>
#include <thalweg/mesh/sort_unique.hpp>

namespace thalweg::mesh {
namespace {

// Appends the owners of the leaves in a place that touch the block it lies at an offset from.
template <int D>
void append_owners(const LeafForest<D>& forest, const Key<D>& place, const Index<D>& offset,
                   std::vector<Rank>& to) {
  const LeafRules<D>& rules = forest.rules;
  const Rank first = forest.owner(rules.position(place));
  if (forest.owner(rules.end(place) - 1) == first) {
    to.push_back(first);
    return;
  }
  const int ratio = rules.geometry.ratio(place.level);
  for (int i = 0; i < n_children<D>(ratio); ++i)
    if (is_near_side(i, ratio, offset)) append_owners(forest, child(place, i, ratio), offset, to);
}

// Whether a block and all around it lie in this rank's part of the curve.
template <int D>
bool is_inside(const LeafForest<D>& forest, const Key<D>& key) {
  for (int o = 0; o < n_offsets<D>; ++o) {
    const auto neighbour = forest.geometry().neighbour(key, offset_at<D>(o));
    if (neighbour && !(forest.is_here(forest.rules.position(*neighbour)) &&
                       forest.is_here(forest.rules.end(*neighbour) - 1)))
      return false;
  }
  return true;
}

}  // namespace

template <int D>
std::vector<Key<D>> outer_leaves(const LeafForest<D>& forest) {
  std::vector<Key<D>> outer;
  std::optional<Key<D>> inner;  // the last parent found to be wholly inside
  for (const Key<D>& leaf : forest.leaves) {
    // Most leaves are far from other ranks, and their siblings too.
    if (leaf.level > 0) {
      const Key<D> parent = forest.geometry().parent(leaf);
      if (inner == parent) continue;
      if (is_inside(forest, parent)) {
        inner = parent;
        continue;
      }
    }
    outer.push_back(leaf);
  }
  return outer;
}

template <int D>
Messages<Key<D>> send_to_neighbours(const LeafForest<D>& forest, Adjacency reach) {
  Messages<Key<D>> out;
  std::vector<Rank> owners;
  for (const Key<D>& leaf : outer_leaves(forest)) {
    owners.clear();
    for (int o = 0; o < n_offsets<D>; ++o) {
      const Index<D> offset = offset_at<D>(o);
      if (!reaches(reach, offset)) continue;
      if (const auto place = forest.geometry().neighbour(leaf, offset))
        append_owners(forest, *place, offset, owners);
    }
    sort_unique(owners);
    for (const Rank owner : owners)
      if (owner != forest.rank) out.emplace_back(owner, leaf);
  }
  return out;
}

#define THALWEG_INSTANTIATE(D)                                     \
  template std::vector<Key<D>> outer_leaves(const LeafForest<D>&); \
  template Messages<Key<D>> send_to_neighbours(const LeafForest<D>&, Adjacency)
THALWEG_FOR_DIMENSIONS(THALWEG_INSTANTIATE)
#undef THALWEG_INSTANTIATE

}  // namespace thalweg::mesh
