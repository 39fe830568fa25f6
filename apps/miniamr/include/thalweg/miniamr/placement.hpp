// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include <thalweg/mesh/collectives.hpp>
#include <thalweg/miniamr/bisection.hpp>
#include <thalweg/miniamr/lattice.hpp>
#include <thalweg/miniamr/leaf_halo.hpp>
#include <thalweg/miniamr/options.hpp>

namespace thalweg::miniamr {

/// How blocks are given to ranks, and when.
struct Balancing {
  Lattice lattice;
  Placement placement = Placement::rcb;
  TieRule ties = TieRule::exact;
  std::vector<Cut> cuts{};  ///< for rcb
  bool changes_axes = false;
  double threshold = 0;  ///< balance where (max - min) ranks / blocks exceeds this
  int limit_move = 0;    ///< [%] of a rank's blocks that leave at most; 0: all may
};

Balancing balancing_of(const Options& options);

/// Owners of root blocks: each rank has its box of the grid, or with Hilbert's curve its part of
/// it.
std::vector<Rank> first_owners(const mesh::LeafForest<3>& forest, const Options& options);

/// How many of a set of leaves each rank owns; a round.
mesh::Messages<std::int64_t> send_counts(std::span<const Rank> owners, int n_ranks);
/// Count each rank's blocks, over all directory ranks. Collective. @param rank  this one
template <mesh::Collectives R>
std::vector<std::int64_t> count_owned(std::span<const Rank> owners, int n_ranks, R& collectives) {
  std::int64_t mine = 0;
  for (const auto& [from, n] : collectives.exchange(send_counts(owners, n_ranks))) mine += n;
  return collectives.all_gather(mine);
}

/// Whether blocks are so uneven that they are balanced.
bool is_uneven(std::span<const std::int64_t> counts, double threshold);

/// Owners along the curve: equal parts of it. @param together  do not divide last siblings
std::vector<Rank> curve_owners(const mesh::LeafForest<3>& forest, bool together);

/// The same, but blocks that a cut goes through are divided: no rank has more than its share.
Balancing evenly(Balancing balancing);

/// A block that would leave its rank.
struct Leaving {
  mesh::Key<3> key;
  std::uint32_t leaf = 0;  ///< number at the directory rank
};
/// A round: ask one of two owners, where they differ, which blocks may leave, or come.
mesh::Messages<Leaving> send_leaving(const mesh::LeafForest<3>& forest, std::span<const Rank> asked,
                                     std::span<const Rank> others);
/// A round: those that may not, to their directory ranks: the finest go first. @param n_most  that
/// may
mesh::Messages<std::uint32_t> send_refused(mesh::Messages<Leaving> arrived, std::int64_t n_most);

/// Who is to own the data of each leaf. Collective.
template <mesh::Collectives R>
std::vector<Rank> place(const mesh::LeafForest<3>& forest, const Balancing& balancing,
                        R& collectives) {
  if (balancing.placement != Placement::rcb)
    return curve_owners(forest, balancing.ties == TieRule::group_blocks);
  std::vector<BlockCentroid> centroids;
  centroids.reserve(forest.leaves.size());
  for (const auto& leaf : forest.leaves)
    centroids.push_back({balancing.lattice.centre(leaf), forest.rank,
                         static_cast<std::uint32_t>(centroids.size())});
  const Index<3> width{balancing.lattice.width(0), balancing.lattice.width(1),
                       balancing.lattice.width(2)};
  return bisect(std::move(centroids), width, balancing.cuts, balancing.changes_axes, balancing.ties,
                forest.rank, forest.n_ranks, collectives);
}

/// Let no more blocks leave than --limit_move allows. Collective.
/// @param counts  each rank's blocks now
template <mesh::Collectives R>
void limit_moves(const mesh::LeafForest<3>& forest, std::span<const Rank> old,
                 std::vector<Rank>& next, std::span<const std::int64_t> counts, int percent,
                 R& collectives) {
  const std::int64_t n_most = counts[forest.rank()] * percent / 100;
  const auto leaving = collectives.exchange(send_leaving(forest, old, next));
  for (const auto& [owner, leaf] : collectives.exchange(send_refused(leaving, n_most)))
    next[leaf] = owner;
}

/// Let blocks stay where they are if those that would get them have no room, as where
/// --group_blocks is uneven by design. Collective.
/// @pre no rank has more than max_blocks now
template <mesh::Collectives R>
void limit_arrivals(const mesh::LeafForest<3>& forest, std::span<const Rank> old,
                    std::vector<Rank>& next, std::int64_t max_blocks, R& collectives) {
  for (;;) {
    const auto counts = count_owned(next, forest.n_ranks, collectives);
    if (std::ranges::max(counts) <= max_blocks) return;
    // What is refused may fill up the rank where it stays, which then refuses others: all staying
    // is where that ends.
    const auto arriving = collectives.exchange(send_leaving(forest, next, old));
    const std::int64_t n_over = std::max<std::int64_t>(0, counts[forest.rank()] - max_blocks);
    for (const auto& [refuses, leaf] :
         collectives.exchange(send_refused(arriving, std::ssize(arriving) - n_over)))
      next[leaf] = old[leaf];
  }
}

}  // namespace thalweg::miniamr
