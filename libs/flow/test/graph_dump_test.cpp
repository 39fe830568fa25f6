// SPDX-License-Identifier: MIT
// Graph::dump_json says what the graph says.
#include <gtest/gtest.h>

#include <limits>
#include <set>
#include <sstream>
#include <string>

#include <nlohmann/json.hpp>

#include <thalweg/flow/graph.hpp>

#include "random_program.hpp"

namespace thalweg::flow {
namespace {

using nlohmann::json;
using EdgeSet = std::set<std::pair<std::uint32_t, std::uint32_t>>;

json dumped(const Graph& graph) {
  std::stringstream text;
  graph.dump_json(text);
  return json::parse(text);
}

TEST(GraphDumpJson, agrees_with_the_graph) {
  for (const Model model : all_models)
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      const RandomProgram program({.seed = seed});
      std::vector<std::uint64_t> values = program.initial();
      Recorder recorder(Rank(0), 1);
      program.record(recorder, values.data());
      const Graph graph = capture(std::move(recorder), model);

      const json j = dumped(graph);

      EXPECT_EQ(j["schema"], "thalweg-graph-1");
      EXPECT_EQ(j["model"], to_string(model));
      EXPECT_EQ(j["n_ranks"], 1);
      EXPECT_EQ(j["phases"].size(), graph.n_phases());
      ASSERT_EQ(j["nodes"].size(), graph.n_nodes());
      EdgeSet edges, wraps;
      for (std::uint32_t t = 0; t < graph.n_nodes(); ++t) {
        const json& node = j["nodes"][t];
        EXPECT_EQ(node["id"], t);
        EXPECT_EQ(node["name"], graph.name(TaskId(t)));
        EXPECT_EQ(node["kind"] == "barrier", t >= graph.n_tasks());
        EXPECT_EQ(node["priority"], graph.node(TaskId(t)).priority);
        if (t < graph.n_tasks()) {
          EXPECT_EQ(node["phase"], graph.position(TaskId(t)).phase);
        }
        for (const std::uint32_t s : graph.successors(TaskId(t))) edges.emplace(t, s);
        for (const std::uint32_t s : graph.wrap_successors(TaskId(t))) wraps.emplace(t, s);
      }
      EXPECT_EQ(j["edges"].get<EdgeSet>(), edges);
      EXPECT_EQ(j["edges"].size(), graph.n_edges());
      EXPECT_EQ(j["wrap_edges"].get<EdgeSet>(), wraps);
      EXPECT_EQ(j["wrap_edges"].size(), graph.n_wrap_edges());
      EXPECT_EQ(j["messages"].size(), graph.n_messages());
    }
}

TEST(GraphDumpJson, keeps_names_keys_and_hints_whole) {
  constexpr std::uint64_t key = 0xfedcba9876543210;
  Recorder recorder(Rank(2), 4);
  auto x = recorder.data<double>("x", 3);
  recorder.phase("first \"half\"", PhaseKind::step);
  recorder.task("a\\b\n\"c\"", uses(out(x)), [](auto) {},
                {.priority = -3, .cost = 0.1, .preferred_worker = 5, .level = 4, .block = key});
  recorder.send(in(x), Rank(1));
  recorder.recv(out(x), Rank(3));
  recorder.task("end", uses(in(x)), [](auto) {},
                {.cost = std::numeric_limits<double>::infinity(), .controls_termination = true});

  const json j = dumped(capture(std::move(recorder), Model::dataflow));

  EXPECT_EQ(j["rank"], 2);
  EXPECT_EQ(j["phases"], json::array({"first \"half\""}));
  const json& node = j["nodes"][0];
  EXPECT_EQ(node["name"], "a\\b\n\"c\"");
  EXPECT_EQ(node["kind"], "task");
  EXPECT_EQ(node["block"], std::to_string(key));
  EXPECT_EQ(node["level"], 4);
  EXPECT_EQ(node["cost"].get<double>(), 0.1);
  EXPECT_EQ(node["priority"], -3);
  EXPECT_EQ(node["preferred_worker"], 5);
  EXPECT_FALSE(node["controls_termination"].get<bool>());
  EXPECT_TRUE(j["nodes"][3]["cost"].is_null());
  EXPECT_TRUE(j["nodes"][3]["preferred_worker"].is_null());
  EXPECT_TRUE(j["nodes"][3]["controls_termination"].get<bool>());
  EXPECT_EQ(j["messages"],
            json::parse(R"([{"node": 1, "kind": "send", "peer": 1, "tag": 0, "bytes": 24},
                            {"node": 2, "kind": "recv", "peer": 3, "tag": 0, "bytes": 24}])"));
}

}  // namespace
}  // namespace thalweg::flow
