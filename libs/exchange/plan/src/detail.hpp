// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <thalweg/core/contract.hpp>
#include <thalweg/core/cut.hpp>
#include <thalweg/core/strong_id.hpp>
#include <thalweg/exchange/plan/transfers.hpp>
#include <thalweg/mesh/forest.hpp>
#include <thalweg/mesh/neighbour_info.hpp>

namespace thalweg::exchange::detail {

/// An item and the rank at the other end.
template <class Item>
using ToPeers = std::vector<std::pair<Rank, Item>>;

/// Cells of messages, on average, from which on there are more of them than were asked for: MPI
/// counts bytes to 2^31, and a cell may have 100 numbers and more. Messages are of whole items, so
/// one may be larger by the cells of an item: half of what fits is left for that.
constexpr std::int64_t many_cells = std::int64_t{1} << 20;

/// Sort items by peer and by their order, and call emit(peer, items, n_cells) for each message.
template <class Item, class Emit>
void bundle(ToPeers<Item> items, int max_comm_tasks, Emit&& emit) {
  std::sort(items.begin(), items.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : a.second < b.second;
  });
  for (auto begin = items.begin(); begin != items.end();) {
    const auto end = std::find_if(begin, items.end(),
                                  [&](const auto& item) { return item.first != begin->first; });
    std::vector<std::int64_t> cells;
    cells.reserve(static_cast<std::size_t>(end - begin));
    std::int64_t n_all_cells = 0;
    for (auto it = begin; it != end; ++it) {
      cells.push_back(it->second.n_cells());
      n_all_cells += cells.back();
    }
    const auto n_wanted =
        std::max<std::int64_t>(max_comm_tasks, (n_all_cells + many_cells - 1) / many_cells);
    const std::size_t n_parts = max_comm_tasks == 0
                                    ? cells.size()
                                    : std::min(cells.size(), static_cast<std::size_t>(n_wanted));
    const std::vector<std::size_t> cuts = cut_evenly(cells, n_parts);
    for (std::size_t part = 0; part < n_parts; ++part) {
      std::vector<Item> run;
      run.reserve(cuts[part + 1] - cuts[part]);
      std::int64_t n_cells = 0;
      for (std::size_t i = cuts[part]; i < cuts[part + 1]; ++i) {
        run.push_back((begin + static_cast<std::ptrdiff_t>(i))->second);
        n_cells += cells[i];
      }
      emit(begin->first, std::move(run), n_cells);
    }
    begin = end;
  }
}

/// Copies collected in any order, each with the rank at the other end.
template <int D>
struct Collected {
  std::vector<Copy<D>> locals;
  ToPeers<Copy<D>> sends;
  ToPeers<Copy<D>> recvs;

  /// Add a copy to a block of this rank, `here`, from one of another rank or of this one.
  void take(Rank owner, Rank here, const Copy<D>& copy) {
    if (owner == here)
      locals.push_back(copy);
    else
      recvs.emplace_back(owner, copy);
  }
};

/// Sort copies that were collected block by block of their destinations: fast where those came in
/// order, as they mostly do.
template <int D>
void sort_by_destination(std::vector<Copy<D>>& copies) {
  if (!std::ranges::is_sorted(copies, {}, &Copy<D>::dst)) {
    std::sort(copies.begin(), copies.end());
    return;
  }
  for (auto begin = copies.begin(); begin != copies.end();) {
    const auto end = std::find_if(begin, copies.end(),
                                  [&](const Copy<D>& copy) { return copy.dst != begin->dst; });
    std::sort(begin, end);
    begin = end;
  }
}

/// Sort collected copies and bundle them into messages.
template <int D>
Transfers<D> make_transfers(Collected<D> collected, int max_comm_tasks) {
  Transfers<D> transfers{.locals = std::move(collected.locals), .sends = {}, .recvs = {}};
  sort_by_destination(transfers.locals);
  const auto into = [](std::vector<Message<D>>& messages) {
    return [&messages](Rank peer, std::vector<Copy<D>> copies, std::int64_t n_cells) {
      messages.push_back({peer, std::move(copies), n_cells});
    };
  };
  bundle(std::move(collected.sends), max_comm_tasks, into(transfers.sends));
  bundle(std::move(collected.recvs), max_comm_tasks, into(transfers.recvs));
  return transfers;
}

/// Check what cells and points ask of a plan alike: neighbourhoods of the forest, a level of it.
template <int D>
void check_common([[maybe_unused]] const mesh::Forest<D>& forest,
                  [[maybe_unused]] const mesh::NeighbourInfo<D>& neighbours,
                  [[maybe_unused]] const PlanOptions& options, [[maybe_unused]] int lowest_level) {
  THALWEG_EXPECT(neighbours.revision == forest.revision, "neighbours of another forest");
  THALWEG_EXPECT(options.level >= lowest_level && options.level < forest.n_levels(),
                 "no such level to plan for");
  THALWEG_EXPECT(options.max_comm_tasks >= 0, "a number of messages");
  THALWEG_EXPECT(options.coarse_reach >= 0, "a number of cells");
}

/// Check that the options fit the forest and the neighbourhoods belong to it.
template <int D>
void check(const mesh::Forest<D>& forest, const mesh::NeighbourInfo<D>& neighbours,
           const PlanOptions& options, int lowest_level) {
  check_common(forest, neighbours, options, lowest_level);
  THALWEG_EXPECT(
      options.n_ghosts >= 1 && options.n_ghosts <= forest.geometry.block_cells().fewest(),
      "ghost layers reach no further than the neighbours");
  if (options.level == 0) return;
  [[maybe_unused]] const int ratio = forest.geometry.ratio(options.level - 1);
  THALWEG_EXPECT((options.n_ghosts + ratio - 1) / ratio + options.coarse_reach <=
                     forest.geometry.block_cells().fewest(),
                 "prolongation reads no further than the neighbours of the parent");
}

/// The fine blocks near this rank's blocks of the level below a fine level.
template <int D>
const std::vector<mesh::FineNeighbour<D>>& fine_neighbours(const mesh::NeighbourInfo<D>& neighbours,
                                                           int fine_level) {
  return neighbours.levels[static_cast<std::size_t>(fine_level) - 1].fine_neighbours;
}

}  // namespace thalweg::exchange::detail
