// SPDX-License-Identifier: MIT
#include <thalweg/backends/capability.hpp>

#include <gtest/gtest.h>

#include <set>
#include <string>

#include <thalweg/core/error.hpp>

namespace thalweg::backends {
namespace {

constexpr Runtime all_runtimes[] = {Runtime::libgomp, Runtime::libomp, Runtime::starpu};

TEST(Capability, table_has_every_feature_once) {
  std::set<Feature> seen;
  for (const Capability& c : capabilities()) EXPECT_TRUE(seen.insert(c.feature).second) << c.name;
  EXPECT_EQ(seen.size(), static_cast<std::size_t>(Feature::watchdog) + 1);
}

TEST(Capability, tasks_messages_and_barriers_are_supported) {
  flow::Recorder recorder(Rank(0), 1);
  auto x = recorder.data<int>("x", 1), y = recorder.data<int>("y", 1);
  recorder.task("one", flow::uses(flow::out(x)), [](auto) {});
  recorder.phase("two", flow::PhaseKind::step);
  recorder.send(flow::in(x), Rank(0));
  recorder.recv(flow::out(y), Rank(0));
  const flow::Graph graph = flow::capture(std::move(recorder), flow::Model::bulk);

  for (const Runtime runtime : all_runtimes) EXPECT_NO_THROW(require_supported(graph, runtime));
}

TEST(Capability, coroutines_are_refused_before_anything_runs) {
  flow::Recorder recorder(Rank(0), 1);
  recorder.task("talks", flow::uses(), [](flow::TaskContext&) -> flow::Coroutine { co_return; });
  const flow::Graph graph = flow::capture(std::move(recorder), flow::Model::dataflow);

  EXPECT_EQ(needed_by(graph.node(flow::TaskId(0))), Feature::coroutines);
  for (const Runtime runtime : all_runtimes) EXPECT_THROW(require_supported(graph, runtime), Error);
}

TEST(Capability, unknown_kind_of_node_is_refused_with_task_feature_and_runtime) {
  flow::Node node;
  node.kind = static_cast<flow::NodeKind>(99);
  EXPECT_EQ(needed_by(node), Feature::other_nodes);
  for (const Runtime runtime : all_runtimes) {
    std::string text;
    try {
      require_supported(node, "odd", runtime);
    } catch (const Error& e) {
      text = e.what();
    }
    for (const std::string& part :
         {std::string("'odd'"), std::string("nodes other than"), std::string(to_string(runtime))})
      EXPECT_NE(text.find(part), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace thalweg::backends
