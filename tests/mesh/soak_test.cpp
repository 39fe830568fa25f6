// SPDX-License-Identifier: MIT
// Thousands of regrids, metadata and plans: what comes back to the same mesh comes back to the same
// memory and the same messages.
#include <malloc.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <thalweg/app/rounds.hpp>
#include <thalweg/comm/sim_network.hpp>
#include <thalweg/mesh/leaf_neighbours.hpp>
#include <thalweg/mesh/testing/random_forest.hpp>
#include <thalweg/mesh/testing/random_leaves.hpp>
#include <thalweg/step/mesh.hpp>

namespace thalweg::mesh {
namespace {

constexpr int n_ranks = 3;
constexpr int period = 50;  // regrids until the mesh is the same again

// Bytes that the program has from the heap; of all ranks, as they share it.
std::size_t live_bytes() {
  return mallinfo2().uordblks;
}

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
  std::size_t n_near = 0;

  bool operator==(const Live&) const = default;
};

// Runs regrids on virtual ranks, some periods of them; step(time, transport) does one on a rank.
// Returns what was live on rank 0 and in memory at the ends of the periods.
template <class Step>
std::pair<std::vector<Live>, std::vector<std::size_t>> soak(int n_periods, Step step) {
  std::vector<Live> live;
  std::vector<std::size_t> bytes;
  // Room ahead: these lists are not to be seen in the memory.
  live.reserve(static_cast<std::size_t>(n_periods));
  bytes.reserve(static_cast<std::size_t>(n_periods));
  comm::SimNetwork network({.n_ranks = n_ranks, .seed = 7, .max_delay = 1});
  const auto done = network.run([&](flow::Transport& transport) {
    auto regrid = step(transport);
    for (int i = 0; i < n_periods; ++i) {
      Live now;
      for (int time = 0; time < period; ++time) now = regrid(static_cast<std::uint64_t>(time));
      flow::barrier(transport);
      if (transport.rank() == Rank(0)) {
        live.push_back(now);
        bytes.push_back(live_bytes());
      }
      flow::barrier(transport);
    }
  });
  EXPECT_TRUE(done) << done.error().message;
  return {live, bytes};
}

void expect_steady(const std::vector<Live>& live, const std::vector<std::size_t>& bytes) {
  ASSERT_GT(live.size(), 4u);
  EXPECT_GT(live[0].n_blocks, 20);
  EXPECT_GT(live[0].n_near, 0u);
  EXPECT_EQ(std::ranges::count(live, live[0]), std::ssize(live));
  // The first periods fill lists that keep their room.
  const double first = static_cast<double>(bytes[2]);
  const double last = static_cast<double>(bytes.back());
  const double slope = (last - first) / static_cast<double>(period * (bytes.size() - 3));
  EXPECT_LT(slope, 1024) << "bytes a regrid, all ranks";
}

TEST(Soak, nested_regrids_with_plans_leave_nothing_behind) {
  const auto [live, bytes] = soak(60, [](flow::Transport& transport) {
    const testing::Case<2> c = testing::cases<2>()[2];
    return [&transport, c,
            forest = initial_forest(Geometry<2>(c.geometry), transport.rank(),
                                    transport.n_ranks())](std::uint64_t time) mutable {
      app::TransportRounds rounds(transport);
      // Level 0 always has the same blocks, and only its tags count at the start of a period.
      auto wanted = testing::random_wanted(forest, c.seed + time);
      if (time == 0) std::erase_if(wanted, [](const Key<2>& key) { return key.level > 1; });
      auto mesh = step::make_mesh(regrid<2>(forest, wanted, rounds),
                                  {.n_ghosts = 2, .max_comm_tasks = 2}, rounds);
      forest = mesh.forest;
      Live now{.n_copies = n_copies(mesh)};
      for (const auto& level : forest.levels) now.n_blocks += level.n_global;
      for (const auto& level : mesh.near.levels) now.n_near += level.fine_near.size();
      return now;
    };
  });
  EXPECT_EQ(live.size() * period, 3000u);
  expect_steady(live, bytes);
  EXPECT_GT(live[0].n_copies, 0);
}

TEST(Soak, leaves_that_adapt_leave_nothing_behind) {
  const auto [live, bytes] = soak(60, [](flow::Transport& transport) {
    testing::LeafCase<2> c = testing::leaf_case<2>(11);
    return [&transport, c,
            forest = initial_leaves(c.rules, c.first_level, transport.rank(), transport.n_ranks())](
               std::uint64_t time) mutable {
      app::TransportRounds rounds(transport);
      // At the start of a period all families go, level by level.
      const bool joins = time < 8;
      std::vector<Wish> wishes(forest.leaves.size(), Wish::coarsen);
      if (!joins) wishes = testing::random_wishes(c, static_cast<int>(time % 30), forest);
      forest = adapt<2>(forest, wishes, rounds);
      const auto near = find_neighbours(forest, Adjacency::corners, rounds);
      return Live{.n_blocks = forest.n_global, .n_near = near.known().size()};
    };
  });
  EXPECT_EQ(live.size() * period, 3000u);
  expect_steady(live, bytes);
}

}  // namespace
}  // namespace thalweg::mesh
