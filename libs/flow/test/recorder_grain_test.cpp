// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <thalweg/core/error.hpp>
#include <thalweg/flow/coroutine.hpp>
#include <thalweg/flow/graph.hpp>
#include <thalweg/flow/recorder.hpp>

#include "nothing.hpp"
#include "random_program.hpp"
#include "single_rank.hpp"

namespace thalweg::flow {
namespace {

TEST(RecorderGrain, tasks_of_a_kind_recorded_together_are_one_node) {
  Recorder r(Rank(0), 1, {.grain = 3});
  auto x = r.data<int>("x", 8);
  for (std::size_t i = 0; i < 8; ++i)
    r.task("fill", uses(out(x.range(i, i + 1))), nothing, {.cost = 2});
  const TaskId sum = r.task("sum", uses(in(x)), nothing);
  const Graph g = capture(std::move(r), Model::dataflow);

  EXPECT_EQ(g.n_tasks(), 4u);
  EXPECT_EQ(g.n_predecessors(sum), 3u);
  EXPECT_EQ(g.node(TaskId(0)).cost, 6);
  EXPECT_EQ(g.node(TaskId(2)).cost, 4);
  EXPECT_EQ(g.accesses(TaskId(1)).size(), 3u);
}

TEST(RecorderGrain, tasks_that_differ_in_what_matters_are_not_joined) {
  Recorder r(Rank(0), 1, {.grain = 8});
  auto x = r.data<int>("x", 1);
  const auto add = [&](const char* name, const TaskOptions& options) {
    return r.task(name, uses(in(x)), nothing, options)();
  };
  EXPECT_EQ(add("a", {}), 0u);
  std::uint32_t n = 1;
  for (const TaskOptions& other :
       {TaskOptions{.priority = 1}, TaskOptions{.preferred_worker = 1}, TaskOptions{.level = 1},
        TaskOptions{.controls_termination = true}}) {
    EXPECT_EQ(add("b", {}), n++);
    EXPECT_EQ(add("b", other), n++);
  }
  EXPECT_EQ(add("b", {}), n++);
  r.phase("next", PhaseKind::step);
  EXPECT_EQ(add("b", {}), n);
  r.send(in(x), Rank(0));
  EXPECT_EQ(add("b", {}), n + 2);
  EXPECT_EQ(add("b", {}), n + 2);
}

TEST(RecorderGrain, what_must_come_before_an_earlier_task_is_not_joined_by_a_later_one) {
  Recorder r(Rank(0), 1, {.grain = 8});
  auto x = r.data<int>("x", 1);
  const TaskId earlier = r.task("earlier", uses(inout(x)), nothing);
  auto y = r.data<int>("y", 1);
  const TaskId first = r.task("t", uses(out(y)), nothing);
  r.after(first, earlier);
  const TaskId second = r.task("t", uses(in(x)), nothing);  // of what `earlier` writes
  const Graph g = capture(std::move(r), Model::dataflow);

  EXPECT_NE(first, second);
  EXPECT_TRUE(g.cyclic().empty());
}

TEST(RecorderGrain, random_programs_have_the_same_bits_at_any_grain) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const RandomProgram program({.seed = seed, .n_data = 3 + static_cast<std::uint32_t>(seed % 9)});
    const auto expected = program.serial_result(3);
    for (const std::uint32_t grain : {1u, 3u, 8u}) {
      std::vector<std::uint64_t> values = program.initial();
      Recorder recorder(Rank(0), 1, {.grain = grain});
      program.record(recorder, values.data());
      Graph graph = capture(std::move(recorder), all_models[seed % 4]);
      UniformPicker picker(seed);
      SingleRank machine({.n_workers = 1 + static_cast<std::uint32_t>(seed % 2),
                          .depth = 1 + static_cast<std::uint32_t>(seed % 3),
                          .picker = seed % 3 == 0 ? nullptr : &picker},
                         static_cast<int>(seed % 3));

      const auto report = machine.executor.run(graph, 3);

      ASSERT_TRUE(report) << report.error().message;
      ASSERT_EQ(values, expected) << "seed " << seed << ", grain " << grain;
    }
  }
}

TEST(RecorderGrain, tasks_that_bind_requests_are_joined_only_by_what_need_not_wait_for_those) {
  for (const bool is_chain : {false, true}) {
    Recorder r(Rank(0), 1, {.grain = 4});
    auto x = r.data<int>("x", 4);
    for (std::size_t i = 0; i < 4; ++i)
      r.task("bind", uses(inout(x.range(is_chain ? 0 : i, i + 1))), [](auto v, TaskContext& c) {
        c.bind({.test = [](std::uint64_t& n_looks) { return ++n_looks == 3; }});
        v[0] = 1;
      });
    Graph graph = capture(std::move(r), Model::dataflow);
    SingleRank machine({.n_workers = 1});

    const auto report = machine.executor.run(graph, 2);

    EXPECT_EQ(graph.n_tasks(), 1u);
    EXPECT_EQ(report.has_value(), !is_chain);
    if (!report) {
      EXPECT_NE(report.error().message.find("grain = 1"), std::string::npos);
    }
  }
}

TEST(RecorderGrain, tasks_that_wait_in_the_middle_are_not_joined) {
  Recorder r(Rank(0), 1, {.grain = 4});
  auto x = r.data<int>("x", 4);
  const auto waits = [](std::span<int>, TaskContext&) -> Coroutine { co_return; };
  const TaskId first = r.task("t", uses(out(x.range(0, 1))), waits);
  const TaskId second = r.task("t", uses(out(x.range(1, 2))), waits);
  const TaskId third = r.task("t", uses(out(x.range(2, 3))), nothing);

  EXPECT_NE(first, second);
  EXPECT_NE(second, third);
  EXPECT_EQ(r.task("t", uses(out(x.range(3, 4))), nothing), third);
}

TEST(RecorderGrain, a_failure_names_the_block_of_the_part_that_failed) {
  for (const std::uint64_t first : {0u, 11u})
    for (const std::uint32_t grain : {1u, 4u}) {
      SingleRank machine({});
      Recorder r(Rank(0), 1, {.grain = grain});
      auto u = r.data<double>("u", 4);
      for (std::uint64_t i = 0; i < 4; ++i)
        r.task("step", uses(inout(u.range(i, i + 1))),
               [i](auto, TaskContext& context) {
                 if (i == 2 && context.replay() == 1) throw std::runtime_error("negative density");
               },
               {.block = first + i});
      Graph graph = capture(std::move(r), Model::dataflow);
      const auto words = [&](const std::string& blocks, int replay) {
        return "task 'step' on rank 0 (" + blocks + ", level 0, replay " + std::to_string(replay) +
               ")";
      };
      const std::string before = graph.describe(TaskId(0), 0, std::nullopt);

      const auto report = machine.executor.run(graph, 3);

      ASSERT_FALSE(report);
      EXPECT_EQ(report.error().message,
                words("block " + std::to_string(first + 2), 1) + " failed: negative density");
      EXPECT_EQ(before, words(grain == 1 ? "block " + std::to_string(first)
                                         : "blocks " + std::to_string(first) + " to " +
                                               std::to_string(first + 3),
                              0));
    }
}

TEST(RecorderGrain, says_what_is_possible) {
  EXPECT_THROW(Recorder(Rank(0), 1, {.grain = 0}), Error);
  EXPECT_THROW(Recorder(Rank(0), 1, {.grain = 65537}), Error);
}

}  // namespace
}  // namespace thalweg::flow
