// SPDX-License-Identifier: MIT
#include <thalweg/predict/critical_path.hpp>

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/trace/summary.hpp>

#include "hand_made.hpp"

namespace thalweg::predict {
namespace {

using flow::Model;
using flow::PhaseKind;
using flow::Recorder;
using trace::PathShare;

using Shares = std::vector<PathShare>;

trace::CriticalPath path_of(const Job& job, std::uint64_t n_steps, const Machine& machine = {}) {
  return critical_path(job, machine, {.n_steps = n_steps});
}

TEST(CriticalPaths, FollowTheLongerBranch) {
  const Job job = job_of(1, 1, Model::phase, [](Recorder& r, int) {
    r.phase("step", PhaseKind::level);
    const auto x = r.data<double>("x", 1), y = r.data<double>("y", 1);
    r.task("c", flow::uses(flow::out(x), flow::out(y)), nothing);
    r.task("a", flow::uses(flow::inout(x)), nothing);
    r.task("b", flow::uses(flow::inout(y)), nothing);
    r.task("c", flow::uses(flow::in(x), flow::in(y)), nothing);
  });
  const auto path = path_of(job, 2);
  EXPECT_EQ(path.length_ns, 2 * 102);  // one worker takes 112 a step
  EXPECT_EQ(path.shares, (Shares{{"a", 200, 2}, {"c", 4, 4}}));
  EXPECT_EQ(path.n_rank_changes, 0u);
}

TEST(CriticalPaths, OverlapStepsAsFarAsTheyMay) {
  const auto record = [](Recorder& r, int) {
    const auto x = r.data<double>("x", 1), y = r.data<double>("y", 1);
    r.task("a", flow::uses(flow::inout(x)), nothing);
    r.task("b", flow::uses(flow::in(x), flow::inout(y)), nothing);
  };
  const Job job = job_of(1, 2, Model::dataflow, record);
  // The next a does wait for b, which reads x.
  EXPECT_EQ(path_of(job, 3).length_ns, 3 * 110);
  const Job free = job_of(1, 2, Model::dataflow, [](Recorder& r, int) {
    const auto x = r.data<double>("x", 1), y = r.data<double>("y", 1);
    r.task("a", flow::uses(flow::inout(x)), nothing);
    r.task("b", flow::uses(flow::inout(y)), nothing);
  });
  EXPECT_EQ(path_of(free, 3).length_ns, 300);
  EXPECT_EQ(path_of(free, 3).shares, (Shares{{"a", 300, 3}}));
}

TEST(CriticalPaths, GoFromRankToRankByMessages) {
  Machine machine;
  machine.network = {.latency_ns = 45, .overhead_ns = 3, .ns_per_byte = 0.5};
  const auto path = path_of(to_and_fro(), 2, machine);
  const int message = 3 + 4 + 45 + 3;
  EXPECT_EQ(path.length_ns, 2 * (100 + message + 10 + message));
  EXPECT_EQ(path.shares, (Shares{{"messages", 4 * message, 4}, {"a", 200, 2}, {"b", 20, 2}}));
  EXPECT_EQ(path.n_rank_changes, 4u);
  EXPECT_EQ(path.length_ns, simulate(to_and_fro(), machine, {.n_steps = 2}).total_ns());
}

TEST(CriticalPaths, AreThoseOfTracesOfTheSameSteps) {
  Machine machine;
  machine.network = {.latency_ns = 45, .overhead_ns = 0, .ns_per_byte = 0.5};
  const Job job = job_of(2, 1, Model::dataflow, [](Recorder& r, int rank) {
    const auto x = r.data<double>("x", 1);
    if (rank == 0) {
      r.task("a", flow::uses(flow::inout(x)), nothing);
      r.send(flow::in(x), Rank{1});
    } else {
      r.recv(flow::out(x), Rank{0});
      r.task("b", flow::uses(flow::in(x)), nothing);
    }
  });
  auto run = simulate(job, machine, {.n_steps = 2, .traced = {1, 3}});
  for (trace::RankTrace& trace : run.traces) trace.steps = {};  // all there is, from 0 ns on
  const auto summary = trace::summarise(std::move(run.traces));
  ASSERT_TRUE(summary) << summary.error().message;
  const auto path = path_of(job, 2, machine);
  EXPECT_EQ(path.length_ns, 2 * 100 + 4 + 45 + 10);
  EXPECT_EQ(summary->critical_path.length_ns, path.length_ns);
  EXPECT_EQ(summary->critical_path.shares, path.shares);
  EXPECT_EQ(summary->critical_path.n_rank_changes, path.n_rank_changes);
}

TEST(CriticalPaths, OfLongMessagesAskFirst) {
  Machine machine;
  machine.network.latency_ns = 45;
  machine.eager_bytes = 0;
  const auto path = path_of(to_and_fro(), 1, machine);
  EXPECT_EQ(path.length_ns, 100 + 3 * 45 + 10 + 3 * 45);
  EXPECT_EQ(path.length_ns, one_step_ns(to_and_fro(), machine));
}

TEST(CriticalPaths, TakeTimesAsTheScenarioChangesThem) {
  const auto path = critical_path(to_and_fro(), {.time_factor = 2},
                                  {.n_steps = 1, .name_factors = {}, .rank_factors = {1, 3}});
  EXPECT_EQ(path.length_ns, 200 + 60);
}

TEST(CriticalPaths, OfRanksWithoutTasksHaveNoLength) {
  const auto path = path_of(job_of(2, 1, Model::dataflow, [](Recorder&, int) {}), 2);
  EXPECT_EQ(path.length_ns, 0);
  EXPECT_EQ(path.shares, Shares{});
}

}  // namespace
}  // namespace thalweg::predict
