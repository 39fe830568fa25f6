// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <thalweg/core/contract.hpp>
#include <thalweg/mesh/collectives.hpp>
#include <thalweg/mesh/key.hpp>
#include <thalweg/mesh/leaf_adapt.hpp>
#include <thalweg/mesh/leaf_forest.hpp>
#include <thalweg/mesh/leaf_partition.hpp>
#include <thalweg/mesh/messages.hpp>
#include <thalweg/mesh/offsets.hpp>
#include <thalweg/mesh/partition.hpp>

namespace thalweg::mesh::testing {

// The same as leaf_adapt.hpp where every rank knows all leaves: for small runs, and as the oracle.
// It follows the definitions: leaves are split one by one until no two that touch differ by more.

/// A leaf and its flag.
template <int D>
struct FlaggedLeaf {
  Key<D> key;
  RefineFlag flag = RefineFlag::keep;
};

/// Leaves that are replaced one by one.
template <int D>
class LeafSet {
 public:
  explicit LeafSet(const LeafRules<D>& rules) : rules_(rules) {}

  void insert(const Key<D>& leaf) {
    leaves_.insert(leaf);
    unchecked_.push_back(leaf);
  }
  void refine(const Key<D>& leaf) {
    leaves_.erase(leaf);
    for (const Key<D>& child : children(leaf, rules_.geometry.ratio(leaf.level))) insert(child);
  }
  // Leaves only become finer, so each is checked once, when it comes: only finer ones that come
  // later can ask for more, and they are checked when they come.
  void balance() {
    while (!unchecked_.empty()) {
      const Key<D> leaf = unchecked_.back();
      unchecked_.pop_back();
      if (!leaves_.contains(leaf)) continue;
      for (int o = 0; o < n_offsets<D>; ++o)
        if (reaches(rules_.balance, offset_at<D>(o)))
          if (const auto neighbour = rules_.geometry.neighbour(leaf, offset_at<D>(o)))
            refine_around(*neighbour);
    }
  }
  std::vector<Key<D>> sorted() const {
    std::vector<Key<D>> all(leaves_.begin(), leaves_.end());
    std::sort(all.begin(), all.end(), [&](const Key<D>& a, const Key<D>& b) {
      return rules_.position(a) < rules_.position(b);
    });
    return all;
  }

 private:
  // Splits the leaf that covers a place until it is one level coarser at most.
  void refine_around(const Key<D>& place) {
    for (int level = 0; level + 1 < place.level; ++level)
      if (const Key<D> coarse = rules_.geometry.ancestor(place, level); leaves_.contains(coarse))
        refine(coarse);
  }

  const LeafRules<D>& rules_;
  std::unordered_set<Key<D>> leaves_;
  std::vector<Key<D>> unchecked_;
};

/// Adapt the set of all leaves, in any order; the result is in the curve's order. Pure.
/// @cost O(all leaves)
template <int D>
std::vector<Key<D>> adapt_all(const LeafRules<D>& rules,
                              std::type_identity_t<std::span<const FlaggedLeaf<D>>> leaves) {
  const Geometry<D>& geometry = rules.geometry;
  std::unordered_map<Key<D>, int> n_asking;  // children that ask for it, by parent
  for (const auto& [key, flag] : leaves)
    if (flag == RefineFlag::coarsen && key.level > 0) ++n_asking[geometry.parent(key)];

  LeafSet<D> set(rules);
  for (const auto& [key, flag] : leaves) {
    const auto asking = key.level > 0 ? n_asking.find(geometry.parent(key)) : n_asking.end();
    if (asking != n_asking.end() && asking->second == n_children<D>(geometry.ratio(key.level - 1)))
      set.insert(geometry.parent(key));
    else if (flag == RefineFlag::refine)
      set.refine(key);
    else
      set.insert(key);
  }
  set.balance();
  return set.sorted();
}

/// The forest of a rank, from all leaves in the curve's order and their weights.
template <int D>
LeafForest<D> partition_all(const LeafForest<D>& old,
                            std::type_identity_t<std::span<const Key<D>>> leaves,
                            std::span<const std::int64_t> weights) {
  const std::int64_t total = std::accumulate(weights.begin(), weights.end(), std::int64_t{0});
  std::vector<LeafLoad> rank_loads(static_cast<std::size_t>(old.n_ranks));
  std::vector<Key<D>> mine;
  std::int64_t before = 0;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const Rank owner = chunk_owner(before, weights[i], total, old.n_ranks);
    before += weights[i];
    LeafLoad& load = rank_loads[owner()];
    if (load.n_leaves++ == 0) load.first_position = old.rules.position(leaves[i]);
    load.weight += weights[i];
    load.finest = std::max(load.finest, leaves[i].level);
    if (owner == old.rank) mine.push_back(leaves[i]);
  }
  return next_forest<D>(old, std::move(mine), rank_loads);
}

/// Send one's leaves with their flags to all ranks.
template <int D>
Messages<FlaggedLeaf<D>> send_to_all(const LeafForest<D>& forest,
                                     std::span<const RefineFlag> flags) {
  THALWEG_EXPECT(flags.size() == forest.leaves.size(), "one flag for each leaf");
  Messages<FlaggedLeaf<D>> out;
  for (int rank = 0; rank < forest.n_ranks; ++rank)
    for (std::size_t i = 0; i < flags.size(); ++i)
      out.emplace_back(Rank(rank), FlaggedLeaf<D>{forest.leaves[i], flags[i]});
  return out;
}

/// What adapt does, bit by bit, with all leaves on every rank. Collective.
/// @cost  a round, O(all leaves) of memory and time on every rank
template <int D, Collectives R, class Weigh>
LeafForest<D> adapt_replicated(const LeafForest<D>& old,
                               std::type_identity_t<std::span<const RefineFlag>> flags,
                               R& collectives, Weigh&& weigh) {
  std::vector<FlaggedLeaf<D>> all;
  for (const auto& [from, leaf] : collectives.exchange(send_to_all(old, flags)))
    all.push_back(leaf);
  const std::vector<Key<D>> leaves = adapt_all<D>(old.rules, all);
  std::vector<std::int64_t> weights;
  for (const Key<D>& leaf : leaves) weights.push_back(weigh(leaf));
  return partition_all<D>(old, leaves, weights);
}

}  // namespace thalweg::mesh::testing
