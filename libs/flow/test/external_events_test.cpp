// SPDX-License-Identifier: MIT
// Tasks that wait for external events: bound requests and coroutines.
#include <thalweg/flow/coroutine.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "single_rank.hpp"

namespace thalweg::flow {
namespace {

/// Something outside that is over once it was asked often enough.
class Slow {
 public:
  Request request(int n_asks) {
    n_left_ = n_asks;
    is_over_ = false;
    return {.test = &Slow::test, .handle = reinterpret_cast<std::uint64_t>(this)};
  }
  bool is_over() const { return is_over_; }

 private:
  static bool test(std::uint64_t& handle) {
    Slow& slow = *reinterpret_cast<Slow*>(handle);
    slow.is_over_ = --slow.n_left_ <= 0;
    return slow.is_over_;
  }
  int n_left_ = 0;               // plain: ThreadSanitizer sees if two threads ask at once
  std::atomic<bool> is_over_{};  // asked here, looked at by tasks
};

Request never() {
  return {.test = [](std::uint64_t&) { return false; }};
}

/// Call f(config) for several workers and who may communicate, and for a picker.
template <class F>
void for_each_way(F f) {
  for (const Progress progress : {Progress::idle, Progress::task_boundary, Progress::thread})
    for (const std::uint32_t n_workers : {1u, 2u, 3u})
      f(ExecutorConfig{.n_workers = n_workers, .progress = progress});
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    UniformPicker picker(seed);
    f(ExecutorConfig{.depth = 3, .picker = &picker});
  }
}

TEST(Bind, task_is_over_only_when_its_requests_are) {
  constexpr int n_replays = 20;
  for (const Model model : all_models)
    for_each_way([&](const ExecutorConfig& config) {
      SingleRank machine(config);
      Recorder recorder(Rank(0), 1);
      auto x = recorder.data<int>("x", 1);
      Slow slow[3];
      int n_early = 0, n_used = 0;
      recorder.task("begin", uses(out(x)), [&](auto, TaskContext& context) {
        context.bind(slow[0].request(3));
        const Request two[] = {slow[1].request(1), slow[2].request(7)};
        context.bind(two);
      });
      recorder.task("use", uses(in(x)), [&](auto) {
        ++n_used;
        for (const Slow& s : slow) n_early += s.is_over() ? 0 : 1;
      });
      Graph graph = capture(std::move(recorder), model);

      const auto report = machine.executor.run(graph, n_replays);

      ASSERT_TRUE(report) << report.error().message;
      EXPECT_EQ(n_used, n_replays);
      EXPECT_EQ(n_early, 0);
    });
}

TEST(Bind, worker_does_others_meanwhile) {
  SingleRank machine({});
  Recorder recorder(Rank(0), 1);
  auto x = recorder.data<int>("x", 1);
  bool has_run_other = false;
  // Over only when the other task has run, which the one worker must do meanwhile.
  recorder.task("begin", uses(out(x)), [&](auto, TaskContext& context) {
    context.bind({.test = [](std::uint64_t& flag) { return *reinterpret_cast<bool*>(flag); },
                  .handle = reinterpret_cast<std::uint64_t>(&has_run_other)});
  });
  recorder.task("other", uses(), [&] { has_run_other = true; });
  Graph graph = capture(std::move(recorder), Model::dataflow);

  EXPECT_TRUE(machine.executor.run(graph, 1));
}

TEST(Bind, request_is_over_once_though_a_task_keeps_the_thread_that_polls_out) {
  static constexpr std::chrono::milliseconds long_enough(1);
  constexpr int n_replays = 20;
  struct Door {
    std::atomic<bool> is_asked = false, is_wanted = false, is_seen = false;
  };
  SingleRank machine({.n_workers = 2, .depth = 1, .progress = Progress::thread});
  Recorder recorder(Rank(0), 1);
  auto x = recorder.data<int>("x", 1);
  auto y = recorder.data<int>("y", 1);
  Door door;
  int n_used = 0;
  // Over when the other task waits to be let in: that goes in right after.
  const Request request{.test =
                            [](std::uint64_t& handle) {
                              Door& at = *reinterpret_cast<Door*>(handle);
                              at.is_asked = true;
                              if (!at.is_wanted) return false;
                              at.is_seen = true;
                              std::this_thread::sleep_for(long_enough);
                              return true;
                            },
                        .handle = reinterpret_cast<std::uint64_t>(&door)};
  recorder.task("begin", uses(out(x)), [&](auto, TaskContext& context) { context.bind(request); },
                {.preferred_worker = 0});
  const Request asked{
      .test =
          [](std::uint64_t& handle) { return reinterpret_cast<Door*>(handle)->is_asked.load(); },
      .handle = reinterpret_cast<std::uint64_t>(&door)};
  recorder.task("inside", uses(out(y)),
                [&](auto, TaskContext& context) -> Coroutine {
                  co_await context.wait(asked);
                  door.is_wanted = true;
                  while (!door.is_seen) std::this_thread::yield();
                  context.with_transport([] { std::this_thread::sleep_for(long_enough); });
                },
                {.preferred_worker = 1});
  recorder.task("use", uses(inout(x), inout(y)), [&](auto, auto) {
    ++n_used;
    door.is_asked = door.is_wanted = door.is_seen = false;
  });
  Graph graph = capture(std::move(recorder), Model::dataflow);

  const auto report = machine.executor.run(graph, n_replays);

  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(n_used, n_replays);
}

TEST(Bind, request_that_throws_ends_the_run_and_names_the_task) {
  const std::pair<Request, const char*> cases[] = {
      {{.test = [](std::uint64_t&) -> bool { throw std::runtime_error("link down"); }},
       "failed: a request that it waits for has failed: link down"},
      {{.test = [](std::uint64_t&) -> bool { throw 5; }}, "threw something that is not a std::"}};
  const auto expect_named = [&](const ExecutorConfig& config, const auto& body) {
    for (const auto& [request, why] : cases) {
      SingleRank machine(config);
      Recorder recorder(Rank(0), 1);
      recorder.task("begin", uses(), body(request), {.level = 2, .block = 42});
      Graph graph = capture(std::move(recorder), Model::dataflow);

      const auto report = machine.executor.run(graph, 1, 9);

      ASSERT_FALSE(report);
      for (const char* part : {"task 'begin' on rank 0 (block 42, level 2, step 9)", why})
        EXPECT_NE(report.error().message.find(part), std::string::npos) << report.error().message;
    }
  };
  for_each_way([&](const ExecutorConfig& config) {
    expect_named(config, [](Request r) { return [r](TaskContext& context) { context.bind(r); }; });
    expect_named(config, [](Request r) {
      return [r](TaskContext& context) -> Coroutine { co_await context.wait(r); };
    });
  });
}

TEST(Bind, a_poll_tests_few_of_many_requests_and_each_has_its_turn) {
  constexpr int n_requests = 1000, most_tests = 128;
  constexpr int polls_for_all = (n_requests + most_tests - 1) / most_tests;
  /// Counts the tests between two polls.
  struct Counting final : Loopback {
    void poll(std::vector<Ticket>& completed) override {
      ++n_polls;
      most = std::max(most, std::exchange(n_tests, 0));
      Loopback::poll(completed);
    }
    int n_polls = 0, n_tests = 0, most = 0;
    bool has_asked_last = false;
  };
  struct One {
    Counting* all;
    bool is_last;
  };
  Counting transport;
  const SteadyClock clock;
  Executor executor({.watchdog_s = 5}, transport, clock);
  std::vector<One> requests(n_requests, {&transport, false});
  requests.back().is_last = true;  // when that is over, the others are, too
  Recorder recorder(Rank(0), 1);
  recorder.task("begin", uses(), [&](TaskContext& context) {
    for (One& request : requests)
      context.bind({.test =
                        [](std::uint64_t& handle) {
                          const One& one = *reinterpret_cast<One*>(handle);
                          ++one.all->n_tests;
                          one.all->has_asked_last = one.all->has_asked_last || one.is_last;
                          return one.all->has_asked_last;
                        },
                    .handle = reinterpret_cast<std::uint64_t>(&request)});
  });
  Graph graph = capture(std::move(recorder), Model::dataflow);

  const auto report = executor.run(graph, 1);

  ASSERT_TRUE(report) << report.error().message;
  EXPECT_LE(std::max(transport.most, transport.n_tests), most_tests);
  EXPECT_LE(transport.n_polls, 2 * polls_for_all);
}

TEST(Bind, request_without_a_test_names_the_task) {
  SingleRank machine({});
  for (const bool waits : {false, true}) {
    Recorder recorder(Rank(0), 1);
    if (waits)
      recorder.task("begin", uses(),
                    [](TaskContext& context) -> Coroutine { co_await context.wait(Request{}); });
    else
      recorder.task("begin", uses(), [](TaskContext& context) { context.bind(Request{}); });
    Graph graph = capture(std::move(recorder), Model::dataflow);

    const auto report = machine.executor.run(graph, 1);

    ASSERT_FALSE(report);
    for (const char* part : {"task 'begin'", "a request has no test"})
      EXPECT_NE(report.error().message.find(part), std::string::npos) << report.error().message;
  }
}

TEST(Watchdog, names_tasks_that_wait_for_something_outside) {
  for (const std::uint32_t n_workers : {1u, 2u}) {
    Loopback transport;
    const SteadyClock clock;
    Executor executor({.n_workers = n_workers, .watchdog_s = 0.05}, transport, clock);
    Recorder recorder(Rank(0), 1);
    auto y = recorder.data<int>("y", 1);
    recorder.task("binds", uses(), [](TaskContext& context) { context.bind(never()); });
    recorder.task("talks", uses(out(y)), [](auto v, TaskContext& context) -> Coroutine {
      co_await context.recv(std::as_writable_bytes(v), Rank(0), Tag(77));
    });
    recorder.task("waits", uses(),
                  [](TaskContext& context) -> Coroutine { co_await context.wait(never()); });
    Graph graph = capture(std::move(recorder), Model::dataflow);

    const auto report = executor.run(graph, 1, 9);

    ASSERT_FALSE(report);
    for (const char* part : {"'binds' on rank 0", "for 1 request it has bound", "'talks' on rank 0",
                             "suspended, to get 4 bytes from rank 0, tag 77", "'waits'",
                             "suspended, for a request", "step 9"})
      EXPECT_NE(report.error().message.find(part), std::string::npos)
          << part << " in " << report.error().message;
  }
}

TEST(Coroutine, tasks_talk_in_the_middle_without_holding_a_worker) {
  constexpr int n_replays = 20;
  for (const Model model : all_models)
    for_each_way([&](const ExecutorConfig& config) {
      SingleRank machine(config, 2);
      Recorder recorder(Rank(0), 1);
      auto question = recorder.data<int>("question", 1), answer = recorder.data<int>("answer", 1);
      std::vector<int> answers;
      recorder.task("asks", uses(inout(question), out(answer)),
                    [&](std::span<int> q, std::span<int> a, TaskContext& context) -> Coroutine {
                      q[0] = 10 * static_cast<int>(context.replay());
                      co_await context.send(std::as_bytes(q), Rank(0), Tag(5));
                      co_await context.recv(std::as_writable_bytes(a), Rank(0), Tag(6));
                      answers.push_back(a[0]);
                    });
      auto heard = recorder.data<int>("heard", 1);
      recorder.task("tells", uses(inout(heard)),
                    [](std::span<int> h, TaskContext& context) -> Coroutine {
                      co_await context.recv(std::as_writable_bytes(h), Rank(0), Tag(5));
                      h[0] += static_cast<int>(context.replay());
                      co_await context.send(std::as_bytes(h), Rank(0), Tag(6));
                    });
      Graph graph = capture(std::move(recorder), model);

      const auto report = machine.executor.run(graph, n_replays);

      ASSERT_TRUE(report) << report.error().message;
      std::vector<int> expected;
      for (int r = 0; r < n_replays; ++r) expected.push_back(11 * r);
      EXPECT_EQ(answers, expected);
    });
}

TEST(Coroutine, may_wait_for_a_request_and_bind_another) {
  for_each_way([&](const ExecutorConfig& config) {
    SingleRank machine(config);
    Recorder recorder(Rank(0), 1);
    auto x = recorder.data<int>("x", 1);
    Slow awaited, bound;
    int n_wrong = 0;
    recorder.task("waits", uses(inout(x)), [&](auto v, TaskContext& context) -> Coroutine {
      context.bind(bound.request(50));
      co_await context.wait(awaited.request(3));
      n_wrong += awaited.is_over() ? 0 : 1;
      ++v[0];
    });
    recorder.task("use", uses(in(x)), [&](auto) { n_wrong += bound.is_over() ? 0 : 1; });
    Graph graph = capture(std::move(recorder), Model::dataflow);

    const auto report = machine.executor.run(graph, 10);

    ASSERT_TRUE(report) << report.error().message;
    EXPECT_EQ(x.view()[0], 10);
    EXPECT_EQ(n_wrong, 0);
  });
}

TEST(Coroutine, failure_after_waiting_names_the_task) {
  for_each_way([&](const ExecutorConfig& config) {
    for (const int n_waits : {0, 1}) {
      SingleRank machine(config);
      Recorder recorder(Rank(0), 1);
      auto x = recorder.data<int>("x", 1);
      bool has_used = false;
      Slow slow;
      recorder.task("breaks", uses(out(x)), [&](auto, TaskContext& context) -> Coroutine {
        if (n_waits > 0) co_await context.wait(slow.request(3));
        throw std::runtime_error("negative density");
      });
      recorder.task("use", uses(in(x)), [&](auto) { has_used = true; });
      // Left in the middle: its frame must go with the graph.
      recorder.task("hangs", uses(), [](TaskContext& context) -> Coroutine {
        const std::vector<int> mine(100, 1);
        co_await context.wait(never());
      });
      Graph graph = capture(std::move(recorder), Model::dataflow);

      const auto report = machine.executor.run(graph, 3);

      ASSERT_FALSE(report);
      EXPECT_NE(report.error().message.find("'breaks'"), std::string::npos);
      EXPECT_NE(report.error().message.find("negative density"), std::string::npos);
      EXPECT_FALSE(has_used);
    }
  });
}

TEST(Coroutine, rank_that_is_not_there_is_named_with_the_task) {
  for_each_way([](const ExecutorConfig& config) {
    for (const bool sends : {false, true}) {
      SingleRank machine(config);
      Recorder recorder(Rank(0), 1);
      auto x = recorder.data<int>("x", 1);
      recorder.task("lost", uses(inout(x)), [=](auto v, TaskContext& context) -> Coroutine {
        if (sends) co_await context.send(std::as_bytes(v), Rank(77), Tag(5));
        co_await context.recv(std::as_writable_bytes(v), Rank(77), Tag(5));
      });
      Graph graph = capture(std::move(recorder), Model::dataflow);

      const auto report = machine.executor.run(graph, 2);

      ASSERT_FALSE(report);
      for (const char* part : {"task 'lost'", sends ? "sends to rank 77" : "receives from rank 77",
                               "tag 5", "0 is the only one"})
        EXPECT_NE(report.error().message.find(part), std::string::npos) << report.error().message;
    }
  });
}

TEST(Coroutine, may_decide_about_the_next_replay) {
  for_each_way([&](const ExecutorConfig& config) {
    SingleRank machine(config);
    Recorder recorder(Rank(0), 1);
    Slow slow;
    int n = 0;
    recorder.task("decide", uses(),
                  [&](TaskContext& context) -> Coroutine {
                    co_await context.wait(slow.request(3));
                    if (++n == 4) context.request_stop();
                  },
                  {.controls_termination = true});
    Graph graph = capture(std::move(recorder), Model::dataflow);

    const auto report = machine.executor.run(graph, 100);

    ASSERT_TRUE(report) << report.error().message;
    EXPECT_EQ(report->n_replays, 4u);
    EXPECT_TRUE(report->stopped);
  });
}

TEST(TaskContext, with_transport_keeps_others_out) {
  SingleRank machine({.n_workers = 3, .progress = Progress::thread}, 1);
  Recorder recorder(Rank(0), 1);
  int n_inside = 0, n_alone = 0;  // plain: ThreadSanitizer sees if two tasks are inside
  for (std::uint32_t i = 0; i < 30; ++i)
    recorder.task("inside", uses(),
                  [&](TaskContext& context) {
                    context.with_transport([&] {
                      n_alone += ++n_inside == 1 ? 1 : 0;
                      --n_inside;
                    });
                  },
                  {.preferred_worker = 0});
  Graph graph = capture(std::move(recorder), Model::dataflow);

  ASSERT_TRUE(machine.executor.run(graph, 10));

  EXPECT_EQ(n_alone, 300);
}

TEST(TaskContext, with_transport_may_be_inside_of_another) {
  SingleRank machine({.n_workers = 1});
  Recorder recorder(Rank(0), 1);
  int n_inner = 0;
  recorder.task("inside", uses(), [&](TaskContext& context) {
    for (int i = 0; i < 2; ++i)
      context.with_transport([&] {
        context.with_transport([&] { ++n_inner; });
        EXPECT_EQ(context.with_transport([] { return 7; }), 7);
      });
  });
  Graph graph = capture(std::move(recorder), Model::dataflow);

  ASSERT_TRUE(machine.executor.run(graph, 2));

  EXPECT_EQ(n_inner, 4);
}

}  // namespace
}  // namespace thalweg::flow
