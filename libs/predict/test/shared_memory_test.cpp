// SPDX-License-Identifier: MIT
// Tasks that share the bandwidth to memory, whose times a sum by hand gives.
#include <thalweg/predict/simulate.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/predict/critical_path.hpp>

#include "hand_made.hpp"

namespace thalweg::predict {
namespace {

using flow::Model;
using flow::Recorder;
using flow::uses;

Machine machine_of(std::uint32_t domain_cores, double full_speed_cores, int ranks_per_node = 1) {
  return {.ranks_per_node = ranks_per_node,
          .shared_memory = {.domain_cores = domain_cores, .full_speed_cores = full_speed_cores}};
}

/// Memory bounds "a", of 100 ns, and "b", of 10 ns, but not "c".
TaskTimes times() {
  TaskTimes all = hand_times();
  for (const char* name : {"a", "b"}) all.set_memory_bound(name);
  return all;
}

TEST(SharedMemory, IsWarnedOfWhereItBoundsNoTask) {
  const auto job_with = [](const TaskTimes& of_tasks) {
    return job_of(
        1, 1, Model::dataflow, [](Recorder& r, int) { r.task("a", uses(), nothing); }, of_tasks);
  };
  const std::string warning = warning_of_shared_memory(machine_of(4, 2), job_with(hand_times()));
  EXPECT_NE(warning.find("memory.domain_cores of machine \"ideal\" has no effect"),
            std::string::npos)
      << warning;
  EXPECT_EQ(warning_of_shared_memory(machine_of(4, 2), job_with(times())), "");
  EXPECT_EQ(warning_of_shared_memory(machine_of(0, 1), job_with(hand_times())), "");
}

/// Ranks whose worker i begins with the i-th task of some names.
Job side_by_side(const std::vector<const char*>& names, int n_ranks = 1) {
  return job_of(
      n_ranks, static_cast<std::uint32_t>(names.size()), Model::dataflow,
      [&](Recorder& r, int) {
        for (int i = 0; i < static_cast<int>(names.size()); ++i)
          r.task(names[static_cast<std::size_t>(i)], uses(), nothing, {.preferred_worker = i});
      },
      times());
}

TEST(SharedMemory, TasksBeyondThoseAtFullSpeedShareTheBandwidth) {
  const Job three = side_by_side({"a", "a", "a"});
  EXPECT_EQ(one_step_ns(three, machine_of(3, 3)), 100);
  EXPECT_EQ(one_step_ns(three, machine_of(3, 2)), 150);
  EXPECT_EQ(one_step_ns(three, machine_of(3, 1.5)), 200);
  EXPECT_EQ(one_step_ns(three, machine_of(3, 1)), 300);
}

TEST(SharedMemory, ATaskIsFasterOnceAnotherHasEnded) {
  // Both at half speed for 20 ns, until b has done its 10; a has 90 left.
  EXPECT_EQ(one_step_ns(side_by_side({"a", "b"}), machine_of(2, 1)), 110);
}

TEST(SharedMemory, ATaskIsSlowerOnceAnotherHasBegun) {
  // c for 1 ns and then a, beside a: 1 ns alone, 198 at half speed, then the later one has 1 left.
  const Job job = job_of(
      1, 2, Model::dataflow,
      [](Recorder& r, int) {
        const auto x = r.data<double>("x", 1);
        r.task("c", uses(flow::out(x)), nothing, {.preferred_worker = 0});
        r.task("a", uses(flow::inout(x)), nothing, {.preferred_worker = 0});
        r.task("a", uses(), nothing, {.preferred_worker = 1});
      },
      times());
  EXPECT_EQ(one_step_ns(job, machine_of(2, 1)), 200);
}

TEST(SharedMemory, TasksThatItDoesNotBoundTakeTheirTime) {
  EXPECT_EQ(one_step_ns(side_by_side({"c", "c", "b"}), machine_of(3, 1)), 10);
}

TEST(SharedMemory, DomainsAreOfTheCoresOfANodeInTheirOrder) {
  const Job four = side_by_side({"a", "a", "a", "a"});
  EXPECT_EQ(one_step_ns(four, machine_of(1, 1)), 100);
  EXPECT_EQ(one_step_ns(four, machine_of(2, 1)), 200);
  EXPECT_EQ(one_step_ns(four, machine_of(3, 1)), 300);  // the fourth core is alone
  const Job ranks = side_by_side({"a"}, 4);
  EXPECT_EQ(one_step_ns(ranks, machine_of(4, 1, 4)), 400);
  EXPECT_EQ(one_step_ns(ranks, machine_of(4, 1, 2)), 200);
  EXPECT_EQ(one_step_ns(ranks, machine_of(4, 1, 1)), 100);
  EXPECT_EQ(one_step_ns(ranks, machine_of(2, 1, 3)), 200);  // ranks 0 and 1, 2, 3
}

TEST(SharedMemory, CountsAsWorkWhatATaskWaitsForIt) {
  const Job two = side_by_side({"a", "a"});
  const SimulatedRun run = simulate(two, machine_of(2, 1), {.n_steps = 3});
  EXPECT_EQ(run.total_ns(), 600);
  ASSERT_EQ(run.workers.size(), 2u);
  for (const auto& worker : run.workers) {
    EXPECT_EQ(worker.work_ns, 600);
    EXPECT_EQ(worker.total_ns(), 600);
  }
}

TEST(SharedMemory, AddsTheOverheadOfATask) {
  Machine machine = machine_of(1, 1);
  machine.task_overhead_ns = 7;
  const SimulatedRun run = simulate(side_by_side({"b"}), machine, {.n_steps = 1});
  EXPECT_EQ(run.total_ns(), 17);
  EXPECT_EQ(run.workers[0].work_ns, 10);
  EXPECT_EQ(run.workers[0].overhead_ns, 7);
}

TEST(SharedMemory, OfManyCoresIsAsIfNoneWereShared) {
  const Job job = job_of(
      3, 2, Model::dataflow,
      [](Recorder& r, int) {
        const auto x = r.data<double>("x", 1), y = r.data<double>("y", 1);
        for (int i = 0; i < 20; ++i) {
          r.task(i % 3 == 0 ? "a" : "b", uses(flow::inout(i % 2 == 0 ? x : y)), nothing);
          r.task("c", uses(flow::in(x), flow::inout(y)), nothing);
        }
      },
      times());
  const Scenario scenario{.n_steps = 4};
  EXPECT_EQ(simulate(job, machine_of(6, 6, 3), scenario), simulate(job, {}, scenario));
  const auto slow = simulate(job, machine_of(6, 1.5, 3), scenario);
  EXPECT_EQ(slow, simulate(job, machine_of(6, 1.5, 3), scenario));
  EXPECT_GT(slow.total_ns(), critical_path(job, machine_of(6, 1.5, 3), scenario).length_ns);
}

}  // namespace
}  // namespace thalweg::predict
