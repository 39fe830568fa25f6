// SPDX-License-Identifier: MIT
#include <thalweg/backends/capability.hpp>

#include <gtest/gtest.h>

#include <string>

#include <thalweg/core/error.hpp>

namespace thalweg::backends {
namespace {

constexpr Runtime all_runtimes[] = {Runtime::libgomp, Runtime::libomp, Runtime::starpu};

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

// What is said where a runtime is asked for a node.
std::string refusal(const flow::Node& node, Runtime runtime) {
  try {
    require_supported(node, "odd", runtime);
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

void expect_refused(const flow::Node& node, const std::string& needed) {
  for (const Runtime runtime : all_runtimes) {
    const std::string text = refusal(node, runtime);
    for (const std::string& part : {std::string("'odd'"), needed, std::string(to_string(runtime))})
      EXPECT_NE(text.find(part), std::string::npos) << text;
  }
}

TEST(Capability, coroutines_are_refused_before_anything_runs) {
  flow::Recorder recorder(Rank(0), 1);
  recorder.task("talks", flow::uses(), [](flow::TaskContext&) -> flow::Coroutine { co_return; });
  const flow::Graph graph = flow::capture(std::move(recorder), flow::Model::dataflow);

  expect_refused(graph.node(flow::TaskId(0)), "a coroutine");
  for (const Runtime runtime : all_runtimes) EXPECT_THROW(require_supported(graph, runtime), Error);
}

TEST(Capability, unknown_kind_of_node_is_refused_with_task_feature_and_runtime) {
  flow::Node unknown;
  unknown.kind = static_cast<flow::NodeKind>(99);
  expect_refused(unknown, "nodes other than");
  expect_refused(flow::Node{}, "nodes other than");  // a task without a body
}

}  // namespace
}  // namespace thalweg::backends
