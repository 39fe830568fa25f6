// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/exchange/plan/transfers.hpp>
#include <thalweg/mesh/neighbour_info.hpp>
#include <thalweg/mesh/testing/cells.hpp>
#include <thalweg/mesh/testing/random_forest.hpp>
#include <thalweg/mesh/testing/ranks.hpp>

namespace thalweg::exchange::testing {

using mesh::testing::Case;
using mesh::testing::cases;
using mesh::testing::holder;
using mesh::testing::on_ranks;
using mesh::testing::wrapped;

inline std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

/// All ranks' knowledge of one random forest.
template <int D>
struct World {
  std::vector<mesh::Forest<D>> forests;
  std::vector<mesh::NeighbourInfo<D>> neighbours;
  std::set<mesh::Key<D>> keys;  ///< of all ranks

  const mesh::Geometry<D>& geometry() const { return forests[0].geometry; }
  int n_levels() const { return forests[0].n_levels(); }
};

template <int D>
World<D> make_world(const Case<D>& c, int n_ranks) {
  World<D> world;
  for (auto& [forest, neighbours] : on_ranks(n_ranks, [&](Rank rank, auto exchange) {
         const auto forest = mesh::testing::random_forest(c, rank, n_ranks, exchange);
         return std::pair(forest, mesh::find_neighbour_info(forest, exchange));
       })) {
    world.forests.push_back(std::move(forest));
    world.neighbours.push_back(std::move(neighbours));
  }
  world.keys = mesh::testing::all_keys(world.forests);
  return world;
}

/// Plan every level from the lowest, in every case, on some numbers of ranks.
///
/// plan(world, level) checks what concerns single ranks and returns all ranks' plans as one, which
/// must not depend on their number; check(world, level, whole) compares it with an oracle, once.
template <int D, class Plan, class Check>
void for_worlds(int lowest_level, Plan&& plan, Check&& check) {
  for (const Case<D>& c : cases<D>()) {
    const World<D> alone = make_world(c, 1);
    for (int level = lowest_level; level < alone.n_levels(); ++level) {
      SCOPED_TRACE(::testing::Message() << c << " level " << level);
      const auto whole = plan(alone, level);
      check(alone, level, whole);
      for (const int n_ranks : {2, 3}) {
        EXPECT_TRUE(plan(make_world(c, n_ranks), level) == whole) << "differs on " << n_ranks;
        Case<D> assigned = c;
        assigned.partitioner = static_cast<mesh::Partitioner>(1 + (c.seed + at(level)) % 3);
        EXPECT_TRUE(plan(make_world(assigned, n_ranks), level) == whole)
            << "differs on " << n_ranks << " with partitioner "
            << static_cast<int>(assigned.partitioner);
      }
    }
  }
}

/// Options with fewer and more ghost layers, messages and cells read from case to case.
template <int D>
PlanOptions options(const World<D>& world, int level) {
  const bool is_wide = world.geometry().is_periodic(0) && level == 1 && D < 3;
  return {.level = level,
          .n_ghosts = is_wide ? 8 : 3,
          .max_comm_tasks = level,
          .coarse_reach = 2 - level % 3};
}

/// Copies into a rank's blocks, sorted.
template <int D>
std::vector<Copy<D>> arriving(const Transfers<D>& transfers) {
  std::vector<Copy<D>> copies = transfers.locals;
  for (const Message<D>& message : transfers.recvs)
    copies.insert(copies.end(), message.copies.begin(), message.copies.end());
  std::sort(copies.begin(), copies.end());
  return copies;
}

/// All copies of all ranks, sorted.
template <int D>
std::vector<Copy<D>> all_copies(const std::vector<Transfers<D>>& by_rank) {
  std::vector<Copy<D>> copies;
  for (const Transfers<D>& transfers : by_rank) {
    const auto some = arriving(transfers);
    copies.insert(copies.end(), some.begin(), some.end());
  }
  std::sort(copies.begin(), copies.end());
  return copies;
}

/// Expect lists that are sorted, addressed to the right ranks, and the same on both sides.
///
/// @param sources, sinks  the forests by rank that say who owns a copy's src and dst
template <int D>
void expect_matching(const std::vector<Transfers<D>>& by_rank,
                     const std::vector<mesh::Forest<D>>& sources,
                     const std::vector<mesh::Forest<D>>& sinks, std::optional<int> max_comm_tasks) {
  for (std::size_t me = 0; me < by_rank.size(); ++me) {
    const auto& [locals, sends, recvs] = by_rank[me];
    EXPECT_TRUE(std::is_sorted(locals.begin(), locals.end()));
    for (const Copy<D>& copy : locals)
      EXPECT_TRUE(sources[me].has(copy.src) && sinks[me].has(copy.dst));
    for (std::size_t peer = 0; peer < by_rank.size(); ++peer) {
      std::vector<std::vector<Copy<D>>> sent;
      std::size_t n_copies = 0;
      for (const Message<D>& message : sends) {
        if (message.peer != Rank(peer)) continue;
        EXPECT_NE(me, peer);
        EXPECT_TRUE(std::is_sorted(message.copies.begin(), message.copies.end()));
        std::int64_t n_cells = 0;
        for (const Copy<D>& copy : message.copies) {
          n_cells += copy.n_cells();
          EXPECT_TRUE(sources[me].has(copy.src) && sinks[peer].has(copy.dst));
        }
        EXPECT_EQ(message.n_cells, n_cells);
        n_copies += message.copies.size();
        sent.push_back(message.copies);
      }
      if (max_comm_tasks) {
        const std::size_t limit = *max_comm_tasks == 0 ? n_copies : at(*max_comm_tasks);
        EXPECT_EQ(sent.size(), std::min(limit, n_copies));
      }
      std::vector<std::vector<Copy<D>>> received;
      for (const Message<D>& message : by_rank[peer].recvs) {
        if (message.peer != Rank(me)) continue;
        std::int64_t n_cells = 0;
        for (const Copy<D>& copy : message.copies) n_cells += copy.n_cells();
        EXPECT_EQ(message.n_cells, n_cells);
        received.push_back(message.copies);
      }
      EXPECT_EQ(sent, received);
    }
    const auto by_peer = [](const Message<D>& a, const Message<D>& b) { return a.peer < b.peer; };
    EXPECT_TRUE(std::is_sorted(sends.begin(), sends.end(), by_peer));
    EXPECT_TRUE(std::is_sorted(recvs.begin(), recvs.end(), by_peer));
  }
}

}  // namespace thalweg::exchange::testing
