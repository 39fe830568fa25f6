// SPDX-License-Identifier: MIT
#include <thalweg/miniamr/totals.hpp>

#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/comm/sim_network.hpp>

namespace thalweg::miniamr {
namespace {

TEST(Totals, count_an_operation_for_each_addition_and_division_of_a_cell) {
  Options options;
  options.block_cells = {4, 6, 2};
  options.num_vars = 5;
  options.stages_per_ts = 7;
  options.checksum_freq = 3;
  options.stencil = Stencil::twenty_seven;
  RunFacts facts{.n_steps = 2, .total_blocks = 11};
  count_operations(options, {}, facts);
  EXPECT_EQ(facts.n_adds, 11 * 48 * 5 * 26);
  EXPECT_EQ(facts.n_divides, 11 * 48 * 5);
  EXPECT_EQ(facts.n_reductions, 2 * 3 * 5);  // stages 0, 3 and 6 of each timestep
}

TEST(Totals, count_checksums_however_rare_they_are) {
  Options options;
  options.num_vars = 5;
  options.stages_per_ts = 20;
  options.checksum_freq = std::numeric_limits<int>::max();
  RunFacts facts{.n_steps = 2};
  count_operations(options, {}, facts);
  EXPECT_EQ(facts.n_reductions, 2 * 5) << "at the first stage of each timestep";
  options.stages_per_ts = 0;
  count_operations(options, {}, facts);
  EXPECT_EQ(facts.n_reductions, 0);
}

TEST(Totals, take_the_mixed_stencils_operations_as_they_were_counted) {
  Options options;
  options.checksum_freq = 0;
  options.stencil = Stencil::mixed;
  RunFacts facts{.n_steps = 2, .total_blocks = 11};
  count_operations(options, {3, 4, 5}, facts);
  EXPECT_EQ(facts.n_flops(), 12);
  EXPECT_EQ(facts.n_reductions, 0);
}

TEST(Totals, sum_the_least_and_the_greatest_times_of_ranks_over_timesteps) {
  comm::SimNetwork network({.n_ranks = 3, .seed = 1});
  const auto done = network.run([](flow::Transport& transport) {
    exchange::TransportCollectives collectives(transport);
    const double rank = transport.rank()();
    // The third timestep took no time that anybody measured.
    RunFacts facts{.n_steps = 3};
    add_up_steps({{.compute_s = rank, .comm_s = 10}, {.compute_s = 5 - rank, .comm_s = 2 * rank}},
                 {0, rank}, collectives, facts);
    EXPECT_EQ(facts.compute.least_s, 0 + 3);
    EXPECT_EQ(facts.compute.most_s, 2 + 5);
    EXPECT_EQ(facts.both.least_s, 10 + 5);
    EXPECT_EQ(facts.both.most_s, 12 + 7);
    EXPECT_EQ(facts.refine.most_s, 2);
  });
  EXPECT_TRUE(done) << done.error().message;
}

TEST(Totals, of_many_timesteps_are_those_of_each_in_their_order) {
  comm::SimNetwork network({.n_ranks = 3, .seed = 1});
  const auto done = network.run([](flow::Transport& transport) {
    exchange::TransportCollectives collectives(transport);
    const double rank = transport.rank()();
    std::vector<StepTimes> steps;
    StepSpread expected;
    for (int step = 0; step < 150; ++step) {
      const double s = 0.1 / (1 + step);
      steps.push_back({.compute_s = s + rank * s, .comm_s = 1});
      expected.add({s, s + 2 * s});
    }
    RunFacts facts{.n_steps = 150};
    add_up_steps(steps, {}, collectives, facts);
    EXPECT_EQ(facts.compute.least_s, expected.least_s);
    EXPECT_EQ(facts.compute.most_s, expected.most_s);
    EXPECT_EQ(facts.comm.least_s, 150);
    EXPECT_EQ(facts.refine.most_s, 0);
  });
  EXPECT_TRUE(done) << done.error().message;
}

}  // namespace
}  // namespace thalweg::miniamr
