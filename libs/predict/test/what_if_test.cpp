// SPDX-License-Identifier: MIT
#include <thalweg/predict/what_if.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/core/error.hpp>

#include "hand_made.hpp"

namespace thalweg::predict {
namespace {

using What = Change::What;

Change only_change(const char* text) {
  return parse_what_if(text).changes.at(0);
}

Machine machine() {
  Machine result;
  for (Link* link : {&result.network, &result.memory})
    *link = {.latency_ns = 1000,
             .overhead_ns = 20,
             .overhead_ns_per_byte = 0.5,
             .gap_ns = 300,
             .ns_per_byte = 0.25};
  result.eager_bytes = 64;
  result.group_ns_per_byte = 0.5;
  result.task_overhead_ns = 30;
  result.steal_ns = 40;
  result.noise = {.kind = Noise::Kind::pareto, .scale = 1};
  return result;
}

/// Rank 0 has 400 ns of work, rank 1 has 200, rank 2 none.
Job uneven() {
  return job_of(3, 1, flow::Model::dataflow, [](flow::Recorder& r, int rank) {
    for (int i = 0; i < 4 - 2 * rank; ++i) r.task("a", flow::uses(), nothing);
  });
}

TEST(AskedChanges, AreReadWithTheirFactors) {
  EXPECT_EQ(only_change("latency=0.5x").what, What::latency);
  EXPECT_EQ(only_change("latency=0.5x").factor, 0.5);
  EXPECT_EQ(only_change("bandwidth=2x").what, What::bandwidth);
  EXPECT_EQ(only_change("overhead=0x").factor, 0);
  EXPECT_EQ(only_change("noise=0").what, What::noise);
  EXPECT_EQ(only_change("kernels.advance=0.5x").kernel, "advance");
  EXPECT_EQ(only_change("balance=perfect").what, What::balance);
  EXPECT_EQ(only_change("eager=always").what, What::eager);
}

TEST(AskedChanges, KnowWhetherTheyOnlyRemoveCost) {
  for (const char* text : {"latency=0x", "overhead=0.5x", "kernels.a=0.5x", "bandwidth=2x",
                           "eager=always", "latency=0x,bandwidth=2x"})
    EXPECT_TRUE(removes_cost(parse_what_if(text))) << text;
  for (const char* text : {"latency=1x", "overhead=2x", "kernels.a=2x", "bandwidth=0.5x", "noise=0",
                           "balance=perfect", "latency=0x,overhead=2x"})
    EXPECT_FALSE(removes_cost(parse_what_if(text))) << text;
}

TEST(AskedChanges, AreRefusedWhereTheyAreNone) {
  for (const char* text :
       {"", "latency", "latency=2", "latency=-1x", "latency=nanx", "bandwidth=0x", "kernels.=2x",
        "noise=1", "speed=2x", "latency=1xx", "eager=0x", "latency=0x,", ",latency=0x",
        "latency=0x,speed=2x", "latency=0x, noise=0"})
    EXPECT_THROW(parse_what_if(text), Error) << text;
}

TEST(AskedChanges, ChangeTheMachineAndNothingElse) {
  const auto changed = [](const char* text) {
    Machine result = machine();
    Scenario scenario;
    apply(parse_what_if(text), uneven(), result, scenario);
    return result;
  };
  Machine expected = machine();
  expected.network.latency_ns = expected.memory.latency_ns = 500;
  EXPECT_EQ(changed("latency=0.5x"), expected);
  expected = machine();
  expected.network.ns_per_byte = expected.memory.ns_per_byte = 0.125;
  expected.memory.overhead_ns_per_byte = 0.25;
  expected.group_ns_per_byte = 0.25;
  expected.shared_memory.full_speed_cores = 2;
  EXPECT_EQ(changed("bandwidth=2x"), expected);
  expected = machine();
  for (Link* link : {&expected.network, &expected.memory})
    link->overhead_ns = link->overhead_ns_per_byte = 0;
  expected.task_overhead_ns = expected.steal_ns = 0;
  EXPECT_EQ(changed("overhead=0x"), expected);
  expected = machine();
  expected.eager_bytes = Machine{}.eager_bytes;
  EXPECT_EQ(changed("eager=always"), expected);
  expected = machine();
  expected.noise = {};
  EXPECT_EQ(changed("noise=0"), expected);
  expected.network.latency_ns = expected.memory.latency_ns = 500;
  EXPECT_EQ(changed("latency=0.5x,noise=0"), expected);
  Scenario scenario;
  apply(parse_what_if("noise=0"), uneven(), expected, scenario);
  EXPECT_FALSE(scenario.has_spread);
}

TEST(AskedChanges, GiveRanksWithWorkTheSame) {
  Machine ideal;
  Scenario scenario{.n_steps = 1};
  const Job job = uneven();
  EXPECT_EQ(simulate(job, ideal, scenario).total_ns(), 400);
  apply(parse_what_if("balance=perfect"), job, ideal, scenario);
  EXPECT_EQ(simulate(job, ideal, scenario).total_ns(), 300);
}

TEST(AskedChanges, BalanceWhatOthersThatAreMadeTogetherLeave) {
  // Rank 0 has 100 ns of a and 10 of b, rank 1 has 100 of a.
  const Job job = job_of(2, 1, flow::Model::dataflow, [](flow::Recorder& r, int rank) {
    r.task("a", flow::uses(), nothing);
    if (rank == 0) r.task("b", flow::uses(), nothing);
  });
  for (const char* text :
       {"kernels.b=10x,noise=0,balance=perfect", "balance=perfect,noise=0,kernels.b=10x"}) {
    Machine machine;
    machine.noise.rank_quantiles = {0.5, 1.5};
    Scenario scenario{.n_steps = 1};
    apply(parse_what_if(text), job, machine, scenario);
    EXPECT_EQ(simulate(job, machine, scenario).total_ns(), 150) << text;
  }
}

TEST(AskedChanges, GiveRanksThatAreSlowLessWork) {
  Machine machine;
  machine.noise.rank_quantiles = {0.5, 1.5};
  Scenario scenario{.n_steps = 1};
  const Job job = uneven();
  const auto factor = [&](std::uint32_t rank) {
    return machine.noise.rank_factor(uniform_of(scenario.seed, rank, no_replay, 0));
  };
  const double first = 400 * factor(0), second = 200 * factor(1);
  ASSERT_GT(std::abs(first - second), 10);
  const auto total_ns = [&] {
    return static_cast<double>(simulate(job, machine, scenario).total_ns());
  };
  EXPECT_NEAR(total_ns(), std::max(first, second), 4);  // each task is rounded
  apply(parse_what_if("balance=perfect"), job, machine, scenario);
  EXPECT_NEAR(total_ns(), (first + second) / 2, 4);
}

TEST(AskedChanges, BalanceIsNoBoundWhereRanksWaitForEachOtherWithinAStep) {
  // Before the message rank 0 has 100 ns of work and rank 1 has 200; behind it rank 0 has 300.
  const Job job = job_of(2, 1, flow::Model::dataflow, [](flow::Recorder& r, int rank) {
    const auto x = r.data<double>("x", 1);
    if (rank == 0) {
      r.task("a", flow::uses(), nothing);
      r.recv(flow::out(x), Rank{1});
      for (int i = 0; i < 3; ++i) r.task("a", flow::uses(flow::inout(x)), nothing);
    } else {
      for (int i = 0; i < 2; ++i) r.task("a", flow::uses(flow::inout(x)), nothing);
      r.send(flow::in(x), Rank{0});
    }
  });
  Machine ideal;
  Scenario scenario{.n_steps = 1};
  EXPECT_EQ(simulate(job, ideal, scenario).total_ns(), 500);
  apply(parse_what_if("balance=perfect"), job, ideal, scenario);
  EXPECT_EQ(simulate(job, ideal, scenario).total_ns(), 2 * 150 + 3 * 75);
}

TEST(AskedChanges, MakeTasksOfANameFaster) {
  Machine ideal;
  Scenario scenario{.n_steps = 1};
  const Job job = uneven();
  apply(parse_what_if("kernels.a=0.5x"), job, ideal, scenario);
  EXPECT_EQ(simulate(job, ideal, scenario).total_ns(), 200);
}

TEST(AskedChanges, OfTasksThatAJobDoesNotHaveChangeNothing) {
  Machine ideal;
  Scenario scenario{.n_steps = 1};
  const Job job = uneven();
  EXPECT_TRUE(concerns(only_change("kernels.a=0.5x"), job.names));
  EXPECT_FALSE(concerns(only_change("kernels.z=0.5x"), job.names));
  EXPECT_TRUE(concerns(only_change("latency=0.5x"), job.names));
  apply(parse_what_if("kernels.z=0.5x"), job, ideal, scenario);
  EXPECT_EQ(simulate(job, ideal, scenario).total_ns(), 400);
}

TEST(AskedChanges, MakeTasksOfJoinedBlocksFasterAsWell) {
  Machine ideal;
  Scenario scenario;
  const Job job = job_of(1, 1, flow::Model::dataflow, [](flow::Recorder& r, int) {
    for (const char* name : {"a", "b", "a joined"}) r.task(name, flow::uses(), nothing);
  });
  ASSERT_EQ(job.names, (std::vector<std::string>{"a", "b", "a joined"}));
  apply(parse_what_if("kernels.a=0.5x"), job, ideal, scenario);
  EXPECT_EQ(scenario.name_factors, (std::vector{0.5, 1.0, 0.5}));
}

}  // namespace
}  // namespace thalweg::predict
