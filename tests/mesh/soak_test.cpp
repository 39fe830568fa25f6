// SPDX-License-Identifier: MIT
// Thousands of regrids, metadata and plans: what comes back to the same mesh comes back to the same
// memory and the same messages.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include <thalweg/exchange/emit/collectives.hpp>
#include <thalweg/mesh/testing/leaf_neighbours.hpp>
#include <thalweg/mesh/testing/random_forest.hpp>
#include <thalweg/mesh/testing/random_leaves.hpp>
#include <thalweg/step/mesh.hpp>

#include "soak.hpp"

namespace thalweg::mesh {
namespace {

using thalweg::testing::expect_steady;
using thalweg::testing::soak;

std::int64_t n_copies(const step::Mesh<2>& mesh) {
  std::int64_t n = 0;
  const auto count = [&](const auto& transfers) {
    n += std::ssize(transfers.locals);
    for (const auto& message : transfers.sends) n += std::ssize(message.copies);
    for (const auto& message : transfers.recvs) n += std::ssize(message.copies);
  };
  for (const auto& plans : mesh.plans) count(plans.ghost.transfers);
  return n;
}

/// Counts that must be the same a period later.
struct Live {
  std::int64_t n_blocks = 0;
  std::int64_t n_copies = 0;
  std::size_t n_neighbours = 0;

  bool operator==(const Live&) const = default;
};

/// A mesh with something in it.
void expect_any(const Live& live) {
  EXPECT_GT(live.n_blocks, 20);
  EXPECT_GT(live.n_neighbours, 0u);
}

TEST(Soak, nested_regrids_with_plans_leave_nothing_behind) {
  const auto soaked = soak<Live>(60, [](flow::Transport& transport, const Clock&) {
    const testing::Case<2> c = testing::cases<2>()[2];
    return [&transport, c,
            forest = initial_forest(Geometry<2>(c.geometry), transport.rank(),
                                    transport.n_ranks())](int time) mutable {
      exchange::TransportCollectives collectives(transport);
      // Level 0 always has the same blocks, and only its tags count at the start of a period.
      auto wanted = testing::random_wanted(forest, c.seed + static_cast<std::uint64_t>(time));
      if (time == 0) std::erase_if(wanted, [](const Key<2>& key) { return key.level > 1; });
      auto mesh = step::make_mesh(regrid<2>(forest, wanted, collectives),
                                  {.n_ghosts = 2, .max_comm_tasks = 2}, collectives);
      forest = mesh.forest;
      Live now{.n_copies = n_copies(mesh)};
      for (const auto& level : forest.levels) now.n_blocks += level.n_global;
      for (const auto& level : mesh.neighbours.levels)
        now.n_neighbours += level.fine_neighbours.size();
      return now;
    };
  });
  expect_steady(soaked);
  expect_any(soaked.live[0]);
  EXPECT_GT(soaked.live[0].n_copies, 0);
}

TEST(Soak, leaves_that_adapt_leave_nothing_behind) {
  const auto soaked = soak<Live>(60, [](flow::Transport& transport, const Clock&) {
    testing::LeafCase<2> c = testing::leaf_case<2>(11);
    return [&transport, c,
            forest = initial_leaves(c.rules, c.first_level, transport.rank(), transport.n_ranks())](
               int time) mutable {
      exchange::TransportCollectives collectives(transport);
      // At the start of a period all families go, level by level.
      const bool joins = time < 8;
      std::vector<RefineFlag> flags(forest.leaves.size(), RefineFlag::coarsen);
      if (!joins) flags = testing::random_flags(c, time % 30, forest);
      forest = adapt<2>(forest, flags, collectives);
      const auto neighbours = testing::find_neighbours(forest, Adjacency::corners, collectives);
      return Live{.n_blocks = forest.n_global, .n_neighbours = neighbours.known().size()};
    };
  });
  expect_steady(soaked);
  expect_any(soaked.live[0]);
}

}  // namespace
}  // namespace thalweg::mesh
