// SPDX-License-Identifier: MIT
#include <thalweg/mesh/leaf_forest.hpp>

#include <algorithm>
#include <numeric>
#include <utility>

#include <thalweg/core/contract.hpp>
#include <thalweg/core/dimensions.hpp>
#include <thalweg/mesh/partition.hpp>

namespace thalweg::mesh {
namespace {

// Where a rank's part of the curve begins at the start, or the next one's that is not empty.
template <int D>
std::uint64_t initial_splitter(const LeafRules<D>& rules, int level, std::int64_t n_blocks,
                               int rank, int n_ranks) {
  const std::int64_t begin = chunk_begin(n_blocks, rank, n_ranks);
  if (begin == 0) return 0;
  if (begin == n_blocks) return curve_end(rules.geometry);
  return rules.position(nth_block(rules.geometry, rules.curve, level, begin));
}

}  // namespace

template <int D>
std::optional<std::size_t> LeafForest<D>::find(const Key<D>& key) const {
  const std::uint64_t position = rules.position(key);
  const auto it = std::lower_bound(
      leaves.begin(), leaves.end(), position,
      [&](const Key<D>& leaf, std::uint64_t p) { return rules.position(leaf) < p; });
  if (it == leaves.end() || *it != key) return std::nullopt;
  return static_cast<std::size_t>(it - leaves.begin());
}

template <int D>
void write_initial_splitters(const LeafRules<D>& rules, int level, std::span<std::uint64_t> to) {
  const std::int64_t n_blocks = count_blocks(rules.geometry, level);
  const int n_ranks = static_cast<int>(to.size()) - 1;
  for (int q = 0; q <= n_ranks; ++q)
    to[static_cast<std::size_t>(q)] = initial_splitter(rules, level, n_blocks, q, n_ranks);
}

template <int D>
LeafForest<D> initial_leaves(const LeafRules<D>& rules, int level, Rank rank, int n_ranks,
                             Directory directory, NodeSharedArray<std::uint64_t> splitters) {
  THALWEG_EXPECT(n_ranks > 0 && rank() < static_cast<unsigned>(n_ranks), "no such rank");
  LeafForest<D> forest{.rules = rules, .rank = rank, .n_ranks = n_ranks, .finest = level};
  forest.n_global = count_blocks(rules.geometry, level);
  if (directory == Directory::table) {
    check_n_ranks(n_ranks);
    if (splitters.empty()) {
      std::vector<std::uint64_t> own(static_cast<std::size_t>(n_ranks) + 1);
      write_initial_splitters<D>(rules, level, own);
      splitters = std::move(own);
    }
    forest.directory = {rank, std::move(splitters)};
  } else {
    const auto splitter_of = [&](int q) {
      return initial_splitter(rules, level, forest.n_global, q, n_ranks);
    };
    forest.directory = {rank, n_ranks, routing_table_of(rank, n_ranks, splitter_of),
                        curve_end(rules.geometry)};
  }

  const int self = static_cast<int>(rank());
  forest.first_global = chunk_begin(forest.n_global, self, n_ranks);
  const std::int64_t end = chunk_begin(forest.n_global, self + 1, n_ranks);
  for (std::int64_t i = forest.first_global; i < end; ++i)
    forest.leaves.push_back(nth_block(rules.geometry, rules.curve, level, i));
  return forest;
}

template <int D>
LeafLoad leaf_load_of(const LeafRules<D>& rules, std::span<const Key<D>> leaves,
                      std::span<const std::int64_t> weights) {
  THALWEG_EXPECT(weights.size() == leaves.size(), "weights are for other leaves");
  LeafLoad load{.n_leaves = std::ssize(leaves)};
  for (const std::int64_t w : weights) {
    THALWEG_EXPECT(w >= 1, "weights are at least 1");
    add_checked(load.weight, w, "the weights of one rank's leaves");
  }
  if (leaves.empty()) return load;
  load.first_position = rules.position(leaves.front());
  for (const Key<D>& leaf : leaves) load.finest = std::max(load.finest, leaf.level);
  return load;
}

template <int D>
void write_splitters(const LeafRules<D>& rules, std::span<const LeafLoad> rank_loads,
                     std::span<std::uint64_t> to) {
  THALWEG_EXPECT(to.size() == rank_loads.size() + 1, "each rank's part has two ends");
  to.back() = curve_end(rules.geometry);
  for (std::size_t q = rank_loads.size(); q-- > 0;)
    to[q] = rank_loads[q].n_leaves > 0 ? rank_loads[q].first_position : to[q + 1];
}

template <int D>
LeafForest<D> next_forest(const LeafForest<D>& old, std::vector<Key<D>> leaves,
                          std::span<const LeafLoad> rank_loads,
                          NodeSharedArray<std::uint64_t> splitters) {
  THALWEG_EXPECT(std::ssize(rank_loads) == old.n_ranks, "loads of some ranks are missing");
  THALWEG_EXPECT(rank_loads[old.rank()].n_leaves == std::ssize(leaves), "loads of other leaves");
  LeafForest<D> forest{.rules = old.rules,
                       .rank = old.rank,
                       .n_ranks = old.n_ranks,
                       .revision = old.revision + 1,
                       .leaves = std::move(leaves)};
  if (splitters.empty()) {
    std::vector<std::uint64_t> own(rank_loads.size() + 1);
    write_splitters<D>(old.rules, rank_loads, own);
    splitters = std::move(own);
  }
  THALWEG_ENSURE(splitters[0] == 0, "the curve begins in some leaf");
  forest.directory = {old.rank, std::move(splitters)};
  for (std::size_t q = 0; q < rank_loads.size(); ++q) {
    forest.finest = std::max(forest.finest, int{rank_loads[q].finest});
    forest.n_global += rank_loads[q].n_leaves;
    if (q < old.rank()) forest.first_global += rank_loads[q].n_leaves;
  }
  return forest;
}

template <int D>
LeafForest<D> next_routed_forest(const LeafForest<D>& old, std::vector<Key<D>> leaves,
                                 const LeafSum& before, const LeafSum& all) {
  return {.rules = old.rules,
          .rank = old.rank,
          .n_ranks = old.n_ranks,
          .revision = old.revision + 1,
          .finest = all.finest,
          .leaves = std::move(leaves),
          .n_global = all.n_leaves,
          .first_global = before.n_leaves};
}

#define THALWEG_INSTANTIATE(D)                                                               \
  template struct LeafForest<D>;                                                             \
  template void write_initial_splitters(const LeafRules<D>&, int, std::span<std::uint64_t>); \
  template LeafForest<D> initial_leaves(const LeafRules<D>&, int, Rank, int, Directory,      \
                                        NodeSharedArray<std::uint64_t>);                     \
  template LeafForest<D> next_routed_forest(const LeafForest<D>&, std::vector<Key<D>>,       \
                                            const LeafSum&, const LeafSum&);                 \
  template LeafLoad leaf_load_of(const LeafRules<D>&, std::span<const Key<D>>,               \
                                 std::span<const std::int64_t>);                             \
  template void write_splitters(const LeafRules<D>&, std::span<const LeafLoad>,              \
                                std::span<std::uint64_t>);                                   \
  template LeafForest<D> next_forest(const LeafForest<D>&, std::vector<Key<D>>,              \
                                     std::span<const LeafLoad>, NodeSharedArray<std::uint64_t>)

THALWEG_FOR_DIMENSIONS(THALWEG_INSTANTIATE)
#undef THALWEG_INSTANTIATE

}  // namespace thalweg::mesh
