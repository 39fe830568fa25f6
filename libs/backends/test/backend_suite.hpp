// SPDX-License-Identifier: MIT
// What every back end is asked, on one rank: the executor's results, and its ways of failing.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <new>
#include <stdexcept>

#include <thalweg/backends/config.hpp>
#include <thalweg/flow/executor.hpp>

#include "loopback.hpp"
#include "random_program.hpp"

namespace thalweg::backends {

/// @tparam Executor a back end's
template <class Executor>
class Backend : public testing::Test {};
TYPED_TEST_SUITE_P(Backend);

inline std::vector<std::uint64_t> flow_result(const flow::RandomProgram& program, flow::Model model,
                                              std::uint64_t n_replays) {
  std::vector<std::uint64_t> values = program.initial();
  flow::Recorder recorder(Rank(0), 1);
  program.record(recorder, values.data());
  flow::Graph graph = flow::capture(std::move(recorder), model);
  flow::Loopback transport(2);
  const SteadyClock clock;
  flow::Executor executor({.n_workers = 2}, transport, clock);
  EXPECT_TRUE(executor.run(graph, n_replays));
  return values;
}

/// Run a program with a back end and compare with flow's executor.
template <class Executor>
void expect_same_bits(Executor& executor, const flow::ProgramShape& shape, flow::Model model) {
  constexpr std::uint64_t n_replays = 7;
  const flow::RandomProgram program(shape);
  std::vector<std::uint64_t> values = program.initial();
  flow::Recorder recorder(Rank(0), 1);
  program.record(recorder, values.data());
  const flow::Graph graph = flow::capture(std::move(recorder), model);

  const auto report = executor.run(graph, n_replays);

  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->n_replays, n_replays);
  EXPECT_EQ(values, flow_result(program, model, n_replays))
      << "seed " << shape.seed << ", " << to_string(model);
}

TYPED_TEST_P(Backend, gives_the_bits_of_flows_executor_in_all_models) {
  for (const std::uint32_t n_threads : {1u, 2u}) {
    flow::Loopback transport(3);
    TypeParam executor({.n_threads = n_threads, .depth = 3}, transport);
    for (std::uint64_t seed = 0; seed < 5; ++seed)
      for (const flow::Model model : flow::all_models)
        expect_same_bits(executor, {.seed = seed}, model);
  }
}

TYPED_TEST_P(Backend, runs_graphs_that_are_wide_and_have_many_messages) {
  flow::Loopback transport(2);
  TypeParam executor({.n_threads = 2}, transport);
  for (const std::uint32_t percent_messages : {0u, 30u})
    for (const flow::Model model : flow::all_models)
      expect_same_bits(executor,
                       {.seed = 7,
                        .n_tasks = 600,
                        .n_data = 200,
                        .percent_messages = percent_messages,
                        .percent_phases = 2},
                       model);
}

TYPED_TEST_P(Backend, runs_of_one_replay_follow_each_other) {
  flow::Loopback transport;
  TypeParam executor({.n_threads = 2}, transport);
  int n_run = 0;
  flow::Recorder recorder(Rank(0), 1);
  auto x = recorder.data<int>("x", 1), y = recorder.data<int>("y", 1);
  recorder.task("count", flow::uses(flow::inout(x)), [&n_run](auto v) { v[0] = ++n_run; });
  recorder.send(flow::in(x), Rank(0));
  recorder.recv(flow::out(y), Rank(0));
  const flow::Graph graph = flow::capture(std::move(recorder), flow::Model::dataflow);

  for (int i = 0; i < 50; ++i) ASSERT_TRUE(executor.run(graph, 1));

  EXPECT_EQ(y.view()[0], 50);
  EXPECT_EQ(executor.n_tasks(), 50u);
}

TYPED_TEST_P(Backend, no_tasks_no_replays_and_no_accesses_are_fine) {
  flow::Loopback transport;
  TypeParam executor({}, transport);
  const flow::Graph empty = flow::capture(flow::Recorder(Rank(0), 1), flow::Model::dataflow);
  int n_run = 0;
  flow::Recorder recorder(Rank(0), 1);
  recorder.task("free", flow::uses(), [&n_run] { ++n_run; });
  const flow::Graph graph = flow::capture(std::move(recorder), flow::Model::bulk);

  EXPECT_EQ(executor.run(empty, 3)->n_replays, 3u);
  EXPECT_EQ(executor.run(graph, 0)->n_replays, 0u);
  EXPECT_EQ(n_run, 0);
  EXPECT_TRUE(executor.run(graph, 4));
  EXPECT_EQ(n_run, 4);
}

TYPED_TEST_P(Backend, explicit_edges_hold_even_to_a_task_recorded_before) {
  flow::Loopback transport;
  TypeParam executor({.n_threads = 2}, transport);
  for (const flow::Model model : {flow::Model::dataflow, flow::Model::forkjoin}) {
    std::vector<int> order;  // of one replay; a race if the edges do not hold
    flow::Recorder recorder(Rank(0), 1);
    const auto add = [&](int i) {
      return recorder.task("t", flow::uses(), [&order, i] { order.push_back(i); });
    };
    const flow::TaskId a = add(0), b = add(1), c = add(2), d = add(3);
    recorder.after(d, b);
    recorder.after(b, c);
    recorder.after(c, a);
    const flow::Graph graph = flow::capture(std::move(recorder), model);

    ASSERT_TRUE(executor.run(graph, 1));

    EXPECT_EQ(order, (std::vector<int>{3, 1, 2, 0}));
  }
}

TYPED_TEST_P(Backend, a_task_may_have_many_accesses) {
  constexpr std::size_t n = 100;
  flow::Loopback transport;
  TypeParam executor({.n_threads = 2}, transport);
  std::vector<int> values(n, 0);
  flow::Recorder recorder(Rank(0), 1);
  std::vector<flow::Access> all;
  for (std::size_t i = 0; i < n; ++i)
    all.push_back({recorder.datum("d"), i % 2 == 0 ? flow::Mode::in : flow::Mode::inout});
  for (std::size_t i = 0; i < n; ++i)
    recorder.task("one", std::vector{flow::Access{all[i].datum, flow::Mode::inout}},
                  [&values, i](flow::TaskContext&) { ++values[i]; });
  recorder.task("all", all, [&values](flow::TaskContext&) {
    const int least = *std::ranges::min_element(values);
    for (std::size_t i = 1; i < n; i += 2) values[i] += least;
  });
  const flow::Graph graph = flow::capture(std::move(recorder), flow::Model::dataflow);

  ASSERT_TRUE(executor.run(graph, 3));

  EXPECT_EQ(values[0], 3);
  EXPECT_EQ(values[1], 3 + 1 + 2 + 3);
}

TYPED_TEST_P(Backend, subnormal_numbers_are_zero_in_tasks_alone) {
  flow::Loopback transport;
  TypeParam executor({.n_threads = 2}, transport);
  const volatile double small = 1e-300;
  double product = 1;
  flow::Recorder recorder(Rank(0), 1);
  recorder.task("multiply", {}, [&](flow::TaskContext&) { product = small * 1e-20; });
  const flow::Graph graph = flow::capture(std::move(recorder), flow::Model::dataflow);

  ASSERT_TRUE(executor.run(graph, 1));

  EXPECT_EQ(product, 0);
  EXPECT_GT(small * 1e-20, 0);
}

TYPED_TEST_P(Backend, the_deciding_task_stops_the_run) {
  for (const std::uint32_t n_threads : {1u, 2u}) {
    flow::Loopback transport(2);
    TypeParam executor({.n_threads = n_threads, .depth = 3}, transport);
    for (const flow::Model model : flow::all_models) {
      flow::Recorder recorder(Rank(0), 1);
      auto x = recorder.data<int>("x", 1), y = recorder.data<int>("y", 1);
      recorder.phase("one", flow::PhaseKind::level);
      recorder.task("decide", flow::uses(flow::inout(x)),
                    [](auto v, flow::TaskContext& context) {
                      if (++v[0] == 4) context.request_stop();
                    },
                    {.controls_termination = true});
      recorder.phase("two", flow::PhaseKind::level);
      recorder.send(flow::in(x), Rank(0));
      recorder.recv(flow::out(y), Rank(0));
      const flow::Graph graph = flow::capture(std::move(recorder), model);

      const auto report = executor.run(graph, 1000);

      ASSERT_TRUE(report) << report.error().message;
      EXPECT_EQ(report->n_replays, 4u);
      EXPECT_TRUE(report->stopped);
      EXPECT_EQ(x.view()[0], 4);
      EXPECT_EQ(y.view()[0], 4);
    }
  }
}

TYPED_TEST_P(Backend, failure_names_the_task_and_cancels_all_that_depends_on_it) {
  for (const flow::Model model : flow::all_models) {
    flow::Loopback transport(2);  // not to be used after a failure, which leaves messages in it
    TypeParam executor({.n_threads = 2}, transport);
    bool fails = true;
    flow::Recorder recorder(Rank(0), 1);
    auto x = recorder.data<int>("x", 1), y = recorder.data<int>("y", 1),
         z = recorder.data<int>("z", 1);
    recorder.phase("one", flow::PhaseKind::level);
    recorder.task("explode", flow::uses(flow::inout(x)),
                  [&fails](auto v, flow::TaskContext& context) {
                    if (fails && context.replay() == 1)
                      throw std::runtime_error("negative density");
                    ++v[0];
                  },
                  {.level = 3, .block = 17});
    recorder.phase("two", flow::PhaseKind::step);
    recorder.send(flow::in(x), Rank(0));
    recorder.recv(flow::out(y), Rank(0));
    recorder.phase("three", flow::PhaseKind::level);
    recorder.task("after", flow::uses(flow::in(y), flow::inout(z)), [](auto, auto v) { ++v[0]; });
    const flow::Graph graph = flow::capture(std::move(recorder), model);

    const auto report = executor.run(graph, 5, 100);

    ASSERT_FALSE(report);
    for (const char* part :
         {"'explode'", "rank 0", "block 17", "level 3", "step 101", "negative density"})
      EXPECT_NE(report.error().message.find(part), std::string::npos) << report.error().message;
    EXPECT_EQ(x.view()[0], 1);
    EXPECT_LE(z.view()[0], 1);  // of the replay before

    fails = false;
    flow::Loopback fresh;
    EXPECT_TRUE(TypeParam({.n_threads = 2}, fresh).run(graph, 2));
    EXPECT_EQ(x.view()[0], 3);
  }
}

TYPED_TEST_P(Backend, failing_transport_is_a_failure_of_the_run) {
  flow::Loopback transport;
  TypeParam executor({}, transport);
  flow::Recorder recorder(Rank(0), 1);
  auto x = recorder.data<int>("x", 2);
  auto y = recorder.data<int>("y", 1);
  recorder.send(flow::in(x), Rank(0));
  recorder.recv(flow::out(y), Rank(0));
  const flow::Graph graph = flow::capture(std::move(recorder), flow::Model::dataflow);

  const auto report = executor.run(graph, 1);

  ASSERT_FALSE(report);
  EXPECT_NE(report.error().message.find("sizes differ"), std::string::npos);
}

TYPED_TEST_P(Backend, cycle_is_named) {
  flow::Loopback transport;
  TypeParam executor({}, transport);
  flow::Recorder recorder(Rank(0), 1);
  const flow::TaskId egg = recorder.task("egg", flow::uses(), [] {});
  const flow::TaskId hen = recorder.task("hen", flow::uses(), [] {});
  recorder.after(egg, hen);
  recorder.after(hen, egg);
  const flow::Graph graph = flow::capture(std::move(recorder), flow::Model::dataflow);

  const auto report = executor.run(graph, 1);

  ASSERT_FALSE(report);
  for (const char* part : {"task 'egg' on rank 0", "task 'hen' on rank 0"})
    EXPECT_NE(report.error().message.find(part), std::string::npos) << report.error().message;
}

TYPED_TEST_P(Backend, graph_of_another_rank_is_refused) {
  flow::Loopback transport;
  TypeParam executor({}, transport);
  const flow::Graph graph = flow::capture(flow::Recorder(Rank(1), 2), flow::Model::dataflow);

  EXPECT_THROW((void)executor.run(graph, 1), Error);
}

TYPED_TEST_P(Backend, a_run_in_a_task_of_the_same_executor_is_refused) {
  flow::Loopback transport;
  TypeParam executor({}, transport);
  flow::Recorder inside(Rank(0), 1);
  inside.task("inner", flow::uses(), [] {});
  const flow::Graph inner = flow::capture(std::move(inside), flow::Model::dataflow);
  flow::Recorder recorder(Rank(0), 1);
  recorder.task("outer", flow::uses(), [&] { (void)executor.run(inner, 1); });
  const flow::Graph graph = flow::capture(std::move(recorder), flow::Model::dataflow);

  const auto report = executor.run(graph, 1);

  ASSERT_FALSE(report);
  for (const char* part : {"'outer'", "while it runs one"})
    EXPECT_NE(report.error().message.find(part), std::string::npos) << report.error().message;
  EXPECT_TRUE(executor.run(inner, 1));
}

TYPED_TEST_P(Backend, says_what_to_do_where_there_is_no_memory) {
  flow::Loopback transport;
  TypeParam executor({}, transport);
  flow::Recorder recorder(Rank(0), 1);
  recorder.task("grow", flow::uses(), [] { throw std::bad_alloc(); });
  const flow::Graph graph = flow::capture(std::move(recorder), flow::Model::dataflow);

  const auto report = executor.run(graph, 1);

  ASSERT_FALSE(report);
  EXPECT_NE(report.error().message.find("no memory left"), std::string::npos)
      << report.error().message;
}

TYPED_TEST_P(Backend, tasks_have_scratch_memory_and_the_number_of_their_thread) {
  flow::Loopback transport;
  TypeParam executor({.n_threads = 2, .scratch_bytes = 100}, transport);
  std::atomic<int> n_good{0};
  flow::Recorder recorder(Rank(0), 1);
  for (int i = 0; i < 50; ++i)
    recorder.task("t", flow::uses(), [&n_good](flow::TaskContext& context) {
      const auto scratch = context.scratch();
      const bool is_aligned = reinterpret_cast<std::uintptr_t>(scratch.data()) % 64 == 0;
      std::ranges::fill(scratch, std::byte{1});
      if (is_aligned && scratch.size() == 100 && context.worker() < 2) ++n_good;
    });
  const flow::Graph graph = flow::capture(std::move(recorder), flow::Model::dataflow);

  ASSERT_TRUE(executor.run(graph, 1));

  EXPECT_EQ(n_good, 50);
}

REGISTER_TYPED_TEST_SUITE_P(
    Backend, gives_the_bits_of_flows_executor_in_all_models,
    runs_graphs_that_are_wide_and_have_many_messages, runs_of_one_replay_follow_each_other,
    no_tasks_no_replays_and_no_accesses_are_fine,
    explicit_edges_hold_even_to_a_task_recorded_before, a_task_may_have_many_accesses,
    subnormal_numbers_are_zero_in_tasks_alone, the_deciding_task_stops_the_run,
    failure_names_the_task_and_cancels_all_that_depends_on_it,
    failing_transport_is_a_failure_of_the_run, cycle_is_named, graph_of_another_rank_is_refused,
    a_run_in_a_task_of_the_same_executor_is_refused, says_what_to_do_where_there_is_no_memory,
    tasks_have_scratch_memory_and_the_number_of_their_thread);

}  // namespace thalweg::backends
