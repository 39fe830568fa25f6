// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include <thalweg/core/strong_id.hpp>
#include <thalweg/core/vec.hpp>
#include <thalweg/mesh/messages.hpp>
#include <thalweg/mesh/rounds.hpp>
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
struct Dot {
  Index<3> centre{};       ///< Lattice::centre
  Rank home{};             ///< who asks
  std::uint32_t leaf = 0;  ///< number at home
};

/// What a rank knows of a group that is being cut: ranks [first, first + size), and dots that are
/// divided among them. Each of the group has some of its dots.
struct Group {
  int first = 0;
  int size = 1;
  std::vector<Dot> dots{};
};

/// The range of dots' centres on each axis, to be combined over the group.
struct Range {
  Index<3> lower;
  Index<3> upper;
};
Range range_of(std::span<const Dot> dots, const Index<3>& width);
/// The axis on which the ranges together are longest, the first of them.
int longest_axis(std::span<const Range> ranges);

/// A round: bring together what has the same coordinate, lower ones on lower ranks of the group.
mesh::Messages<Dot> send_by_coordinate(const Group& group, int axis, int width);
/// Sort what arrived, as one part follows another.
void sort_dots(std::vector<Dot>& dots, int axis, TieRule ties);
/// A round: divide the group's dots among the parts of its ranks.
/// @param counts  dots of each of the group's ranks  @param rank  of this one
mesh::Messages<Dot> send_to_parts(const Group& group, const Cut& cut, TieRule ties,
                                  std::span<const std::int64_t> counts, Rank rank);

/// Recursive coordinate bisection: who gets each dot. Collective.
///
/// A group of n blocks is cut into parts of ceil(n / n_parts), in the order of the coordinate
/// across the cut, then of the next axis, then of the last: the parts are the same for any homes.
/// @param dots   this rank's, with leaf = 0, 1, ...  @param width  Lattice::width on each axis
/// @param changes_axes  cut across the longest extent instead of as the cuts say
/// @cost  for each cut two rounds and one or two all-gathers; a rank has the dots of a few planes
template <mesh::Rounds R>
std::vector<Rank> bisect(std::vector<Dot> dots, const Index<3>& width, std::span<const Cut> cuts,
                         bool changes_axes, TieRule ties, Rank rank, int n_ranks, R& rounds) {
  std::vector<Rank> owners(dots.size());
  Group group{.first = 0, .size = n_ranks, .dots = std::move(dots)};
  const auto take = [&](const mesh::Messages<Dot>& arrived) {
    group.dots.clear();
    for (const auto& [from, dot] : arrived) group.dots.push_back(dot);
  };
  const auto of_group = [&](const auto& values) {
    return std::span(values).subspan(static_cast<std::size_t>(group.first),
                                     static_cast<std::size_t>(group.size));
  };
  for (Cut cut : cuts) {
    if (changes_axes)
      cut.axis = longest_axis(of_group(rounds.all_gather(range_of(group.dots, width))));
    take(rounds.exchange(send_by_coordinate(group, cut.axis, width[cut.axis])));
    sort_dots(group.dots, cut.axis, ties);
    const auto counts = rounds.all_gather(std::ssize(group.dots));
    take(rounds.exchange(send_to_parts(group, cut, ties, of_group(counts), rank)));
    group.size /= cut.n_parts;
    group.first += (static_cast<int>(rank()) - group.first) / group.size * group.size;
  }
  mesh::Messages<std::uint32_t> back;
  for (const Dot& dot : group.dots) back.emplace_back(dot.home, dot.leaf);
  for (const auto& [owner, leaf] : rounds.exchange(back)) owners[leaf] = owner;
  return owners;
}

}  // namespace thalweg::miniamr
