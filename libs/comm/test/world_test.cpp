// SPDX-License-Identifier: MIT
#include <thalweg/comm/launcher.hpp>
#include <thalweg/comm/library.hpp>
#include <thalweg/comm/world.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/flow/collective.hpp>

namespace thalweg::comm {
namespace {

const World* world = nullptr;  // that of main: MPI starts and ends once a process

TEST(World, has_a_transport_among_all_ranks) {
  flow::Transport& transport = world->transport();
  std::vector<std::uint32_t> expected;
  for (int r = 0; r < transport.n_ranks(); ++r) expected.push_back(static_cast<std::uint32_t>(r));
  EXPECT_EQ(flow::all_gather(transport, transport.rank()()), expected);
}

TEST(World, has_as_many_ranks_as_were_started) {
  EXPECT_EQ(n_ranks_started(), world->transport().n_ranks());
}

TEST(World, has_the_rank_that_was_started) {
  const auto rank = std::to_string(world->transport().rank()());
  EXPECT_TRUE(rank_started().ends_with("RANK=" + rank)) << rank_started();
}

TEST(World, has_threads_take_turns_in_mpi) {
  const auto level = thread_level();
  EXPECT_TRUE(level == "MPI_THREAD_SERIALIZED" || level == "MPI_THREAD_MULTIPLE") << level;
}

}  // namespace
}  // namespace thalweg::comm

int main(int argc, char** argv) {
  const thalweg::comm::World made(&argc, &argv);
  testing::InitGoogleTest(&argc, argv);
  thalweg::comm::world = &made;
  const int failed = RUN_ALL_TESTS();
  return thalweg::flow::all_reduce(made.transport(), failed,
                                   [](int a, int b) { return std::max(a, b); });
}
