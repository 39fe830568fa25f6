// SPDX-License-Identifier: MIT
// No false alarm: programs that declare what they use, over all patterns and random ones.
#include <gtest/gtest.h>

#include <thalweg/comm/sim_network.hpp>
#include <thalweg/flow/access_checker.hpp>
#include <thalweg/flow/executor.hpp>
#include <thalweg/taskbench/drive.hpp>
#include <thalweg/taskbench/task_graph.hpp>

#include "../../apps/taskbench/test/cases.hpp"
#include "../../libs/comm/test/distributed_program.hpp"

namespace thalweg::testing {
namespace {

void expect_nothing_found(const flow::AccessChecker& checker) {
  EXPECT_EQ(checker.findings(), std::vector<std::string>{});
  EXPECT_EQ(checker.n_merged(), 0u);
  EXPECT_GT(checker.n_checked(), 0u);
}

class RandomPrograms : public ::testing::TestWithParam<flow::Model> {};

TEST_P(RandomPrograms, declare_all_they_use) {
  for (std::uint64_t seed = 0; seed < 8; ++seed)
    for (const std::uint32_t n_ranks : {1u, 3u}) {
      const comm::DistributedProgram program(
          {.seed = seed, .n_ranks = n_ranks, .n_busy = seed % 2 == 0 ? 0 : n_ranks - n_ranks / 3});
      std::vector<std::uint64_t> values = program.initial();
      flow::AccessChecker checker;
      comm::SimNetwork network({.n_ranks = static_cast<int>(n_ranks), .seed = seed});
      const auto done = network.run([&](flow::Transport& transport) {
        flow::Recorder recorder(transport.rank(), transport.n_ranks());
        program.record(recorder, values);
        flow::Graph graph = flow::capture(std::move(recorder), GetParam());
        flow::UniformPicker picker(seed);
        flow::Executor executor({.depth = 3, .picker = &picker, .checker = &checker}, transport,
                                network.clock());
        for (int run = 0; run < 2; ++run)
          if (const auto report = executor.run(graph, 3); !report)
            transport.abort(report.error().message);
      });
      ASSERT_TRUE(done) << done.error().message;
      EXPECT_EQ(values, program.serial_result(6));
      expect_nothing_found(checker);
    }
}

INSTANTIATE_TEST_SUITE_P(models, RandomPrograms,
                         ::testing::Values(flow::Model::bulk, flow::Model::forkjoin,
                                           flow::Model::phase, flow::Model::dataflow));

TEST(TaskBench, all_patterns_declare_all_they_use) {
  for (const taskbench::Dependence dependence : taskbench::all_dependences())
    for (const int n_ranks : {1, 3}) {
      SplitMix64 random(7);
      taskbench::TaskGraph graph = taskbench::random_graph(dependence, random);
      flow::AccessChecker checker;
      comm::SimNetwork network({.n_ranks = n_ranks});
      const auto done = network.run([&](flow::Transport& transport) {
        taskbench::Backend<taskbench::TaskGraph> backend(
            {graph}, flow::Model::dataflow, {.checker = &checker}, transport, network.clock());
        if (const auto run = backend.run(); !run) transport.abort(run.error().message);
      });
      ASSERT_TRUE(done) << done.error().message;
      expect_nothing_found(checker);
    }
}

}  // namespace
}  // namespace thalweg::testing
