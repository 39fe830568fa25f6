// SPDX-License-Identifier: MIT
#include "../src/task_sampling.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace thalweg::flow {
namespace {

/// A worker whose time is told by the test.
class Worker {
 public:
  explicit Worker(std::int64_t look_ticks) : look_(look_ticks) { sampling_.begin(look_ticks); }

  void run(std::int64_t task, std::int64_t between) {
    if (!is_in_task_) {
      sampling_.see_begin(since_look_);
      overhead += since_look_;
      look();
      is_in_task_ = true;
    }
    since_look_ += task;
    if (sampling_.end_task()) {
      is_in_task_ = false;
      split(sampling_.see_end(since_look_));
    }
    since_look_ += between;
  }
  void rest() {
    if (is_in_task_) split(sampling_.see_rest(since_look_));
    is_in_task_ = false;
    sampling_.end_batch();
  }

  std::int64_t work = 0, overhead = 0, n_looks = 0;

 private:
  void look() {
    ++n_looks;
    since_look_ = look_;  // half before the moment, half after: all after
  }
  void split(std::int64_t between) {
    work += since_look_ - between;
    overhead += between;
    look();
  }

  TaskSampling sampling_;
  std::int64_t look_;
  std::int64_t since_look_ = 0;
  bool is_in_task_ = false;
};

TEST(TaskSampling, looks_at_an_eighth_of_short_tasks_and_tells_what_was_between_them) {
  constexpr std::int64_t n = 10'000, task = 40, between = 17, look = 25;
  Worker worker(look);
  for (int i = 0; i < n; ++i) worker.run(task, between);
  worker.rest();

  EXPECT_LE(worker.n_looks, n / 8 + 10);
  EXPECT_NEAR(static_cast<double>(worker.overhead), n * between, 0.15 * n * between);
  EXPECT_NEAR(static_cast<double>(worker.work), n * task, 0.05 * n * task);
}

TEST(TaskSampling, looks_at_each_end_of_tasks_that_are_not_short) {
  Worker worker(25);
  for (int i = 0; i < 100; ++i) worker.run(TaskSampling::short_ticks, 30);
  worker.rest();

  EXPECT_EQ(worker.n_looks, 200);
  EXPECT_EQ(worker.work, 100 * (TaskSampling::short_ticks + 25));
}

TEST(TaskSampling, comes_back_to_each_end_after_a_long_task) {
  Worker worker(25);
  for (int i = 0; i < 1000; ++i) worker.run(10, 10);
  for (int i = 0; i < 100; ++i) worker.run(100 * TaskSampling::short_ticks, 10);
  const std::int64_t n_looks = worker.n_looks;
  for (int i = 0; i < 100; ++i) worker.run(100 * TaskSampling::short_ticks, 10);

  EXPECT_EQ(worker.n_looks - n_looks, 200);
}

TEST(TaskSampling, takes_no_interruption_for_the_usual_time_between_tasks) {
  Worker worker(25);
  for (int i = 0; i < 1000; ++i) worker.run(40, 17);
  worker.run(40, 10'000'000);
  const std::int64_t before = worker.overhead;
  for (int i = 0; i < 15; ++i) worker.run(40, 17);
  worker.rest();

  EXPECT_LE(worker.overhead - before, 10'000'000 + 16 * 1000);
}

TEST(TaskSampling, looks_at_each_end_where_looks_cost_nothing) {
  Worker worker(0);
  for (int i = 0; i < 1000; ++i) worker.run(3, 2);

  EXPECT_EQ(worker.n_looks, 2000);
  EXPECT_EQ(worker.work, 3000);
}

}  // namespace
}  // namespace thalweg::flow
