// SPDX-License-Identifier: MIT
// The tasks of a step that only replays its graph do not touch the heap, and a regrid does so
// little.
#include <gtest/gtest.h>

#include <vector>

#include <thalweg/app/application.hpp>
#include <thalweg/app/testing/runtime_main.hpp>
#include <thalweg/core/testing/heap_calls.hpp>
#include <thalweg/flow/collective.hpp>
#include <thalweg/hydro/application.hpp>
#include <thalweg/hydro/setup.hpp>
#include <thalweg/io/deck.hpp>

#include "../../libs/app/test/made.hpp"

namespace thalweg::app {
namespace {

using testing::runtime;

hydro::Setup<3> blast_on_three_levels() {
  const std::vector<Application> applications{hydro::application()};
  return hydro::set_up<3>(load_deck(applications, R"(
    problem.name = "blast"
    mesh.root_blocks = [2, 2, 2]
    mesh.block_cells = 8
    mesh.max_level = 2
    problem.centre = [0.5, 0.5, 0.5]
    problem.pressure = 0.1
    time.end = 10.0
    regrid.interval = 0)",
                                    "test"));
}

class SteadyStep : public ::testing::TestWithParam<flow::Model> {};

TEST_P(SteadyStep, allocates_nothing) {
  const auto setup = blast_on_three_levels();
  const std::uint32_t n_workers = GetParam() == flow::Model::bulk ? 1 : 2;
  const auto simulation =
      testing::made(runtime->context({.model = GetParam(), .executor = {.n_workers = n_workers}}),
                    setup.problem, setup.settings, [](const StepStatistics&) {});
  ASSERT_EQ(simulation->mesh().n_levels(), 3);
  ASSERT_TRUE(simulation->advance_to(3));  // buffers of the executor and of MPI reach their size
  flow::barrier(runtime->transport());

  const std::uint64_t before = thalweg::testing::n_heap_calls();
  const auto done = simulation->advance_to(8);

  EXPECT_EQ(thalweg::testing::n_heap_calls(), before);
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(simulation->time_state().step, 8);
}

// Some 120 blocks on three levels. What is asked for are lists, which double, and messages, also of
// blocks that stay and are joined to others than before: further blocks add less than a call each
// (libs/step/test/heap_test.cpp).
TEST(Regrid, asks_the_heap_for_lists_and_messages_but_not_for_each_block) {
  const auto setup = blast_on_three_levels();
  const auto simulation = testing::made(runtime->context({}), setup.problem, setup.settings);
  std::uint64_t n_changes = 0;
  std::uint64_t n_calls = 0;
  for (int step = 2; step <= 20; step += 2) {
    ASSERT_TRUE(simulation->advance_to(step));
    const auto revision = simulation->mesh().forest.revision;
    const std::uint64_t before = thalweg::testing::n_heap_calls();
    ASSERT_TRUE(simulation->regrid());
    if (simulation->mesh().forest.revision == revision) continue;
    ++n_changes;
    n_calls += thalweg::testing::n_heap_calls() - before;
  }

  EXPECT_GE(n_changes, 2u);
  EXPECT_LT(n_calls, (runtime->transport().n_ranks() == 1 ? 1000 : 1600) * n_changes);
}

INSTANTIATE_TEST_SUITE_P(models, SteadyStep,
                         ::testing::Values(flow::Model::bulk, flow::Model::forkjoin,
                                           flow::Model::phase, flow::Model::dataflow));

}  // namespace
}  // namespace thalweg::app
