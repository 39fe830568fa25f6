// SPDX-License-Identifier: MIT
// No false alarm and no data race: LULESH's cycles on one rank and on eight, by block and by
// region.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/comm/transport_alone.hpp>
#include <thalweg/core/clock.hpp>
#include <thalweg/flow/access_checker.hpp>

#include "../../apps/lulesh/test/on_ranks.hpp"

namespace thalweg::lulesh {
namespace {

void expect_nothing_found(int side, int n, Settings settings, flow::Model model) {
  settings.s = n / side;
  testing::Outcome outcome = testing::outcome_of(n);
  flow::AccessChecker checker;
  comm::SimNetwork network({.n_ranks = side * side * side});
  const auto done = network.run([&](flow::Transport& transport) {
    flow::UniformPicker picker(transport.rank()());
    testing::run_rank(settings, model, 2, {.picker = &picker, .checker = &checker}, transport,
                      network.clock(), outcome);
  });
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(outcome.n_cycles, settings.last_cycle);
  EXPECT_EQ(checker.findings(), std::vector<std::string>{});
  EXPECT_EQ(checker.n_merged(), 0u) << "of " << checker.n_checked();
  EXPECT_GT(checker.n_checked(), 0u);
}

TEST(Lulesh, declares_all_it_uses_on_one_rank) {
  for (const auto work : {ElementWork::block, ElementWork::region})
    for (const auto model : {flow::Model::phase, flow::Model::dataflow})
      expect_nothing_found(1, 4,
                           {.regions = {.n_regions = 3},
                            .last_cycle = 4,
                            .n_element_tasks = 3,
                            .n_node_tasks = 2,
                            .element_work = work},
                           model);
}

TEST(Lulesh, declares_all_it_uses_on_eight_ranks) {
  for (const auto work : {ElementWork::block, ElementWork::region})
    expect_nothing_found(2, 4,
                         {.regions = {.n_regions = 2},
                          .last_cycle = 3,
                          .n_element_tasks = 2,
                          .n_node_tasks = 2,
                          .element_work = work},
                         flow::Model::dataflow);
}

TEST(Lulesh, has_no_data_race_on_two_threads) {
  const Settings settings{.s = 6, .last_cycle = 30, .n_element_tasks = 6, .n_node_tasks = 5};
  const testing::Outcome expected = testing::run_on(1, 6, settings);
  for (const auto model : {flow::Model::forkjoin, flow::Model::phase, flow::Model::dataflow}) {
    testing::Outcome outcome = testing::outcome_of(6);
    comm::AloneTransport transport;
    const SteadyClock clock;
    testing::run_rank(settings, model, 2, {.n_workers = 2}, transport, clock, outcome);
    EXPECT_EQ(outcome, expected);
  }
}

}  // namespace
}  // namespace thalweg::lulesh
