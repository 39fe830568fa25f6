// SPDX-License-Identifier: MIT
// Runs that fail, on one rank. On several: libs/comm/test.
#include <gtest/gtest.h>

#include <new>
#include <stdexcept>
#include <string>

#include "single_rank.hpp"

namespace thalweg::flow {
namespace {

TEST(ExecutorFailure, cancels_all_that_depends_on_the_task_in_every_model) {
  for (const Model model : all_models)
    for (const std::uint32_t n_workers : {1u, 3u}) {
      SingleRank machine({.n_workers = n_workers});
      Recorder recorder(Rank(0), 1);
      auto x = recorder.data<int>("x", 1), y = recorder.data<int>("y", 1),
           z = recorder.data<int>("z", 1);
      recorder.phase("one", PhaseKind::level);
      recorder.task("fail", uses(inout(x)), [](auto v, TaskContext& context) {
        if (context.replay() == 1) throw 42;
        ++v[0];
      });
      recorder.phase("two", PhaseKind::step);
      recorder.send(in(x), Rank(0));
      recorder.recv(out(y), Rank(0));
      recorder.phase("three", PhaseKind::level);
      recorder.task("after", uses(in(y), inout(z)), [](auto, auto v) { ++v[0]; });
      Graph graph = capture(std::move(recorder), model);

      const auto report = machine.executor.run(graph, 5);

      ASSERT_FALSE(report);
      EXPECT_NE(report.error().message.find("task 'fail'"), std::string::npos);
      EXPECT_EQ(x.view()[0], 1);
      EXPECT_LE(z.view()[0], 1);  // of the replay before
    }
}

TEST(ExecutorFailure, exception_becomes_a_failure_that_says_where) {
  for (const std::uint32_t n_workers : {1u, 4u}) {
    SingleRank machine({.n_workers = n_workers});
    Recorder recorder(Rank(0), 1);
    auto x = recorder.data<int>("x", 1);
    recorder.task("explode", uses(inout(x)),
                  [](auto, TaskContext& context) {
                    if (context.replay() == 2) throw std::runtime_error("negative density");
                  },
                  {.level = 3, .block = 17});
    Graph graph = capture(std::move(recorder), Model::dataflow);

    const auto report = machine.executor.run(graph, 10);

    ASSERT_FALSE(report);
    for (const char* part :
         {"explode", "rank 0", "block 17", "level 3", "replay 2", "negative density"})
      EXPECT_NE(report.error().message.find(part), std::string::npos) << report.error().message;
  }
}

TEST(ExecutorFailure, says_what_to_do_where_there_is_no_memory) {
  SingleRank machine({});
  Recorder recorder(Rank(0), 1);
  auto x = recorder.data<int>("x", 1);
  recorder.task("grow", uses(inout(x)), [](auto) { throw std::bad_alloc(); });
  Graph graph = capture(std::move(recorder), Model::dataflow);

  const auto report = machine.executor.run(graph, 1);

  ASSERT_FALSE(report);
  EXPECT_NE(report.error().message.find("no memory left"), std::string::npos)
      << report.error().message;
}

TEST(ExecutorFailure, can_run_again_after_a_failure) {
  SingleRank machine({.n_workers = 2});
  bool fails = true;
  Recorder recorder(Rank(0), 1);
  auto x = recorder.data<int>("x", 1);
  recorder.task("maybe", uses(inout(x)), [&fails](auto v) {
    if (fails) throw std::runtime_error("no");
    ++v[0];
  });
  Graph graph = capture(std::move(recorder), Model::dataflow);
  ASSERT_FALSE(machine.executor.run(graph, 4));

  fails = false;
  const auto report = machine.executor.run(graph, 4);

  ASSERT_TRUE(report);
  EXPECT_EQ(x.view()[0], 4);
}

TEST(ExecutorFailure, cycle_is_found_and_named) {
  for (const std::uint32_t n_workers : {1u, 2u}) {
    SingleRank machine({.n_workers = n_workers});
    Recorder recorder(Rank(0), 1);
    auto x = recorder.data<int>("x", 1);
    const TaskId egg = recorder.task("egg", uses(inout(x)), [](auto) {});
    const TaskId hen = recorder.task("hen", uses(inout(x)), [](auto) {});
    recorder.after(hen, egg);
    Graph graph = capture(std::move(recorder), Model::dataflow);

    const auto report = machine.executor.run(graph, 1);

    ASSERT_FALSE(report);
    EXPECT_NE(report.error().message.find("egg"), std::string::npos) << report.error().message;
    EXPECT_NE(report.error().message.find("hen"), std::string::npos);
  }
}

TEST(ExecutorFailure, cycle_that_nothing_else_waits_for_is_found_too) {
  for (const Model model : all_models) {
    SingleRank machine({});
    Recorder recorder(Rank(0), 1);
    recorder.task("loose", uses(), [] {});
    const TaskId egg = recorder.task("egg", uses(), [] {});
    const TaskId hen = recorder.task("hen", uses(), [] {});
    recorder.after(egg, hen);
    recorder.after(hen, egg);
    Graph graph = capture(std::move(recorder), model);

    const auto report = machine.executor.run(graph, 1);

    ASSERT_FALSE(report);
    EXPECT_NE(report.error().message.find("egg"), std::string::npos) << report.error().message;
    EXPECT_EQ(report.error().message.find("loose"), std::string::npos);
  }
}

TEST(ExecutorFailure, task_that_waits_for_itself_is_a_cycle) {
  for (const Model model : all_models) {
    SingleRank machine({});
    Recorder recorder(Rank(0), 1);
    const TaskId egg = recorder.task("egg", uses(), [] {});
    recorder.after(egg, egg);
    Graph graph = capture(std::move(recorder), model);

    const auto report = machine.executor.run(graph, 1);

    ASSERT_FALSE(report);
    EXPECT_NE(report.error().message.find("egg"), std::string::npos) << report.error().message;
  }
}

TEST(ExecutorFailure, graph_of_another_rank_is_refused) {
  SingleRank machine({});
  Graph graph = capture(Recorder(Rank(1), 2), Model::dataflow);

  try {
    (void)machine.executor.run(graph, 1);
    ADD_FAILURE() << "it ran";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("a graph of rank 1 of 2 is run on rank 0 of 1"),
              std::string::npos)
        << error.what();
  }
}

TEST(ExecutorFailure, graph_that_was_moved_or_replaced_is_refused) {
  SingleRank machine({});
  const auto empty = [] { return capture(Recorder(Rank(0), 1), Model::dataflow); };
  Graph moved = empty(), replaced = empty();
  Graph taken = std::move(moved);
  Recorder::replacing(std::move(replaced));

  for (Graph* graph : {&moved, &replaced}) EXPECT_THROW(machine.executor.run(*graph, 1), Error);
  EXPECT_TRUE(machine.executor.run(taken, 1));
}

TEST(ExecutorFailure, run_in_a_task_of_the_same_executor_is_refused) {
  for (const std::uint32_t n_workers : {1u, 2u}) {
    SingleRank machine({.n_workers = n_workers});
    Graph none = capture(Recorder(Rank(0), 1), Model::dataflow);
    Recorder recorder(Rank(0), 1);
    recorder.task("nests", uses(), [&] { (void)machine.executor.run(none, 1); });
    Graph graph = capture(std::move(recorder), Model::dataflow);

    const auto report = machine.executor.run(graph, 1);

    ASSERT_FALSE(report);
    for (const char* part : {"'nests'", "while it runs one"})
      EXPECT_NE(report.error().message.find(part), std::string::npos) << report.error().message;
    EXPECT_TRUE(machine.executor.run(none, 1));
  }
}

TEST(ExecutorFailure, failing_transport_is_a_failure_of_the_run) {
  SingleRank machine({.n_workers = 2});
  Recorder recorder(Rank(0), 1);
  auto x = recorder.data<int>("x", 2);
  auto y = recorder.data<int>("y", 1);
  recorder.send(in(x), Rank(0));
  recorder.recv(out(y), Rank(0));
  Graph graph = capture(std::move(recorder), Model::dataflow);

  const auto report = machine.executor.run(graph, 1);

  ASSERT_FALSE(report);
  EXPECT_NE(report.error().message.find("sizes differ"), std::string::npos);
}

}  // namespace
}  // namespace thalweg::flow
