// SPDX-License-Identifier: MIT
// No false alarm: data at nodes and faces, through regrids, on one rank and on three, spread over
// two workers.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <thalweg/comm/sim_network.hpp>
#include <thalweg/flow/access_checker.hpp>
#include <thalweg/flow/picker.hpp>
#include <thalweg/induction/induction.hpp>

namespace thalweg::testing {
namespace {

/// A small loop, so that there are few blocks; regrids make new ones before it.
void expect_nothing_found(int n_ranks, int max_level, flow::Model model) {
  induction::Settings settings;
  settings.mesh.max_level = max_level;
  settings.radius = n_ranks == 1 ? 0.15 : 0.1;
  settings.end = 0.05;
  settings.regrid_interval = 4;
  flow::AccessChecker checker;
  std::int64_t n_new_blocks = 0;
  comm::SimNetwork network({.n_ranks = n_ranks});
  const auto done = network.run([&](flow::Transport& transport) {
    flow::UniformPicker picker(transport.rank()());
    const auto summary =
        induction::run(transport, network.clock(),
                       {.n_workers = 2, .picker = &picker, .checker = &checker}, model, settings);
    if (!summary) transport.abort(summary.error().message);
    n_new_blocks = summary->n_regridded;
    EXPECT_EQ(summary->n_levels, max_level + 1);
  });
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_GT(n_new_blocks, 0);
  EXPECT_EQ(checker.findings(), std::vector<std::string>{});
  EXPECT_EQ(checker.n_merged(), 0u) << "of " << checker.n_checked();
}

TEST(Induction, declares_all_it_uses_on_one_rank) {
  expect_nothing_found(1, 2, flow::Model::dataflow);
}

TEST(Induction, declares_all_it_uses_on_three_ranks) {
  expect_nothing_found(3, 1, flow::Model::dataflow);
  expect_nothing_found(3, 1, flow::Model::phase);
}

}  // namespace
}  // namespace thalweg::testing
