// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include <thalweg/core/error.hpp>
#include <thalweg/field/joined_blocks.hpp>
#include <thalweg/flow/collective.hpp>
#include <thalweg/flow/transport.hpp>
#include <thalweg/mesh/forest.hpp>
#include <thalweg/mesh/geometry.hpp>
#include <thalweg/step/substeps.hpp>

namespace thalweg::app {

/// What the memory of a rank beside its cells grows with.
struct Extent {
  double blocks = 0;   ///< of this rank: keys, plans, and tasks that are done once
  double updates = 0;  ///< of a block, in a step with all substeps: tasks and messages

  bool operator==(const Extent&) const = default;
};

/// What the graph of a step takes for an update of a block at least, in all equations, dimensions
/// and models [bytes]: before there is a graph that says more. The least that was seen are 1,750,
/// of gas on a line with one node a phase. Joined blocks have their tasks together.
template <int D>
double least_update_bytes(const field::JoinRule& rule, const mesh::BlockCells<D>& block_cells) {
  constexpr double of_task = 1000;
  return of_task / static_cast<double>(rule.template most_joined<D>(block_cells));
}

template <int D>
Extent extent_of(const mesh::Forest<D>& forest, const step::TimeSettings& time = {}) {
  Extent extent;
  for (int l = 0; l < forest.n_levels(); ++l) {
    const auto n = static_cast<double>(forest.level(l).keys.size());
    extent.blocks += n;
    extent.updates += n * static_cast<double>(step::n_substeps(forest.geometry, l, time));
  }
  return extent;
}

/// What a rank holds beside cells, in bytes: as lists, graphs and executors say of themselves.
struct Upkeep {
  double lists = 0;  ///< keys, neighbourhoods, plans, and where blocks are
  double step = 0;   ///< the graph of a step, with its messages and flux registers, and its run
  double once = 0;   ///< a graph that is run once, for tags, and its run

  Upkeep& operator+=(const Upkeep& other) {
    lists += other.lists;
    step += other.step;
    once += other.once;
    return *this;
  }
};

/// What a block and an update of one take in the mean over all ranks. Collective.
///
/// A graph of a step has the memory of the largest before it: it is that one, with its updates,
/// that is to be told here.
class MeanUpkeep {
 public:
  MeanUpkeep(flow::Transport& transport, const Upkeep& own, const Extent& extent)
      : own_(own), all_(sum_of(transport, own, extent)) {}

  /// The most that this rank will hold beside cells from when it begins to move to another forest
  /// until it begins to move on from that.
  ///
  /// The lists of both forests are there at once. A step's graph takes over the memory of the one
  /// before. The graph that moves blocks is gone before tags need theirs.
  /// @param moved_bytes  of cells in messages on their way from and to this rank
  double with(const Extent& next, double moved_bytes) const {
    const auto scaled = [](double bytes, double from, double to) {
      return from > 0 ? bytes / from * to : 0;
    };
    return own_.lists + scaled(all_.upkeep.lists, all_.extent.blocks, next.blocks) +
           std::max(own_.step, scaled(all_.upkeep.step, all_.extent.updates, next.updates)) +
           std::max(scaled(all_.upkeep.once, all_.extent.blocks, next.blocks), moved_bytes);
  }

 private:
  struct All {
    Upkeep upkeep;
    Extent extent;
  };
  static All sum_of(flow::Transport& transport, const Upkeep& own, const Extent& extent) {
    return flow::all_reduce(transport, All{own, extent}, [](All a, const All& b) {
      a.upkeep += b.upkeep;
      a.extent.blocks += b.extent.blocks;
      a.extent.updates += b.extent.updates;
      return a;
    });
  }

  Upkeep own_;
  All all_;
};

/// What a rank needs or holds, in bytes.
struct Need {
  double cells = 0;
  double beside = 0;  ///< lists, graphs, messages

  double total() const { return cells + beside; }
};

/// Whether what each rank needs is within a limit. Collective.
/// @errors on all ranks alike, naming the one that needs most
[[nodiscard]] Result<void> check_limit(flow::Transport& transport, const Need& mine,
                                       std::size_t limit_bytes);
/// How many collectives it is to check what the next mesh needs: MeanUpkeep's, and check_limit's.
inline constexpr int n_collectives_of_memory = 2;

/// How many blocks a rank gets or gives away with another forest, new ones included.
template <int D>
std::size_t n_exchanged(const mesh::Forest<D>& before, const mesh::Forest<D>& next) {
  std::size_t n = 0;
  for (int l = 0; l < std::max(before.n_levels(), next.n_levels()); ++l) {
    const auto keys = [l](const mesh::Forest<D>& forest) {
      return l < forest.n_levels() ? std::span(forest.level(l).keys)
                                   : std::span<const mesh::Key<D>>();
    };
    const auto left = keys(before), made = keys(next);
    std::size_t n_kept = 0;
    for (auto i = left.begin(), j = made.begin(); i != left.end() && j != made.end();) {
      const auto order = *i <=> *j;
      n_kept += order == 0;
      i += order <= 0;
      j += order >= 0;
    }
    n += left.size() + made.size() - 2 * n_kept;
  }
  return n;
}

}  // namespace thalweg::app
