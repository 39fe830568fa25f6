// SPDX-License-Identifier: MIT
#include <thalweg/trace/task_table.hpp>

#include <gtest/gtest.h>

#include "hand_made.hpp"

namespace thalweg::trace {
namespace {

TEST(TaskTable, percentiles_are_times_that_were_taken) {
  RankTrace trace = test::rank_trace(0, 1, 1, test::graph({{}}, {"a"}, {}), {0, 100'000});
  // 1, 2, ..., 200 ns, in an order that is not sorted.
  for (std::uint64_t r = 0; r < 200; ++r) {
    const auto start = static_cast<std::int64_t>(500 * r);
    test::add(trace, {0, 0, {start, start + 1 + static_cast<std::int64_t>(r * 77 % 200)}, r});
  }

  const auto table = task_table(test::history({trace}));

  ASSERT_EQ(table.size(), 1u);
  EXPECT_EQ(table[0], (TaskStatistics{.name = "a",
                                      .count = 200,
                                      .total_ns = 20100,
                                      .mean_ns = 100.5,
                                      .p50_ns = 100,
                                      .p95_ns = 190,
                                      .p99_ns = 198,
                                      .max_ns = 200}));
}

TEST(TaskTable, percentiles_are_the_least_that_are_not_below_so_many) {
  RankTrace trace = test::rank_trace(0, 1, 1, test::graph({{}}, {"a"}, {}), {0, 1000});
  for (std::int64_t r = 0; r < 12; ++r)  // 1, 2, ..., 12 ns
    test::add(trace, {0, 0, {50 * r, 50 * r + 1 + r}, static_cast<std::uint64_t>(r)});

  const auto table = task_table(test::history({trace}));

  EXPECT_EQ(table.at(0).p50_ns, 6);
  EXPECT_EQ(table.at(0).p95_ns, 12);  // 11 are only 92 %
}

TEST(TaskTable, one_task_is_all_its_percentiles) {
  const auto table = task_table(test::history({test::one_after_another()}));

  ASSERT_EQ(table.size(), 2u);
  EXPECT_EQ(table[0].name, "a");  // the longer one first
  EXPECT_EQ(table[0].p50_ns, 40);
  EXPECT_EQ(table[0].p99_ns, 40);
  EXPECT_EQ(table[1].max_ns, 25);
}

TEST(TaskTable, parts_of_a_suspended_task_are_one_task) {
  auto trace = test::one_after_another();
  trace.events[0].pop_back();
  test::add(trace, {0, 0, {51, 54}});  // the rest of a

  const auto table = task_table(test::history({trace}));

  EXPECT_EQ(table[0].name, "a");
  EXPECT_EQ(table[0].count, 1u);
  EXPECT_EQ(table[0].total_ns, 43);
}

TEST(TaskTable, adds_up_over_ranks_and_leaves_messages_out) {
  auto traces = test::make_and_use();
  traces[1].graphs[0].names[1] = "make";

  const auto table = task_table(test::history(traces));

  ASSERT_EQ(table.size(), 1u);
  EXPECT_EQ(table[0].count, 2u);
}

TEST(TaskTable, has_whole_tasks_that_began_in_the_window) {
  RankTrace trace = test::rank_trace(0, 1, 2, test::graph({{}, {}}, {"a", "b"}, {}), {0, 90});
  trace.steps = {.first = 2, .last = 3};
  trace.runs[0].first_step = 1;
  for (const std::uint64_t r : {0u, 1u, 2u})
    test::add(trace, {0, 0, {std::int64_t(30 * r), std::int64_t(30 * r + 30)}, r});
  test::add(trace, {1, 1, {50, 90}, 2});

  const auto table = task_table(test::history({trace}));

  ASSERT_EQ(table.size(), 2u);
  EXPECT_EQ(table[0].name, "b");
  EXPECT_EQ(table[0].total_ns, 40);
  EXPECT_EQ(table[1].count, 1u);
}

}  // namespace
}  // namespace thalweg::trace
