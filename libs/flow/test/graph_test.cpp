// SPDX-License-Identifier: MIT
#include <thalweg/flow/graph.hpp>

#include <gtest/gtest.h>

#include <sstream>
#include <vector>

#include "order.hpp"
#include "random_program.hpp"

namespace thalweg::flow {
namespace {

/// What the steps of a program order. A message step is two tasks, each with one access.
Order oracle(const RandomProgram& program, std::size_t n_replays) {
  std::vector<std::vector<Access>> once;
  for (const auto& step : program.steps()) {
    if (step.is_message)
      for (const Access& a : step.accesses) once.push_back({a});
    else
      once.push_back(step.accesses);
  }
  return oracle(once, n_replays);
}

Graph captured(const RandomProgram& program, Model model) {
  std::vector<std::uint64_t> values = program.initial();
  Recorder recorder(Rank(0), 1);
  program.record(recorder, values.data());  // never run
  return capture(std::move(recorder), model);
}

TEST(Graph, orders_exactly_what_conflicts_across_three_replays) {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    const RandomProgram program({.seed = seed,
                                 .n_tasks = 5 + static_cast<std::uint32_t>(seed % 20),
                                 .n_data = 2 + static_cast<std::uint32_t>(seed % 7)});
    const Graph g = captured(program, Model::dataflow);

    EXPECT_EQ(order_of(g, 3), oracle(program, 3)) << "seed " << seed;
  }
}

TEST(Graph, has_no_edge_that_follows_from_others_through_one_datum) {
  Recorder r(Rank(0), 1);
  auto x = r.data<int>("x", 1);
  for (int i = 0; i < 4; ++i) r.task("t", uses(inout(x)), [](auto) {});
  const Graph g = capture(std::move(r), Model::dataflow);

  EXPECT_EQ(g.n_edges(), 3u);
  EXPECT_EQ(g.n_wrap_edges(), 1u);
  EXPECT_EQ(g.wrap_successors(TaskId(3))[0], 0u);
}

TEST(Graph, data_that_are_only_read_tie_no_replays) {
  Recorder r(Rank(0), 1);
  auto x = r.data<int>("x", 1);
  r.task("t", uses(in(x)), [](auto) {});
  const Graph g = capture(std::move(r), Model::dataflow);

  EXPECT_EQ(g.n_wrap_edges(), 0u);
}

/// Two phases of three tasks, then a level phase of two.
Graph phased(Model model) {
  Recorder r(Rank(0), 1);
  auto x = r.data<int>("x", 1);
  auto y = r.data<int>("y", 1);
  r.phase("one", PhaseKind::step);
  for (int i = 0; i < 3; ++i) r.task("a", uses(in(x)), [](auto) {});
  r.phase("empty", PhaseKind::step);
  r.phase("two", PhaseKind::step);
  for (int i = 0; i < 3; ++i) r.task("b", uses(in(x)), [](auto) {});
  r.phase("three", PhaseKind::level);
  for (int i = 0; i < 2; ++i) r.task("c", uses(inout(y)), [](auto) {});
  r.phase("end", PhaseKind::step);
  return capture(std::move(r), model);
}

/// Nodes without accesses, where no messages are recorded.
std::size_t n_barriers(const Graph& g) {
  return g.n_nodes() - g.n_tasks();
}

TEST(Graph, models_differ_in_their_barriers) {
  EXPECT_EQ(n_barriers(phased(Model::bulk)), 2u);
  EXPECT_EQ(n_barriers(phased(Model::forkjoin)), 2u);
  EXPECT_EQ(n_barriers(phased(Model::phase)), 1u);
  EXPECT_EQ(n_barriers(phased(Model::dataflow)), 0u);
  EXPECT_TRUE(phased(Model::dataflow).overlaps());
  EXPECT_FALSE(phased(Model::phase).overlaps());
}

TEST(Graph, level_phase_without_tasks_keeps_its_barrier) {
  Recorder r(Rank(0), 1);
  auto x = r.data<int>("x", 1);
  r.phase("one", PhaseKind::step);
  r.task("a", uses(in(x)), [](auto) {});
  r.phase("empty", PhaseKind::level);
  r.phase("two", PhaseKind::step);
  r.task("b", uses(in(x)), [](auto) {});
  const Graph g = capture(std::move(r), Model::phase);

  EXPECT_EQ(n_barriers(g), 1u);
  EXPECT_TRUE(order_of(g, 1)[0][1]);
}

TEST(Graph, barrier_orders_all_before_all_after_and_leaves_out_what_follows) {
  for (const Model model : {Model::bulk, Model::phase}) {
    const Graph g = phased(model);
    const Order before = order_of(g, 1);
    const std::uint32_t n_first = model == Model::bulk ? 3 : 6;

    for (std::uint32_t i = 0; i < n_first; ++i)
      for (std::uint32_t j = n_first; j < 8; ++j) EXPECT_TRUE(before[i][j]) << i << ' ' << j;
    EXPECT_FALSE(before[0][1]);
    EXPECT_EQ(g.n_wrap_edges(), 0u);
  }
  EXPECT_EQ(phased(Model::phase).n_edges(), 6u + 1u + 1u);
}

TEST(Graph, barriers_only_add_order) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const RandomProgram program({.seed = seed, .n_tasks = 25, .percent_phases = 20});
    const Order expected = oracle(program, 1);
    for (const Model model : {Model::bulk, Model::phase}) {
      const Order got = order_of(captured(program, model), 1);
      for (std::size_t i = 0; i < expected.size(); ++i)
        for (std::size_t j = 0; j < expected.size(); ++j)
          if (expected[i][j]) {
            ASSERT_TRUE(got[i][j]) << seed << ": " << i << " -> " << j;
          }
    }
  }
}

TEST(Graph, positions_count_within_phases) {
  const Graph g = phased(Model::dataflow);

  EXPECT_EQ(g.n_phases(), 3u);
  EXPECT_EQ(g.phase_name(1), "two");
  EXPECT_EQ(g.position(TaskId(4)).phase, 1u);
  EXPECT_EQ(g.position(TaskId(4)).index, 1u);
  EXPECT_EQ(g.position(TaskId(4)).n_tasks, 3u);
  EXPECT_EQ(g.position(TaskId(7)).n_tasks, 2u);
}

TEST(Graph, counts_agree_with_the_edges) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Graph g = captured(RandomProgram({.seed = seed}), static_cast<Model>(seed % 4));
    std::vector<std::uint32_t> n_in(g.n_nodes(), 0);
    std::size_t n_sinks = 0;
    for (std::uint32_t t = 0; t < g.n_nodes(); ++t) {
      for (const std::uint32_t s : g.successors(TaskId(t))) ++n_in[s];
      n_sinks += g.successors(TaskId(t)).empty() ? 1 : 0;
    }
    for (std::uint32_t t = 0; t < g.n_nodes(); ++t) EXPECT_EQ(g.n_predecessors(TaskId(t)), n_in[t]);
    EXPECT_EQ(g.n_sinks(), n_sinks);
    for (const std::uint32_t s : g.sources()) EXPECT_EQ(n_in[s], 0u);
  }
}

TEST(Graph, dump_shows_names_messages_and_both_kinds_of_edges) {
  Recorder r(Rank(0), 2);
  auto x = r.data<int>("x", 1);
  r.task("a \"b\"", uses(out(x)), [](auto) {});
  r.send(in(x), Rank(1));
  const Graph g = capture(std::move(r), Model::dataflow);
  std::ostringstream text;

  g.dump_dot(text);

  EXPECT_EQ(text.str(),
            "digraph thalweg {\n"
            "  n0 [label=\"a \\\"b\\\"\"];\n"
            "  n1 [label=\"send to 1 tag 0\", shape=box];\n"
            "  n0 -> n1;\n"
            "  n1 -> n0 [style=dashed, constraint=false];\n"
            "}\n");
}

}  // namespace
}  // namespace thalweg::flow
