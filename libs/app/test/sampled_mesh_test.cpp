// SPDX-License-Identifier: MIT
#include <thalweg/app/sampled_mesh.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/app/memory.hpp>

#include "carried.hpp"

namespace thalweg::app {
namespace {

using testing::Carried;

/// Cells within a width of their own of a circle are tagged.
Problem<Carried> circle() {
  auto problem = testing::carried_spot();
  problem.tag = [](const numerics::CellContext<2>& cell, const auto&) {
    const double r = std::hypot(cell.centre[0] - 0.5, cell.centre[1] - 0.5);
    return std::abs(r - 0.3) < cell.dx[0];
  };
  return problem;
}

Settings<2> settings(int max_level, int root_blocks = 4) {
  return {
      .mesh = {.root_blocks = {root_blocks, root_blocks}, .block_cells = 8, .max_level = max_level},
      .time = {.max_steps = 1000}};
}

SampledMesh sample(const Problem<Carried>& problem, const Settings<2>& settings, double enough) {
  return sample_mesh(block_problem(problem, settings), settings, enough);
}

TEST(SampleMesh, is_below_the_mesh_that_is_made_and_not_far) {
  const auto deep = settings(5);
  std::vector<LevelCost> made;
  io::MemoryFileSystem files;
  const auto done = testing::on_ranks(1, files, [&](const Context& context) {
    made = testing::made(context, circle(), deep)->cost().levels;
  });
  ASSERT_TRUE(done) << done.error().message;
  ASSERT_EQ(made.size(), 6u);
  // Left out are buffers and nesting, which put a margin around so thin a line.
  for (double enough = 1e5; enough < 1e6; enough *= 1.5) {
    const auto found = sample(circle(), deep, enough);
    ASSERT_GT(found.bytes, enough);
    ASSERT_GE(found.finest, 1);
    const auto n = static_cast<double>(made[static_cast<std::size_t>(found.finest)].n_blocks);
    EXPECT_LT(found.n_blocks, n) << found.finest;
    EXPECT_GT(found.n_blocks, 0.15 * n) << found.finest;
  }
}

TEST(SampleMesh, does_not_look_where_all_would_fit) {
  auto problem = testing::carried_spot();
  std::atomic<int> n_looks = 0;
  problem.initial = [&](const numerics::CellContext<2>&) { return ++n_looks, Carried::State{1}; };
  EXPECT_EQ(sample(problem, settings(3), 1e12).bytes, 0);
  EXPECT_EQ(n_looks, 0);
}

TEST(SampleMesh, looks_at_few_blocks_of_a_deep_mesh) {
  auto problem = circle();
  std::atomic<int> n_blocks = 0;
  problem.tag = [&n_blocks, tag = step::SetTags<2>(problem.tag)](
                    const step::LevelContext<2>& level, const View<const double, 2>& cells,
                    const Box<2>& valid, const View<std::uint8_t, 2>& tags) {
    ++n_blocks;
    tag(level, cells, valid, tags);
  };
  auto deep = settings(16);
  const auto found = sample(problem, deep, 1e10);
  EXPECT_GT(found.bytes, 1e10);
  EXPECT_GT(found.n_blocks, 10'000);
  EXPECT_LE(n_blocks, 4 * 16 * (found.finest + 1));
}

TEST(SampleMesh, a_few_blocks_that_are_not_like_the_others_do_not_decide) {
  // One block of a hundred on level 0 is refined wholly, as deep as one may: in no more than some
  // samples it stands for others.
  auto problem = testing::carried_spot();
  for (int place = 0; place < 10; ++place) {
    problem.tag = [place](const numerics::CellContext<2>& cell, const auto&) {
      return std::abs(cell.centre[0] - 0.1 * place - 0.05) < 0.03 &&
             std::abs(cell.centre[1] - 0.45) < 0.03;
    };
    const auto shallow = settings(4, 10);
    // What it takes: 100 blocks of level 0, then 4, 16, 64, 256 times a third.
    EXPECT_EQ(sample(problem, shallow, 1000 * 20'000.0).bytes, 0) << place;
  }
}

TEST(SampleMesh, of_states_that_cannot_be_made_knows_nothing) {
  auto problem = circle();
  problem.initial = [](const numerics::CellContext<2>&) {
    return Carried::State{std::numeric_limits<double>::quiet_NaN()};
  };
  EXPECT_EQ(sample(problem, settings(16), 1e6).bytes, 0);
  problem.initial = [](const numerics::CellContext<2>&) -> Carried::State {
    throw std::runtime_error("no table");
  };
  EXPECT_EQ(sample(problem, settings(16), 1e6).bytes, 0);
}

TEST(SampleMesh, does_not_ask_for_states_outside_the_domain) {
  auto problem = circle();
  std::ranges::fill(problem.boundaries, numerics::Boundary::outflow);
  std::atomic<int> n_outside = 0;
  problem.initial = [&](const numerics::CellContext<2>& cell) {
    for (int a = 0; a < 2; ++a) n_outside += cell.centre[a] < 0 || cell.centre[a] > 1;
    return Carried::State{1};
  };
  EXPECT_GT(sample(problem, settings(16), 1e9).bytes, 1e9);
  EXPECT_EQ(n_outside, 0);
}

TEST(SampleMesh, counts_the_tasks_of_steps_as_well) {
  // A point as deep as one may: few blocks, that make 2^16 steps in one of level 0.
  auto problem = testing::carried_spot();
  problem.tag = [](const numerics::CellContext<2>& cell, const auto&) {
    return std::abs(cell.centre[0] - 0.3) < cell.dx[0] &&
           std::abs(cell.centre[1] - 0.3) < cell.dx[1];
  };
  auto deep = settings(16);
  EXPECT_GT(sample(problem, deep, 1e8).bytes, 1e8);
  deep.time.subcycle = false;
  EXPECT_EQ(sample(problem, deep, 1e8).bytes, 0);
}

}  // namespace
}  // namespace thalweg::app
