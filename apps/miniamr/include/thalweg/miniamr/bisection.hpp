// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include <thalweg/core/strong_id.hpp>
#include <thalweg/core/vec.hpp>
#include <thalweg/mesh/collectives.hpp>
#include <thalweg/mesh/messages.hpp>
#include <thalweg/miniamr/options.hpp>

namespace thalweg::miniamr {

/// One cut of a group of ranks, and of their blocks.
struct Cut {
  int n_parts = 2;  ///< a prime
  int axis = 0;

  bool operator==(const Cut&) const = default;
};

/// How a grid of ranks is cut until each stands alone: the largest prime factors first, each across
/// the axis that has most ranks left (reordered), or across z, then y, then x.
std::vector<Cut> cuts_of(const Index<3>& ranks, bool is_reordered);

/// The rank at a place of the grid, numbered as the cuts follow each other.
Rank rank_at(std::span<const Cut> cuts, Index<3> ranks, Index<3> place);

/// A block on its way to a rank.
struct BlockCentroid {
  Index<3> centre{};       ///< Lattice::centre
  Rank directory_rank{};   ///< who asks
  std::uint32_t leaf = 0;  ///< number at the directory rank
};

/// What a rank knows of a group that is being cut: ranks [first, first + size), and block centroids
/// that are divided among them. Each of the group has some of them.
struct Group {
  int first = 0;
  int size = 1;
  std::vector<BlockCentroid> centroids{};
};

/// The range of the centroids on each axis, to be combined over the group.
struct Range {
  Index<3> lower;
  Index<3> upper;
};
Range range_of(std::span<const BlockCentroid> centroids, const Index<3>& width);
/// The axis on which the ranges together are longest, the first of them.
int longest_axis(std::span<const Range> ranges);

/// A round: bring together what has the same coordinate, lower ones on lower ranks of the group.
mesh::Messages<BlockCentroid> send_by_coordinate(const Group& group, int axis, int width);
/// Sort what arrived, as one part follows another.
void sort_centroids(std::vector<BlockCentroid>& centroids, int axis, TieRule ties);
/// A round: divide the group's centroids among the parts of its ranks. @param counts centroids of
/// each of the group's ranks  @param rank  of this one
mesh::Messages<BlockCentroid> send_to_parts(const Group& group, const Cut& cut, TieRule ties,
                                            std::span<const std::int64_t> counts, Rank rank);

/// Recursive coordinate bisection: who gets each block. Collective.
///
/// A group of n blocks is cut into parts of ceil(n / n_parts), in the order of the coordinate
/// across the cut, then of the next axis, then of the last: the parts are the same for any
/// directory ranks.
/// @param centroids   this rank's, with leaf = 0, 1, ...  @param width  Lattice::width on each axis
/// @param changes_axes  cut across the longest extent instead of as the cuts say
/// @cost  for each cut two rounds and one or two all-gathers; a rank has the centroids of a few
/// planes
template <mesh::Collectives R>
std::vector<Rank> bisect(std::vector<BlockCentroid> centroids, const Index<3>& width,
                         std::span<const Cut> cuts, bool changes_axes, TieRule ties, Rank rank,
                         int n_ranks, R& collectives) {
  std::vector<Rank> owners(centroids.size());
  Group group{.first = 0, .size = n_ranks, .centroids = std::move(centroids)};
  const auto take = [&](const mesh::Messages<BlockCentroid>& arrived) {
    group.centroids.clear();
    for (const auto& [from, centroid] : arrived) group.centroids.push_back(centroid);
  };
  const auto of_group = [&](const auto& values) {
    return std::span(values).subspan(static_cast<std::size_t>(group.first),
                                     static_cast<std::size_t>(group.size));
  };
  for (Cut cut : cuts) {
    if (changes_axes)
      cut.axis = longest_axis(of_group(collectives.all_gather(range_of(group.centroids, width))));
    take(collectives.exchange(send_by_coordinate(group, cut.axis, width[cut.axis])));
    sort_centroids(group.centroids, cut.axis, ties);
    const auto counts = collectives.all_gather(std::ssize(group.centroids));
    take(collectives.exchange(send_to_parts(group, cut, ties, of_group(counts), rank)));
    group.size /= cut.n_parts;
    group.first += (static_cast<int>(rank()) - group.first) / group.size * group.size;
  }
  mesh::Messages<std::uint32_t> back;
  for (const BlockCentroid& centroid : group.centroids)
    back.emplace_back(centroid.directory_rank, centroid.leaf);
  for (const auto& [owner, leaf] : collectives.exchange(back)) owners[leaf] = owner;
  return owners;
}

}  // namespace thalweg::miniamr
