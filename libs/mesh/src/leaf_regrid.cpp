// SPDX-License-Identifier: MIT
#include <thalweg/mesh/leaf_regrid.hpp>

#include <algorithm>
#include <cstddef>

#include <thalweg/core/contract.hpp>
#include <thalweg/core/dimensions.hpp>

namespace thalweg::mesh {
namespace {

std::size_t index_of(int level) {
  return static_cast<std::size_t>(level);
}

}  // namespace

template <int D>
KeySets<D> leaves_by_level(std::span<const Key<D>> leaves, int n_levels) {
  KeySets<D> sets;
  sets.levels.resize(index_of(n_levels));
  for (const Key<D>& leaf : leaves) sets.levels.at(index_of(leaf.level)).push_back(leaf);
  return sets;
}

template <int D>
std::vector<std::int64_t> in_order_of(std::span<const Key<D>> leaves, const Weights& by_level) {
  std::vector<std::int64_t> in_order;
  in_order.reserve(leaves.size());
  std::vector<std::size_t> next(by_level.size());
  for (const Key<D>& leaf : leaves)
    in_order.push_back(by_level.at(index_of(leaf.level)).at(next[index_of(leaf.level)]++));
  return in_order;
}

template <int D>
std::vector<Rank> in_order_of(const LeafForest<D>& leaves, const Forest<D>& nested,
                              const Owners& by_level) {
  std::vector<Rank> in_order;
  in_order.reserve(leaves.leaves.size());
  for (const Key<D>& leaf : leaves.leaves)
    in_order.push_back(by_level[index_of(leaf.level)][*nested.level(leaf.level).find(leaf)]);
  return in_order;
}

template <int D>
std::pair<Weights, Owners> on_levels(const Forest<D>& nested, const LeafForest<D>& leaves,
                                     std::span<const std::int64_t> weights,
                                     std::span<const Rank> owners) {
  Weights weights_on;
  Owners owners_on;
  for (const LevelSet<D>& set : nested.levels) {
    auto& of_weights = weights_on.emplace_back();
    auto& of_owners = owners_on.emplace_back();
    auto first = leaves.leaves.begin();  // both lists follow the curve
    for (const Key<D>& key : set.keys) {
      const std::uint64_t begin = leaves.rules.position(key);
      first = std::lower_bound(
          first, leaves.leaves.end(), begin,
          [&](const Key<D>& leaf, std::uint64_t p) { return leaves.rules.position(leaf) < p; });
      THALWEG_EXPECT(first != leaves.leaves.end() && leaves.rules.position(*first) == begin,
                     "a block's first leaf is in the same directory");
      const auto i = static_cast<std::size_t>(first - leaves.leaves.begin());
      of_weights.push_back(*first == key ? weights[i] : 0);
      of_owners.push_back(owners[i]);
    }
  }
  return {std::move(weights_on), std::move(owners_on)};
}

#define THALWEG_INSTANTIATE(D)                                                                   \
  template KeySets<D> leaves_by_level<D>(std::span<const Key<D>>, int);                          \
  template std::vector<std::int64_t> in_order_of<D>(std::span<const Key<D>>, const Weights&);    \
  template std::vector<Rank> in_order_of(const LeafForest<D>&, const Forest<D>&, const Owners&); \
  template std::pair<Weights, Owners> on_levels<D>(const Forest<D>&, const LeafForest<D>&,       \
                                                   std::span<const std::int64_t>,                \
                                                   std::span<const Rank>)

THALWEG_FOR_DIMENSIONS(THALWEG_INSTANTIATE)
#undef THALWEG_INSTANTIATE

}  // namespace thalweg::mesh
