// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <thalweg/core/node_shared_array.hpp>
#include <thalweg/core/strong_id.hpp>
#include <thalweg/mesh/block_lists.hpp>
#include <thalweg/mesh/collectives.hpp>
#include <thalweg/mesh/messages.hpp>
#include <thalweg/mesh/partition.hpp>

namespace thalweg::mesh {

// Parts of Hilbert's curve, for directory ranks whose blocks are parts of Morton's. Both curves go
// through an aligned cube of places in one run. So the directory of a rank is a few cubes, each a
// run of its blocks along Hilbert's curve too; what must be known of others is the weight before
// each run.

/// Owners by list, in the order of a rank's keys.
using Owners = std::vector<std::vector<Rank>>;

/// Blocks that follow each other on Hilbert's curve, with no other rank's between.
struct HilbertRun {
  std::int32_t list = 0;
  std::uint64_t position = 0;         ///< of the first on the curve
  std::int64_t weight = 0;            ///< of all
  std::vector<std::size_t> blocks{};  ///< in the curve's order, as numbered in the rank's keys
  Rank summer{};                      ///< who adds up what comes before
};

/// A run as it is told to the rank that sums, which answers with a weight.
struct RunWeight {
  std::int32_t list = 0;
  std::uint64_t position = 0;
  std::int64_t weight = 0;
};

/// Where on the curve each rank begins to sum: list after list, sorted in each.
///
/// At the places where the ranks' parts of Morton's curve begin, so about as evenly as blocks lie.
/// @param to  n_ranks a list
template <int D>
void write_summers(const BlockLists<D>& blocks, std::span<std::uint64_t> to);

/// The runs of this rank's blocks in lists that move, by the rank that sums.
/// @param summers  as written above
/// @cost O(local blocks log); runs: at most 2 (2^D - 1) log2 of the places along an axis a list
template <int D>
std::vector<HilbertRun> find_hilbert_runs(const BlockLists<D>& blocks, const Weights& weights,
                                          std::span<const LevelPartition> partitions,
                                          std::span<const std::uint64_t> summers);

/// A round: tell of the runs.
Messages<RunWeight> send_runs(std::span<const HilbertRun> runs);
/// What runs this rank sums, by list, for all to know.
std::vector<std::int64_t> summed_weights(const Messages<RunWeight>& arrived, std::size_t n_lists);
/// Another round: the weight before each run, in the order in which they came.
/// @param sums  of all lists of rank 0, then of rank 1 and so on
Messages<std::int64_t> send_weights_before(const Messages<RunWeight>& arrived,
                                           std::span<const std::int64_t> sums, Rank rank,
                                           std::size_t n_lists);
/// The owners of this rank's blocks; as they were in lists that do not move.
Owners owners_along(Owners owners_now, const Weights& weights,
                    std::span<const LevelPartition> partitions, std::span<const HilbertRun> runs,
                    const Messages<std::int64_t>& before, int n_ranks);

/// Cut lists that move into parts of equal weight along Hilbert's curve. Collective.
/// @param weights  of the blocks of this rank's directory, each at least 1
/// @cost two rounds and two gatherings, O(local blocks + n_ranks n_lists)
template <int D, Collectives R>
Owners owners_along_hilbert(const BlockLists<D>& blocks, const Weights& weights, Owners owners_now,
                            std::span<const LevelPartition> partitions, R& collectives) {
  const std::size_t n_lists = blocks.lists.size();
  const auto runs =
      find_hilbert_runs<D>(blocks, weights, partitions,
                           collectives.write_node_shared(
                               n_lists * static_cast<std::size_t>(blocks.n_ranks),
                               [&](std::span<std::uint64_t> to) { write_summers(blocks, to); }));
  const auto arrived = collectives.exchange(send_runs(runs));
  const auto mine = summed_weights(arrived, n_lists);
  const auto sums = collectives.all_gather_many(std::span<const std::int64_t>(mine));
  const auto before =
      collectives.exchange(send_weights_before(arrived, sums, blocks.rank, n_lists));
  return owners_along(std::move(owners_now), weights, partitions, runs, before, blocks.n_ranks);
}

}  // namespace thalweg::mesh
