// SPDX-License-Identifier: MIT
// The energies have the same bits however the work is spread and scheduled.
#include <array>

#include <gtest/gtest.h>

#include <thalweg/core/random.hpp>

#include "../../../tests/support/campaign.hpp"
#include "on_ranks.hpp"

namespace thalweg::lulesh {
namespace {

using testing::Outcome;
using testing::run_on;

constexpr std::array models{flow::Model::bulk, flow::Model::forkjoin, flow::Model::phase,
                            flow::Model::dataflow};

TEST(LuleshSameBits, on_1_8_and_27_ranks) {
  const Settings settings{.last_cycle = 25};
  const Outcome expected = run_on(1, 6, settings);
  ASSERT_EQ(expected.error, "");
  ASSERT_EQ(expected.n_cycles, 25);
  EXPECT_EQ(run_on(2, 6, settings), expected);
  EXPECT_EQ(run_on(3, 6, settings), expected);
}

TEST(LuleshSameBits, where_a_rank_is_one_element_among_others) {
  const Settings settings{.last_cycle = 10};
  EXPECT_EQ(run_on(3, 3, settings), run_on(1, 3, settings));
}

TEST(LuleshSameBits, to_the_end_of_time_on_8_ranks) {
  const Outcome expected = run_on(1, 4, {});
  ASSERT_EQ(expected.error, "");
  EXPECT_EQ(expected.time, 1e-2);
  EXPECT_EQ(run_on(2, 4, {}), expected);
}

TEST(LuleshSameBits, in_all_models_and_tasks) {
  const Settings settings{.last_cycle = 12};
  const Outcome expected = run_on(1, 6, settings);
  for (const auto model : models)
    for (const std::int64_t n_tasks : {1, 3, 1000})
      for (const auto work : {ElementWork::block, ElementWork::region}) {
        Settings cut = settings;
        cut.n_element_tasks = n_tasks;
        cut.n_node_tasks = 1 + n_tasks / 2;
        cut.element_work = work;
        EXPECT_EQ(run_on(1, 6, cut, model), expected);
        EXPECT_EQ(run_on(2, 6, cut, model), expected);
      }
}

TEST(LuleshSameBits, with_any_regions) {
  const Outcome expected = run_on(1, 6, {.last_cycle = 12});
  for (const RegionSettings regions :
       {RegionSettings{.n_regions = 1}, RegionSettings{.n_regions = 300},
        RegionSettings{.n_regions = 20, .balance = 3, .cost = 4}})
    for (const auto work : {ElementWork::block, ElementWork::region})
      EXPECT_EQ(run_on(1, 6, {.regions = regions, .last_cycle = 12, .element_work = work}),
                expected);
}

TEST(LuleshSameBits, under_random_schedules_of_8_ranks) {
  const Settings settings{.last_cycle = 3};
  const Outcome expected = run_on(1, 4, settings);
  const auto n_seeds = thalweg::testing::few_or_many<std::uint64_t>(100, 1000);
  for (std::uint64_t seed = 0; seed < n_seeds; ++seed) {
    SplitMix64 random(seed);
    Settings cut = settings;
    cut.n_element_tasks = static_cast<std::int64_t>(1 + random.below(4));
    cut.n_node_tasks = static_cast<std::int64_t>(1 + random.below(4));
    cut.element_work = random.below(2) == 0 ? ElementWork::block : ElementWork::region;
    ASSERT_EQ(run_on(2, 4, cut, models[random.below(4)], seed), expected) << "seed " << seed;
  }
}

}  // namespace
}  // namespace thalweg::lulesh
