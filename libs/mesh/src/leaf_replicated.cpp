// SPDX-License-Identifier: MIT
#include <thalweg/mesh/leaf_replicated.hpp>

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <unordered_set>

#include <thalweg/core/contract.hpp>
#include <thalweg/mesh/offsets.hpp>
#include <thalweg/mesh/partition.hpp>

namespace thalweg::mesh {
namespace {

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

}  // namespace

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

template std::vector<Key<1>> adapt_all<1>(const LeafRules<1>&, std::span<const FlaggedLeaf<1>>);
template std::vector<Key<2>> adapt_all<2>(const LeafRules<2>&, std::span<const FlaggedLeaf<2>>);
template std::vector<Key<3>> adapt_all<3>(const LeafRules<3>&, std::span<const FlaggedLeaf<3>>);
template LeafForest<1> partition_all<1>(const LeafForest<1>&, std::span<const Key<1>>,
                                        std::span<const std::int64_t>);
template LeafForest<2> partition_all<2>(const LeafForest<2>&, std::span<const Key<2>>,
                                        std::span<const std::int64_t>);
template LeafForest<3> partition_all<3>(const LeafForest<3>&, std::span<const Key<3>>,
                                        std::span<const std::int64_t>);
template Messages<FlaggedLeaf<1>> send_to_all(const LeafForest<1>&, std::span<const RefineFlag>);
template Messages<FlaggedLeaf<2>> send_to_all(const LeafForest<2>&, std::span<const RefineFlag>);
template Messages<FlaggedLeaf<3>> send_to_all(const LeafForest<3>&, std::span<const RefineFlag>);

}  // namespace thalweg::mesh
