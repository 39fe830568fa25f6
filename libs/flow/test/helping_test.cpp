// SPDX-License-Identifier: MIT
// Idle workers run the tasks of one that is in a long body, and hold it up with none that is long.
#include <thalweg/flow/executor.hpp>

#include <atomic>
#include <chrono>
#include <span>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "single_rank.hpp"

namespace thalweg::flow {
namespace {

using Written = std::span<int>;
using Read = std::span<const int>;

/// Wait inside a task for others, but not so long that the test hangs. @return whether it happened
bool comes_to(const std::atomic<int>& n, int n_wanted) {
  const auto start = std::chrono::steady_clock::now();
  while (n < n_wanted && std::chrono::steady_clock::now() - start < std::chrono::seconds(5))
    std::this_thread::yield();
  return n >= n_wanted;
}

class Helping : public testing::TestWithParam<Accounting> {};

TEST_P(Helping, owner_does_not_wait_for_a_long_task_that_its_proxy_runs) {
  SingleRank machine({.n_workers = 2, .accounting = GetParam()});
  std::atomic<int> n_long{0}, n_next{0}, n_in_time{0};
  Recorder recorder(Rank(0), 1);
  auto start = recorder.data<int>("start", 1), body = recorder.data<int>("body", 1);
  recorder.task("start", uses(out(start)), [](Written) {}, {.preferred_worker = 0});
  // Short ones, so that whoever helps has seen some.
  std::vector<Data<int>> others;
  for (int i = 0; i < 8; ++i) {
    others.push_back(recorder.data<int>("short", 1));
    recorder.task("short", uses(in(start), out(others.back())), [](Read, Written) {},
                  {.preferred_worker = 0});
  }
  // Worker 0 is in this body until another has begun a long task of worker 0.
  recorder.task("body", uses(in(start), out(body)), [&](Read, Written) { comes_to(n_long, 1); },
                {.priority = 1, .preferred_worker = 0});
  // Made ready by worker 1 meanwhile, so that the notification is found by worker 0's proxy.
  auto end = recorder.data<int>("end", 1);
  recorder.task("before", uses(in(start), out(end)),
                [](Read, Written) { std::this_thread::sleep_for(std::chrono::milliseconds(1)); },
                {.preferred_worker = 1});
  recorder.task("long", uses(inout(end)),
                [&](Written) {
                  ++n_long;
                  n_in_time += comes_to(n_next, 1) ? 1 : 0;
                },
                {.preferred_worker = 0});
  recorder.task("next", uses(inout(body)), [&](Written) { ++n_next; },
                {.priority = 1, .preferred_worker = 0});
  Graph graph = capture(std::move(recorder), Model::dataflow);

  ASSERT_TRUE(machine.executor.run(graph, 1));

  EXPECT_EQ(n_in_time, 1) << "the successor of a body waited for a task of its owner's proxy";
}

TEST_P(Helping, what_a_long_stolen_task_has_made_ready_does_not_wait_for_its_owner) {
  SingleRank machine({.n_workers = 2, .accounting = GetParam()});
  std::atomic<int> n_made{0}, n_used{0}, n_in_time{0};
  Recorder recorder(Rank(0), 1);
  auto start = recorder.data<int>("start", 1), body = recorder.data<int>("body", 1);
  recorder.task("start", uses(out(start)), [](Written) {}, {.preferred_worker = 0});
  recorder.task("body", uses(in(start), out(body)),
                [&](Read, Written) { n_in_time += comes_to(n_used, 1) ? 1 : 0; },
                {.priority = 1, .preferred_worker = 0});
  // Worker 1 runs one of these after the other, while worker 0 is in its body.
  for (int i = 0; i < 2; ++i) {
    auto made = recorder.data<int>("made", 1);
    recorder.task("make", uses(in(start), out(made)),
                  [&](Read, Written) {
                    std::this_thread::sleep_for(std::chrono::milliseconds(1));
                    if (n_made++ == 1) comes_to(n_used, 1);
                  },
                  {.preferred_worker = 0});
    recorder.task("use", uses(inout(made)), [&](Written) { ++n_used; },
                  {.priority = 1, .preferred_worker = 0});
  }
  Graph graph = capture(std::move(recorder), Model::dataflow);

  ASSERT_TRUE(machine.executor.run(graph, 1));

  EXPECT_EQ(n_in_time, 1) << "the successor of a stolen task waited for the body of its owner";
}

TEST_P(Helping, a_worker_that_is_idle_finds_what_a_proxy_has_left_at_its_owner) {
  SingleRank machine({.n_workers = 4, .accounting = GetParam()});
  std::atomic<int> n_last{0}, n_in_time{0};
  const auto wait = [&](Read, Written) { n_in_time += comes_to(n_last, 2) ? 1 : 0; };
  const auto sleep = [](int ms) { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); };
  Recorder recorder(Rank(0), 1);
  const auto datum = [&] { return recorder.data<int>("x", 1); };
  auto start = datum(), first = datum(), second = datum();
  recorder.task("start", uses(out(start)), [](Written) {}, {.preferred_worker = 3});
  recorder.task("1", uses(out(datum())), [=](Written) { sleep(20); }, {.preferred_worker = 1});
  recorder.task("2", uses(out(datum())), [=](Written) { sleep(30); }, {.preferred_worker = 2});
  recorder.task("body", uses(in(start), out(datum())), wait,
                {.priority = 1, .preferred_worker = 3});
  // All of worker 3's: the proxy that has run the second leaves more than it takes.
  recorder.task("first", uses(in(start), out(first)), [=](Read, Written) { sleep(5); },
                {.preferred_worker = 3});
  recorder.task("second", uses(in(first), out(second)), [=](Read, Written) { sleep(5); },
                {.preferred_worker = 3});
  recorder.task("beside", uses(in(first), out(datum())), wait, {.preferred_worker = 3});
  for (int i = 0; i < 2; ++i)
    recorder.task("last", uses(in(second), out(datum())),
                  [&, wait](Read, Written w) {
                    ++n_last;
                    wait({}, w);
                  },
                  {.preferred_worker = 3});
  Graph graph = capture(std::move(recorder), Model::dataflow);

  ASSERT_TRUE(machine.executor.run(graph, 1));

  EXPECT_EQ(n_in_time, 4) << "a worker was idle beside a task that was ready";
}

TEST_P(Helping, who_runs_one_long_task_after_the_other_looks_after_messages_between_them) {
  for (const Progress progress : {Progress::idle, Progress::task_boundary}) {
    SingleRank machine({.n_workers = 2, .accounting = GetParam(), .progress = progress});
    static std::atomic<int> n_long;  // a request has no other way to what it waits for
    n_long = 0;
    std::atomic<int> n_asked{0}, n_long_before{-1};
    Recorder recorder(Rank(0), 1);
    auto start = recorder.data<int>("start", 1), body = recorder.data<int>("body", 1);
    auto chain = recorder.data<int>("chain", 1), asked = recorder.data<int>("asked", 1);
    recorder.task("ask", uses(out(asked)),
                  [&](Written, TaskContext& context) {
                    ++n_asked;
                    context.bind(Request{.test = [](std::uint64_t&) { return n_long >= 1; }});
                  },
                  {.priority = 2, .preferred_worker = 1});
    recorder.task("answer", uses(inout(asked)), [&](Written) { n_long_before = n_long.load(); },
                  {.priority = 2, .preferred_worker = 1});
    recorder.task("start", uses(out(start)), [](Written) {}, {.preferred_worker = 0});
    recorder.task("body", uses(in(start), out(body)), [&](Read, Written) { comes_to(n_long, 8); },
                  {.priority = 1, .preferred_worker = 0});
    recorder.task("begin", uses(in(start), out(chain)),
                  [&](Read, Written) { comes_to(n_asked, 1); }, {.preferred_worker = 0});
    for (int i = 0; i < 8; ++i)
      recorder.task("long", uses(inout(chain)),
                    [](Written) {
                      std::this_thread::sleep_for(std::chrono::milliseconds(2));
                      ++n_long;
                    },
                    {.preferred_worker = 0});
    Graph graph = capture(std::move(recorder), Model::dataflow);

    ASSERT_TRUE(machine.executor.run(graph, 1));

    EXPECT_LT(n_long_before, 4) << "a request that was over waited for a chain of tasks";
  }
}

INSTANTIATE_TEST_SUITE_P(Timed, Helping, testing::Values(Accounting::on, Accounting::off),
                         [](const auto& one) {
                           return one.param == Accounting::on ? "timed" : "untimed";
                         });

}  // namespace
}  // namespace thalweg::flow
