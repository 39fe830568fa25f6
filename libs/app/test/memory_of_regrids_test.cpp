// SPDX-License-Identifier: MIT
// What a simulation says that it holds, and what it expects of a regrid before it makes it, beside
// what the process has on the heap: with MPI, each rank by itself.
#include <gtest/gtest.h>

#include <cstdint>

#include <thalweg/app/testing/runtime_main.hpp>
#include <thalweg/core/testing/heap_bytes.hpp>
#include <thalweg/flow/collective.hpp>

#include "carried.hpp"

namespace thalweg::app {
namespace {

using testing::Carried;
using testing::runtime;
using thalweg::testing::heap_bytes;
using thalweg::testing::most_heap_bytes;
using thalweg::testing::restart_most_heap_bytes;

/// Blocks of 8 x 8 cells, so small that graphs take more than cells do.
Settings<2> settings(int max_level) {
  Settings<2> s = testing::settings();
  s.mesh.root_blocks = {{24, 24}};
  s.mesh.max_level = max_level;
  s.regrid_interval = 0;                        // the tests say when
  s.block_source = field::BlockSource::heap;    // of slabs, pages that are never used would count
  s.memory_limit_bytes = std::size_t{1} << 40;  // so that needs are worked out
  return s;
}

/// The spot, but refined where a test says: in a corner, so many sixths of the domain wide.
Problem<Carried> refined_in_corner(const int& width) {
  Problem<Carried> problem = testing::carried_spot();
  problem.tag = [&width](const auto& cell, const auto&) {
    return 6 * cell.centre[0] < width && 6 * cell.centre[1] < width;
  };
  return problem;
}

class MemoryOfRegrids : public ::testing::TestWithParam<int> {};

TEST_P(MemoryOfRegrids, held_is_what_the_heap_gave) {
  const auto s = settings(GetParam());
  const int width = 3;
  flow::barrier(runtime->transport());
  const auto before = heap_bytes();
  const auto simulation = testing::made(runtime->context({}), refined_in_corner(width), s);
  ASSERT_EQ(simulation->mesh().n_levels(), GetParam() + 1);
  ASSERT_TRUE(simulation->advance_to(2));

  const auto taken = static_cast<double>(heap_bytes() - before);
  const double ratio = static_cast<double>(simulation->held_bytes()) / taken;
  EXPECT_GT(ratio, 0.85);
  EXPECT_LT(ratio, 1.05);
}

// Levels appear where there were none, grow, shrink and vanish.
TEST_P(MemoryOfRegrids, what_is_expected_is_what_it_takes) {
  const auto s = settings(GetParam());
  int width = 0;
  flow::barrier(runtime->transport());
  const auto before = heap_bytes();
  const auto simulation = testing::made(runtime->context({}), refined_in_corner(width), s);
  ASSERT_EQ(simulation->mesh().n_levels(), 1);
  for (const int next : {2, 2, 3, 5, 5, 1, 0, 4}) {
    width = next;
    ASSERT_TRUE(simulation->advance_to(simulation->time_state().step + 1));
    const auto revision = simulation->mesh().forest.revision;
    restart_most_heap_bytes();
    ASSERT_TRUE(simulation->regrid());
    if (simulation->mesh().forest.revision == revision) continue;
    ASSERT_TRUE(simulation->advance_to(simulation->time_state().step + 2));
    const auto most = static_cast<double>(most_heap_bytes() - before);
    const double ratio = static_cast<double>(simulation->expected_bytes()) / most;
    EXPECT_GT(ratio, 0.8) << "width " << width;
    EXPECT_LT(ratio, 1.8) << "width " << width;
  }
}

INSTANTIATE_TEST_SUITE_P(levels, MemoryOfRegrids, ::testing::Values(0, 1, 2));

}  // namespace
}  // namespace thalweg::app
