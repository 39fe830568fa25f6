// SPDX-License-Identifier: MIT
// What holds for any graph on any machine: random ones.
#include <thalweg/predict/simulate.hpp>

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/core/random.hpp>
#include <thalweg/predict/critical_path.hpp>
#include <thalweg/trace/summary.hpp>

#include "hand_made.hpp"

namespace thalweg::predict {
namespace {

using flow::Access;
using flow::Mode;
using flow::Model;
using flow::Recorder;

constexpr int n_tasks = 60;
constexpr std::uint64_t n_steps = 3;

/// A random program: phases of tasks on some of eight data, and messages around a ring.
void record_random(Recorder& r, int rank, int n_ranks, std::uint64_t seed) {
  SplitMix64 same(seed);  // on all ranks
  SplitMix64 own(seed * 1000 + static_cast<std::uint64_t>(rank));
  std::vector<flow::Data<double>> data;
  for (int i = 0; i < 8; ++i) data.push_back(r.data<double>("x" + std::to_string(i), 64));
  const auto access = [&](std::size_t i, Mode mode) { return Access{data[i].datum(), mode}; };
  for (int i = 0; i < n_tasks; ++i) {
    if (same.below(15) == 0)
      r.phase("phase", same.below(2) == 0 ? flow::PhaseKind::level : flow::PhaseKind::step);
    const bool is_message = same.below(6) == 0;
    if (is_message && n_ranks > 1) {
      // Two data: a long message that replaces itself around a ring would wait for ever.
      const std::size_t from = same.below(8), to = (from + 1 + same.below(7)) % 8;
      r.send(flow::in(data[from]), Rank((rank + 1) % n_ranks));
      r.recv(flow::out(data[to]), Rank((rank + n_ranks - 1) % n_ranks));
      continue;
    }
    if (rank == 2) continue;  // one that only passes messages on
    const char* name = std::array{"a", "b", "c", "none"}[own.below(4)];
    const std::vector<Access> accesses{access(own.below(8), Mode::in),
                                       access(own.below(8), Mode::inout)};
    r.task(name, accesses, [](flow::TaskContext&) {},
           {.priority = static_cast<int>(own.below(3)) - 1});
  }
}

struct Case {
  Job job;
  Machine machine;
  Scenario scenario;
};

/// Times are whole nanoseconds, also those of messages of 512 bytes: nothing is rounded but noise.
Case random_case(std::uint64_t seed) {
  SplitMix64 random(seed);
  const int n_ranks = 1 + static_cast<int>(random.below(5));
  const auto n_workers = static_cast<std::uint32_t>(1 + random.below(3));
  const Model model = flow::all_models[random.below(4)];
  Case c{.job = job_of(n_ranks, n_workers, model,
                       [&](Recorder& r, int rank) { record_random(r, rank, n_ranks, seed); }),
         .machine = {},
         .scenario = {.n_steps = n_steps,
                      .depth = static_cast<std::uint32_t>(1 + random.below(3)),
                      .progress = random.below(2) == 0 ? flow::Progress::idle
                                                       : flow::Progress::task_boundary,
                      .seed = seed}};
  const auto upto = [&](std::uint64_t n) { return static_cast<double>(random.below(n)); };
  for (Link* link : {&c.machine.network, &c.machine.memory})
    *link = {.latency_ns = upto(300),
             .overhead_ns = upto(20),
             .overhead_ns_per_byte = upto(3) / 64,
             .gap_ns = upto(50),
             .ns_per_byte = upto(5) / 64};
  c.machine.ranks_per_node = 1 + static_cast<int>(random.below(3));
  c.machine.nodes_per_group = static_cast<int>(random.below(3));
  c.machine.group_ns_per_byte = upto(5) / 64;
  c.machine.eager_bytes = random.below(2) == 0 ? 0 : 1 << 20;
  c.machine.task_overhead_ns = upto(5);
  c.machine.steal_ns = upto(10);
  if (random.below(2) == 0) c.machine.noise = {.kind = Noise::Kind::pareto, .scale = 0.3};
  return c;
}

/// The longest chain of tasks of one replay on one rank, each taking its mean time [ns].
std::int64_t longest_chain_ns(const RankGraph& rank) {
  // Edges lead from tasks to later ones or to barriers: by relaxation until nothing changes.
  std::vector<std::int64_t> start(rank.n_nodes(), 0);
  std::int64_t longest = 0;
  for (bool changes = true; changes;) {
    changes = false;
    for (std::uint32_t t = 0; t < rank.n_nodes(); ++t) {
      const JobNode& node = rank.nodes[t];
      const std::int64_t end = start[t] + (node.kind == flow::NodeKind::task ? node.value : 0);
      longest = std::max(longest, end);
      for (const std::uint32_t edge : rank.edges_of(t))
        if ((edge & wrap_bit) == 0 && start[edge] < end) {
          start[edge] = end;
          changes = true;
        }
    }
  }
  return longest;
}

std::uint64_t n_tasks_of(const Job& job) {
  std::uint64_t n = 0;
  for (std::uint32_t r = 0; r < job.ranks.size(); ++r) {
    const RankGraph& rank = job.graph_of(r);
    for (std::size_t t = 0; t < rank.n_nodes(); ++t)
      n += rank.nodes[t].kind == flow::NodeKind::task ? 1 : 0;
  }
  return n;
}

class RandomJobs : public testing::TestWithParam<std::uint64_t> {};

TEST_P(RandomJobs, ConserveWorkTimeAndMessages) {
  const Case c = random_case(GetParam());
  const SimulatedRun run = simulate(c.job, c.machine, c.scenario);
  EXPECT_EQ(run.n_nodes, n_steps * c.job.n_nodes());
  EXPECT_EQ(run.n_messages, n_steps * c.job.connections.size());
  EXPECT_EQ(std::accumulate(run.n_tasks.begin(), run.n_tasks.end(), std::uint64_t{0}),
            n_steps * n_tasks_of(c.job));
  std::int64_t work = 0;
  for (const trace::WorkerTiling& worker : run.workers) {
    work += worker.work_ns;
    EXPECT_EQ(worker.total_ns(), run.total_ns());
    EXPECT_TRUE(std::ranges::all_of(worker.idle_ns, [](std::int64_t ns) { return ns >= 0; }));
  }
  EXPECT_EQ(work, std::accumulate(run.work_ns.begin(), run.work_ns.end(), std::int64_t{0}));
  if (c.machine.noise.kind != Noise::Kind::none) return;
  std::int64_t expected = 0;
  for (std::uint32_t r = 0; r < c.job.ranks.size(); ++r)
    for (const JobNode& node : c.job.graph_of(r).nodes)
      if (node.kind == flow::NodeKind::task) expected += node.value;
  EXPECT_EQ(work, static_cast<std::int64_t>(n_steps) * expected);
}

TEST_P(RandomJobs, AreNoFasterThanTheirWorkAndTheirLongestChain) {
  const Case c = random_case(GetParam());
  const SimulatedRun run = simulate(c.job, c.machine, c.scenario);
  std::int64_t chain = 0;
  for (const RankGraph& graph : c.job.graphs) chain = std::max(chain, longest_chain_ns(graph));
  EXPECT_GE(run.step_end_ns[0], chain);
  for (const trace::WorkerTiling& worker : run.workers)
    EXPECT_LE(worker.work_ns + worker.overhead_ns, run.total_ns());
  EXPECT_TRUE(std::ranges::is_sorted(run.step_end_ns));
}

TEST_P(RandomJobs, GiveTheSameBitsForTheSameSeed) {
  const Case c = random_case(GetParam());
  EXPECT_EQ(simulate(c.job, c.machine, c.scenario), simulate(c.job, c.machine, c.scenario));
  // Noise is a function of the task: it moves what comes when, but no task gets another's.
  Machine other = c.machine;
  other.network.latency_ns += 1000;
  EXPECT_EQ(simulate(c.job, c.machine, c.scenario).work_ns,
            simulate(c.job, other, c.scenario).work_ns);
}

TEST_P(RandomJobs, ScaleWithTheirUnitOfTime) {
  Case c = random_case(GetParam());
  c.machine.noise = {};
  const SimulatedRun once = simulate(c.job, c.machine, c.scenario);
  for (Link* link : {&c.machine.network, &c.machine.memory})
    *link = {.latency_ns = 1024 * link->latency_ns,
             .overhead_ns = 1024 * link->overhead_ns,
             .overhead_ns_per_byte = 1024 * link->overhead_ns_per_byte,
             .gap_ns = 1024 * link->gap_ns,
             .ns_per_byte = 1024 * link->ns_per_byte};
  c.machine.group_ns_per_byte *= 1024;
  c.machine.task_overhead_ns *= 1024;
  c.machine.steal_ns *= 1024;
  c.machine.time_factor = 1024;
  const SimulatedRun slow = simulate(c.job, c.machine, c.scenario);
  EXPECT_EQ(slow.total_ns(), 1024 * once.total_ns());
}

TEST_P(RandomJobs, AreNoFasterThanTheirCriticalPath) {
  const Case c = random_case(GetParam());
  const auto path = critical_path(c.job, c.machine, c.scenario);
  EXPECT_LE(path.length_ns, simulate(c.job, c.machine, c.scenario).total_ns());
  std::int64_t all = 0;
  for (const trace::PathShare& share : path.shares) all += share.time_ns;
  EXPECT_EQ(all, path.length_ns);
}

TEST_P(RandomJobs, AreAsFastAsTheirCriticalPathWhereNobodyIsInTheWay) {
  const std::uint64_t seed = GetParam();
  SplitMix64 random(seed);
  const int n_ranks = 1 + static_cast<int>(random.below(5));
  const Model model = random.below(2) == 0 ? Model::phase : Model::dataflow;
  const Job job = job_of(n_ranks, 4 * n_tasks, model,
                         [&](Recorder& r, int rank) { record_random(r, rank, n_ranks, seed); });
  Machine machine;
  machine.network.latency_ns = static_cast<double>(random.below(300));
  machine.eager_bytes = random.below(2) == 0 ? 0 : 1 << 20;
  machine.noise = {.kind = Noise::Kind::pareto, .scale = 0.3};
  const Scenario scenario{
      .n_steps = n_steps, .depth = static_cast<std::uint32_t>(1 + random.below(3)), .seed = seed};
  EXPECT_EQ(critical_path(job, machine, scenario).length_ns,
            simulate(job, machine, scenario).total_ns());
}

TEST_P(RandomJobs, AreTracedAsWhatTheyAre) {
  Case c = random_case(GetParam());
  const SimulatedRun untraced = simulate(c.job, c.machine, c.scenario);
  EXPECT_TRUE(untraced.traces.empty());
  c.scenario.traced = {1, n_steps + 1};
  SimulatedRun run = simulate(c.job, c.machine, c.scenario);
  for (trace::RankTrace& trace : run.traces) trace.steps = {};  // all there is, from 0 ns on
  std::uint64_t n_received = 0;
  for (const trace::RankTrace& trace : run.traces)
    for (const auto& events : trace.events)
      n_received += static_cast<std::uint64_t>(
          std::ranges::count(events, trace::EventKind::recv, &trace::Event::kind));
  EXPECT_EQ(n_received, run.n_messages);
  const auto summary = trace::summarise(std::exchange(run.traces, {}));
  EXPECT_EQ(run, untraced);
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_EQ(summary->wall_ns, run.total_ns());
  ASSERT_EQ(summary->workers.size(), run.workers.size());
  for (std::size_t w = 0; w < run.workers.size(); ++w) {
    EXPECT_EQ(summary->workers[w].work_ns, run.workers[w].work_ns);
    EXPECT_EQ(summary->workers[w].overhead_ns, run.workers[w].overhead_ns);
  }
  EXPECT_LE(summary->critical_path.length_ns, run.total_ns());
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomJobs, testing::Range<std::uint64_t>(0, 100));

}  // namespace
}  // namespace thalweg::predict
