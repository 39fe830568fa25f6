// SPDX-License-Identifier: MIT
// Small graphs on one rank, whose times a sum by hand gives.
#include <thalweg/predict/simulate.hpp>

#include <array>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <thalweg/trace/summary.hpp>

#include "hand_made.hpp"

namespace thalweg::predict {
namespace {

using flow::Model;
using flow::Recorder;
using flow::uses;
using trace::IdleCause;

std::int64_t one_rank_ns(std::uint32_t n_workers, Model model,
                         const std::function<void(Recorder&)>& record, const Machine& machine = {},
                         std::uint64_t n_steps = 1) {
  const Job job = job_of(1, n_workers, model, [&](Recorder& r, int) { record(r); });
  return simulate(job, machine, {.n_steps = n_steps}).total_ns();
}

void independent(Recorder& r, int n) {
  for (int i = 0; i < n; ++i) r.task("a", uses(), nothing, {.preferred_worker = 0});
}

TEST(SimulatedTasks, ATaskTakesItsTime) {
  EXPECT_EQ(one_rank_ns(1, Model::dataflow, [](Recorder& r) { independent(r, 1); }), 100);
}

TEST(SimulatedTasks, AnEmptyGraphTakesNoTime) {
  EXPECT_EQ(one_rank_ns(2, Model::dataflow, [](Recorder&) {}, {}, 3), 0);
}

TEST(SimulatedTasks, AChainTakesTheSumOnAnyWorkers) {
  const auto chain = [](Recorder& r) {
    const auto x = r.data<double>("x", 1);
    for (const char* name : {"a", "b", "c"}) r.task(name, uses(flow::inout(x)), nothing);
  };
  EXPECT_EQ(one_rank_ns(1, Model::dataflow, chain), 111);
  EXPECT_EQ(one_rank_ns(4, Model::dataflow, chain), 111);
}

TEST(SimulatedTasks, IndependentTasksShareTheWorkersByStealing) {
  const auto five = [](Recorder& r) { independent(r, 5); };
  EXPECT_EQ(one_rank_ns(1, Model::dataflow, five), 500);
  EXPECT_EQ(one_rank_ns(2, Model::dataflow, five), 300);
  EXPECT_EQ(one_rank_ns(5, Model::dataflow, five), 100);
  EXPECT_EQ(one_rank_ns(8, Model::dataflow, five), 100);
}

TEST(SimulatedTasks, BulkHasOneWorkerAndForkjoinAll) {
  const auto four = [](Recorder& r) { independent(r, 4); };
  EXPECT_EQ(one_rank_ns(2, Model::bulk, four), 400);
  EXPECT_EQ(one_rank_ns(2, Model::forkjoin, four), 200);
}

TEST(SimulatedTasks, ATreeTakesItsDepth) {
  const auto tree = [](Recorder& r) {
    const auto leaves = std::array{r.data<double>("x", 1), r.data<double>("y", 1)};
    for (const auto& leaf : leaves) r.task("a", uses(flow::out(leaf)), nothing);
    r.task("b", uses(flow::in(leaves[0]), flow::in(leaves[1])), nothing);
  };
  EXPECT_EQ(one_rank_ns(1, Model::dataflow, tree), 210);
  EXPECT_EQ(one_rank_ns(2, Model::dataflow, tree), 110);
}

TEST(SimulatedTasks, AForkWaitsForItsSource) {
  const auto fork = [](Recorder& r) {
    const auto x = r.data<double>("x", 1);
    r.task("b", uses(flow::out(x)), nothing);
    for (int i = 0; i < 3; ++i) r.task("a", uses(flow::in(x)), nothing);
  };
  EXPECT_EQ(one_rank_ns(1, Model::dataflow, fork), 310);
  EXPECT_EQ(one_rank_ns(3, Model::dataflow, fork), 110);
}

TEST(SimulatedTasks, WhatBecameReadyLastRunsNext) {
  // 0: the chain of the first task is gone on with before the second one begins.
  const Job job = job_of(1, 1, Model::dataflow, [](Recorder& r, int) {
    const auto x = r.data<double>("x", 1);
    r.task("b", uses(flow::out(x)), nothing);
    r.task("a", uses(), nothing);
    r.task("c", uses(flow::in(x)), nothing, {.controls_termination = true});
  });
  // The next step begins when "c" has run: its tasks come before "a", which waited.
  const SimulatedRun run = simulate(job, {}, {.n_steps = 2});
  EXPECT_EQ(run.step_end_ns, (std::vector<std::int64_t>{222, 222}));
}

TEST(SimulatedTasks, APriorityGoesFirst) {
  // Both steps' "b" are urgent, so the second one's runs before the first one's "a".
  const Job job = job_of(1, 1, Model::dataflow, [](Recorder& r, int) {
    const auto x = r.data<double>("x", 1);
    r.task("a", uses(flow::inout(x)), nothing);
    r.task("b", uses(), nothing, {.priority = 1});
  });
  EXPECT_EQ(simulate(job, {}, {.n_steps = 2}).step_end_ns, (std::vector<std::int64_t>{120, 220}));
}

TEST(SimulatedTasks, APriorityIsIgnoredWhereTheScenarioSaysSo) {
  const auto three = [](Recorder& r, int) {
    for (int i = 0; i < 2; ++i) r.task("b", uses(), nothing);
    r.task("a", uses(), nothing, {.priority = 1});
  };
  const auto without = [](Recorder& r, int) {
    for (const char* name : {"b", "b", "a"}) r.task(name, uses(), nothing);
  };
  const auto order = [&](const std::function<void(Recorder&, int)>& record, bool honours) {
    const auto run =
        simulate(job_of(1, 1, Model::dataflow, record), {},
                 {.n_steps = 1, .honours_priorities = honours, .traced = trace::StepWindow{1, 2}});
    std::vector<std::string> names;
    for (const trace::Event& e : run.traces.front().events.front())
      if (e.kind == trace::EventKind::task) names.push_back(run.traces.front().name_of(e));
    return names;
  };
  EXPECT_EQ(order(three, true).front(), "a");
  EXPECT_EQ(order(three, false), order(without, true));
  EXPECT_EQ(order(three, false).front(), "b");
}

TEST(SimulatedTasks, ABarrierHoldsEverythingBack) {
  const auto phases = [](Recorder& r) {
    r.phase("first", flow::PhaseKind::level);
    r.task("a", uses(), nothing, {.preferred_worker = 0});
    r.task("b", uses(), nothing, {.preferred_worker = 1});
    r.phase("second", flow::PhaseKind::level);
    r.task("b", uses(), nothing, {.preferred_worker = 0});
    r.task("a", uses(), nothing, {.preferred_worker = 1});
  };
  EXPECT_EQ(one_rank_ns(2, Model::forkjoin, phases), 200);
  EXPECT_EQ(one_rank_ns(2, Model::phase, phases), 200);
  EXPECT_EQ(one_rank_ns(2, Model::dataflow, phases), 110);
}

TEST(SimulatedTasks, InnerPhasesAreNoBarrierInThePhaseModel) {
  const auto phases = [](Recorder& r) {
    for (const char* phase : {"first", "second"}) {
      r.phase(phase, flow::PhaseKind::step);
      r.task("a", uses(), nothing, {.preferred_worker = 0});
      r.task("b", uses(), nothing, {.preferred_worker = 1});
    }
  };
  EXPECT_EQ(one_rank_ns(2, Model::forkjoin, phases), 200);
  EXPECT_EQ(one_rank_ns(2, Model::phase, phases), 120);
}

TEST(SimulatedTasks, OverheadComesBeforeEachTaskAndStealingOnTop) {
  Machine machine;
  machine.task_overhead_ns = 7;
  machine.steal_ns = 30;
  const auto two = [](Recorder& r) { independent(r, 2); };
  EXPECT_EQ(one_rank_ns(1, Model::dataflow, two, machine), 214);
  EXPECT_EQ(one_rank_ns(2, Model::dataflow, two, machine), 137);
}

TEST(SimulatedTasks, ATimeFactorIsOnTasksAlone) {
  Machine machine;
  machine.task_overhead_ns = 7;
  machine.time_factor = 2.5;
  EXPECT_EQ(one_rank_ns(1, Model::dataflow, [](Recorder& r) { independent(r, 2); }, machine), 514);
}

TEST(SimulatedTasks, StepsOverlapAsFarAsDataAndDepthAllow) {
  const Job job = job_of(1, 2, Model::dataflow, [](Recorder& r, int) {
    const auto x = r.data<double>("x", 1);
    r.task("a", uses(flow::inout(x)), nothing, {.preferred_worker = 0});
    r.task("b", uses(), nothing, {.preferred_worker = 1});
  });
  // "b" of step 3 waits for step 1 to be complete: two steps are in flight.
  EXPECT_EQ(simulate(job, {}, {.n_steps = 3, .depth = 2}).step_end_ns,
            (std::vector<std::int64_t>{100, 200, 300}));
  const Job free =
      job_of(1, 2, Model::dataflow, [](Recorder& r, int) { r.task("a", uses(), nothing); });
  EXPECT_EQ(simulate(free, {}, {.n_steps = 4, .depth = 1}).total_ns(), 400);
  EXPECT_EQ(simulate(free, {}, {.n_steps = 4, .depth = 2}).total_ns(), 200);
}

TEST(SimulatedTasks, BarriersLetNoStepsOverlap) {
  const auto one = [](Recorder& r) {
    r.phase("only", flow::PhaseKind::level);
    independent(r, 1);
  };
  EXPECT_EQ(one_rank_ns(2, Model::phase, one, {}, 4), 400);
}

TEST(SimulatedTasks, TheTaskThatControlsTerminationHoldsTheNextStepBack) {
  const auto stepping = [](Recorder& r) {
    r.task("a", uses(), nothing, {.preferred_worker = 0, .controls_termination = true});
    r.task("a", uses(), nothing, {.preferred_worker = 1});
  };
  EXPECT_EQ(one_rank_ns(2, Model::dataflow, stepping, {}, 3), 300);
}

TEST(SimulatedTasks, NoiseStretchesTasksByItsQuantiles) {
  Machine machine;
  machine.noise = {.kind = Noise::Kind::quantiles, .quantiles = {1.5, 1.5}};
  EXPECT_EQ(one_rank_ns(1, Model::dataflow, [](Recorder& r) { independent(r, 2); }, machine), 300);
}

TEST(SimulatedTasks, AHeavyTailIsDrawnForEachTaskByItsSeed) {
  Machine machine;
  machine.noise = {.kind = Noise::Kind::pareto, .scale = 1, .shape = 2};
  const Job job = job_of(1, 1, Model::dataflow, [](Recorder& r, int) { independent(r, 2); });
  // By hand from the same uniform numbers: (1 - u)^(-1/2).
  const auto by_hand = [](std::uint64_t seed) {
    std::int64_t sum = 0;
    for (const std::uint32_t node : {0u, 1u})
      sum += std::llround(100 / std::sqrt(1 - uniform_of(seed, 0, 0, node)));
    return sum;
  };
  for (const std::uint64_t seed : {1u, 2u, 3u})
    EXPECT_EQ(simulate(job, machine, {.n_steps = 1, .seed = seed}).total_ns(), by_hand(seed));
  EXPECT_NE(by_hand(1), by_hand(2));
}

TEST(SimulatedTasks, TakeTimesThatDifferAsMeasuredOnesDo) {
  Job job = job_of(1, 1, Model::dataflow, [](Recorder& r, int) { independent(r, 2); });
  job.spreads = {{0.5, 1, 1.5}};
  const auto by_hand = [](std::uint64_t seed) {
    std::int64_t sum = 0;
    for (const std::uint64_t replay : {0u, 1u})
      for (const std::uint32_t node : {0u, 1u})
        sum += 50 * (1 + static_cast<std::int64_t>(3 * uniform_of(~seed, 0, replay, node)));
    return sum;
  };
  for (const std::uint64_t seed : {1u, 2u, 3u, 4u})
    EXPECT_EQ(simulate(job, {}, {.n_steps = 2, .seed = seed}).total_ns(), by_hand(seed));
  EXPECT_NE(by_hand(1), by_hand(2));
  EXPECT_EQ(simulate(job, {}, {.n_steps = 2, .seed = 1, .has_spread = false}).total_ns(), 400);
}

TEST(SimulatedTasks, OfNeighbouringStepsAreInTheTraceOfSome) {
  Job job = job_of(1, 2, Model::dataflow, [](Recorder& r, int) {
    r.task("a", uses(), nothing, {.preferred_worker = 0});
    r.task("a", uses(), nothing, {.preferred_worker = 1});
  });
  job.spreads = {{0.2, 1.8}};
  auto run = simulate(job, {}, {.n_steps = 12, .traced = {5, 8}});
  const auto summary = trace::summarise(std::move(run.traces));
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_EQ(summary->steps, (trace::StepWindow{5, 8}));
  for (const auto& worker : summary->workers) EXPECT_EQ(worker.overhead_ns, 0);
}

TEST(SimulatedTasks, AllTasksOfARankAreStretchedAlikeByItsOwnNoise) {
  Machine machine;
  machine.noise.rank_quantiles = {1, 2};
  const Job job = job_of(3, 1, Model::dataflow, [](Recorder& r, int) { independent(r, 2); });
  const SimulatedRun run = simulate(job, machine, {.n_steps = 2, .seed = 5});
  for (std::uint32_t rank = 0; rank < 3; ++rank)
    EXPECT_EQ(run.workers[rank].work_ns,
              4 * std::llround(100 * (1 + uniform_of(5, rank, no_replay, 0))));
  EXPECT_NE(run.workers[0].work_ns, run.workers[1].work_ns);
}

TEST(SimulatedTasks, FactorsOfNamesAndRanksMultiply) {
  const Job job = job_of(2, 1, Model::dataflow, [](Recorder& r, int) {
    r.task("a", uses(), nothing);
    r.task("b", uses(), nothing);
  });
  ASSERT_EQ(job.names, (std::vector<std::string>{"a", "b"}));
  const SimulatedRun run =
      simulate(job, {}, {.n_steps = 1, .name_factors = {0.5, 1}, .rank_factors = {1, 3}});
  EXPECT_EQ(run.workers[0].work_ns, 60);
  EXPECT_EQ(run.workers[1].work_ns, 180);
  EXPECT_EQ(run.total_ns(), 180);
}

TEST(SimulatedTasks, IdleTimeHasItsCause) {
  const Job job = job_of(1, 2, Model::forkjoin, [](Recorder& r, int) {
    r.phase("first", flow::PhaseKind::level);
    r.task("a", uses(), nothing, {.preferred_worker = 0});
    r.phase("second", flow::PhaseKind::level);
    const auto x = r.data<double>("x", 1);
    r.task("b", uses(flow::out(x)), nothing, {.preferred_worker = 1});
    r.task("c", uses(flow::in(x)), nothing, {.preferred_worker = 0});
  });
  const SimulatedRun run = simulate(job, {}, {.n_steps = 1});
  ASSERT_EQ(run.total_ns(), 111);
  EXPECT_EQ(run.workers[0].work_ns, 101);
  EXPECT_EQ(run.workers[0].idle(IdleCause::producer_running), 10);
  EXPECT_EQ(run.workers[1].idle(IdleCause::barrier), 100);
  EXPECT_EQ(run.workers[1].idle(IdleCause::no_task), 1);
}

TEST(SimulatedTasks, TimePerStepIsTheMean) {
  EXPECT_DOUBLE_EQ((SimulatedRun{.step_end_ns = {500, 600, 720}}.step_ns()), 240);
}

}  // namespace
}  // namespace thalweg::predict
