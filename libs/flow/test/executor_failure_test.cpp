// SPDX-License-Identifier: MIT
// Runs that fail, on one rank. On several: libs/comm/test.
#include <gtest/gtest.h>

#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

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
    EXPECT_NE(report.error().message.find("'egg' on rank 0 (replay 0) waits for itself"),
              std::string::npos)
        << report.error().message;
  }
}

TEST(ExecutorFailure, cycle_is_told_in_its_order_without_what_only_waits_for_it) {
  for (const Model model : all_models) {
    SingleRank machine({});
    Recorder recorder(Rank(0), 1);
    auto x = recorder.data<int>("x", 1);
    std::vector<TaskId> innocent;
    for (int i = 0; i < 30; ++i) innocent.push_back(recorder.task("innocent", uses(), [] {}));
    const TaskId egg = recorder.task("egg", uses(inout(x)), [](auto) {});
    recorder.task("chick", uses(inout(x)), [](auto) {});
    const TaskId hen = recorder.task("hen", uses(in(x)), [](auto) {});
    recorder.after(hen, egg);
    for (const TaskId task : innocent) recorder.after(hen, task);
    Graph graph = capture(std::move(recorder), model);

    const auto report = machine.executor.run(graph, 1);

    ASSERT_FALSE(report);
    EXPECT_EQ(report.error().message,
              "rank 0 has tasks that wait for each other in a cycle: task 'egg' on rank 0 (replay "
              "0) waits for task 'hen' on rank 0 (replay 0), which waits for task 'chick' on rank "
              "0 (replay 0), which waits for the first (it comes of after('hen', 'egg')); leave "
              "that out, or record them in the order in which they run; 30 more tasks cannot run "
              "because of cycles");
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

  for (Graph* graph : {&moved, &replaced})
    EXPECT_THROW((void)machine.executor.run(*graph, 1), Error);
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

/// What a run of a graph with a message says whose one task calls f().
template <class F>
std::string said_of_call_in_task(SingleRank& machine, F f) {
  Recorder recorder(Rank(0), 1);
  auto x = recorder.data<int>("x", 1), y = recorder.data<int>("y", 1);
  recorder.send(in(x), Rank(0));
  recorder.recv(out(y), Rank(0));
  recorder.task("calls", uses(inout(y)), [f](auto) { f(); });
  Graph graph = capture(std::move(recorder), Model::dataflow);
  const auto report = machine.executor.run(graph, 3);
  return report ? "" : report.error().message;
}

TEST(ExecutorFailure, messages_of_a_second_run_on_one_transport_are_refused) {
  for (const std::uint32_t n_workers : {1u, 2u}) {
    SingleRank machine({.n_workers = n_workers});
    Recorder inner(Rank(0), 1);
    auto a = inner.data<int>("a", 1), b = inner.data<int>("b", 1);
    inner.send(in(a), Rank(0));
    inner.recv(out(b), Rank(0));
    Graph ring = capture(std::move(inner), Model::dataflow);
    Executor other(SingleRank::watched({}), machine.transport, machine.clock);

    const std::string said = said_of_call_in_task(machine, [&] { (void)other.run(ring, 1); });

    for (const char* part : {"'calls'", "a run of a graph with messages on rank 0",
                             "a transport that is in use", "call it when that is over"})
      EXPECT_NE(said.find(part), std::string::npos) << said;
  }
}

/// A graph without messages, of tasks that do as this one.
Graph tasks_like(void (*body)(TaskContext&), int n_tasks = 1) {
  Recorder recorder(Rank(0), 1);
  for (int i = 0; i < n_tasks; ++i)
    recorder.task("inner", uses(), [body](TaskContext& context) { body(context); });
  return capture(std::move(recorder), Model::dataflow);
}

void bind_what_is_over(TaskContext& context) {
  context.bind({.test = [](std::uint64_t&) { return true; }});
}

void use_the_transport(TaskContext& context) {
  context.with_transport([] {});
}

TEST(ExecutorFailure, tasks_of_a_second_run_that_use_the_transport_are_refused) {
  const std::pair<void (*)(TaskContext&), const char*> cases[] = {
      {&bind_what_is_over, "a task that waits for a message or a request on rank 0"},
      {&use_the_transport, "a task that uses the transport on rank 0"}};
  for (const std::uint32_t n_workers : {1u, 2u})
    for (const auto& [body, user] : cases) {
      SingleRank machine({});
      Graph graph = tasks_like(body);
      Executor other(SingleRank::watched({.n_workers = n_workers}), machine.transport,
                     machine.clock);

      const std::string said = said_of_call_in_task(machine, [&] {
        if (const auto report = other.run(graph, 1); !report) throw Error(report.error().message);
      });

      for (const char* part : {"'calls'", user, "a transport that is in use"})
        EXPECT_NE(said.find(part), std::string::npos) << said;
      EXPECT_TRUE(other.run(graph, 2));
    }
}

TEST(ExecutorFailure, transport_is_given_back_where_an_exception_leaves_a_run) {
  /// Has the first task run, and no more.
  struct OnlyOne final : Picker {
    std::size_t pick(std::span<const TaskId>) override {
      if (n_picks++ == 1) throw Error("one is enough");
      return 0;
    }
    int n_picks = 0;
  };
  for (const auto body : {&bind_what_is_over, &use_the_transport}) {
    SingleRank machine({});
    Graph two = tasks_like(body, 2);
    OnlyOne picker;
    Executor other(SingleRank::watched({.picker = &picker}), machine.transport, machine.clock);

    EXPECT_THROW((void)other.run(two, 1), Error);

    EXPECT_EQ(said_of_call_in_task(machine, [] {}), "");
  }
}

TEST(ExecutorFailure, second_run_without_messages_is_none) {
  SingleRank machine({});
  Recorder inner(Rank(0), 1);
  auto n = inner.data<int>("n", 1);
  inner.task("counts", uses(inout(n)), [](auto v) { ++v[0]; });
  Graph counts = capture(std::move(inner), Model::dataflow);
  Executor other(SingleRank::watched({}), machine.transport, machine.clock);

  EXPECT_EQ(said_of_call_in_task(machine, [&] { EXPECT_TRUE(other.run(counts, 2)); }), "");
  EXPECT_EQ(n.view()[0], 6);
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
