// SPDX-License-Identifier: MIT
#include <thalweg/taskbench/runner.hpp>

#include <gtest/gtest.h>

#include <thalweg/comm/sim_network.hpp>
#include <thalweg/flow/recorder.hpp>

namespace thalweg::taskbench {
namespace {

TEST(Runner, runtimes_have_names) {
  EXPECT_EQ(runtime_from_string("flow"), Runtime::flow);
  EXPECT_EQ(runtime_from_string("openmp"), Runtime::openmp);
  EXPECT_EQ(runtime_from_string("starpu"), Runtime::starpu);
  EXPECT_EQ(runtime_from_string("Flow"), std::nullopt);
}

TEST(Runner, runs_a_graph_and_counts_its_tasks) {
  comm::SimNetwork network({});
  const auto done = network.run([&](flow::Transport& transport) {
    flow::Recorder recorder(Rank(0), 1);
    auto x = recorder.data<int>("x", 1);
    recorder.task("count", flow::uses(flow::inout(x)), [](auto v) { ++v[0]; });
    flow::Graph graph = flow::capture(std::move(recorder), flow::Model::dataflow);
    const auto runner = make_runner(Runtime::flow, {}, transport, network.clock());

    EXPECT_TRUE(runner->run(graph, 5));

    EXPECT_EQ(runner->n_tasks(), 5u);
    EXPECT_EQ(x.view()[0], 5);
  });
  EXPECT_TRUE(done);
}

}  // namespace
}  // namespace thalweg::taskbench
