// SPDX-License-Identifier: MIT
// A steady replay does not touch the heap.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <new>

#include <thalweg/core/testing/heap_calls.hpp>
#include <thalweg/flow/detail/arena.hpp>
#include <thalweg/flow/executor.hpp>
#include <thalweg/trace/sink_memory.hpp>

#include "random_program.hpp"

namespace thalweg::flow {
namespace {

/// One rank sending to itself, with room for everything beforehand.
class StaticLoopback final : public Transport {
 public:
  StaticLoopback() : Transport(Rank(0), 1) {
    sends_.reserve(1000);
    recvs_.reserve(1000);
  }
  void post_send(std::span<const std::byte> bytes, Rank, Channel, Tag tag, Ticket ticket) override {
    sends_.push_back({bytes, {}, tag, ticket});
  }
  void post_recv(std::span<std::byte> bytes, Rank, Channel, Tag tag, Ticket ticket) override {
    recvs_.push_back({{}, bytes, tag, ticket});
  }
  void poll(std::vector<Ticket>& completed) override {
    for (std::size_t s = 0; s < sends_.size();) {
      const auto r = std::find_if(recvs_.begin(), recvs_.end(),
                                  [&](const Operation& o) { return o.tag == sends_[s].tag; });
      if (r == recvs_.end()) {
        ++s;
        continue;
      }
      std::copy(sends_[s].source.begin(), sends_[s].source.end(), r->target.begin());
      completed.push_back(sends_[s].ticket);
      completed.push_back(r->ticket);
      sends_.erase(sends_.begin() + static_cast<std::ptrdiff_t>(s));
      recvs_.erase(r);
    }
  }
  [[noreturn]] void abort(std::string_view) override { throw std::runtime_error("abort"); }

 private:
  struct Operation {
    std::span<const std::byte> source;
    std::span<std::byte> target;
    Tag tag;
    Ticket ticket;
  };
  std::vector<Operation> sends_, recvs_;
};

TEST(Executor, steady_replays_do_not_allocate) {
  constexpr std::uint64_t n_replays = 200;
  for (const Model model : all_models)
    for (const std::uint32_t n_workers : {1u, 2u, 4u}) {
      const RandomProgram program({.seed = 3, .n_tasks = 100});
      std::vector<std::uint64_t> values = program.initial();
      std::uint64_t n_before = 0, n_after = 0;
      Recorder recorder(Rank(0), 1);
      program.record(recorder, values.data());
      const DatumId count = recorder.datum("count");
      recorder.task("count", std::array{Access{count, Mode::inout}}, [&](TaskContext& context) {
        if (context.replay() == 2) n_before = thalweg::testing::n_heap_calls();
        if (context.replay() == n_replays - 1) n_after = thalweg::testing::n_heap_calls();
      });
      Graph graph = capture(std::move(recorder), model);
      trace::MemorySink sink({.n_workers = n_workers, .n_events_per_worker = 100'000});
      StaticLoopback transport;
      SteadyClock clock;
      Executor executor({.n_workers = n_workers, .depth = 2, .sink = &sink, .watchdog_s = 5},
                        transport, clock);

      ASSERT_TRUE(executor.run(graph, n_replays));

      EXPECT_EQ(n_after - n_before, 0u) << to_string(model) << ", " << n_workers << " workers";
      EXPECT_GT(n_before, 0u);
    }
}

TEST(Executor, steady_replays_of_tasks_that_wait_do_not_allocate) {
  constexpr std::uint64_t n_replays = 200;
  for (const Posting posting : {Posting::fresh, Posting::persistent})
    for (const std::uint32_t n_workers : {1u, 2u}) {
      std::uint64_t n_before = 0, n_after = 0;
      Recorder recorder(Rank(0), 1);
      auto x = recorder.data<int>("x", 1), y = recorder.data<int>("y", 1);
      recorder.send(in(x), Rank(0));
      recorder.recv(out(y), Rank(0));
      recorder.task("sends", uses(inout(x)), [](auto v, TaskContext& context) -> Coroutine {
        context.bind({.test = [](std::uint64_t&) { return true; }});
        co_await context.send(std::as_bytes(v), Rank(0), Tag(1000));
      });
      auto z = recorder.data<int>("z", 1);
      recorder.task("receives", uses(inout(z)), [](auto v, TaskContext& context) -> Coroutine {
        const std::array<int, 100> large{};  // part of the frame
        co_await context.recv(std::as_writable_bytes(v), Rank(0), Tag(1000));
        v[0] += large[static_cast<std::size_t>(v[0] % 100)];
      });
      // Every frame has been made once: the slots of replays come round after eight.
      recorder.task("count", uses(inout(x), inout(z)), [&](auto, auto, TaskContext& context) {
        if (context.replay() == 10) n_before = thalweg::testing::n_heap_calls();
        if (context.replay() == n_replays - 1) n_after = thalweg::testing::n_heap_calls();
      });
      Graph graph = capture(std::move(recorder), Model::dataflow);
      StaticLoopback transport;
      SteadyClock clock;
      Executor executor({.n_workers = n_workers, .depth = 2, .posting = posting, .watchdog_s = 5},
                        transport, clock);

      ASSERT_TRUE(executor.run(graph, n_replays));

      EXPECT_EQ(n_after - n_before, 0u) << n_workers << " workers";
    }
}

/// A graph of a chain of tasks that add one to a number.
Graph chain_of(int n_tasks, int& sum) {
  Recorder recorder(Rank(0), 1);
  const DatumId x = recorder.datum("x");
  for (int i = 0; i < n_tasks; ++i)
    recorder.task("add", std::array{Access{x, Mode::inout}}, [&](TaskContext&) { ++sum; });
  return capture(std::move(recorder), Model::dataflow);
}

TEST(Executor, runs_the_graph_that_it_is_given_after_memory_was_missing_for_it) {
  for (const std::uint32_t n_workers : {1u, 2u}) {
    bool was_missing = true;
    std::uint64_t n_heap_calls = 0;
    for (; was_missing; ++n_heap_calls) {
      int first_sum = 0, second_sum = 0;
      Graph first = chain_of(3, first_sum), second = chain_of(5, second_sum);
      StaticLoopback transport;
      SteadyClock clock;
      Executor executor({.n_workers = n_workers, .watchdog_s = 5}, transport, clock);
      ASSERT_TRUE(executor.run(first, 1));

      thalweg::testing::fail_heap_call(n_heap_calls + 1);
      try {
        was_missing = !executor.run(second, 1);
      } catch (const std::bad_alloc&) {
      }
      thalweg::testing::fail_heap_call(0);
      second_sum = 0;

      ASSERT_TRUE(executor.run(second, 1));
      EXPECT_EQ(first_sum, 3) << n_heap_calls;
      EXPECT_EQ(second_sum, 5) << n_heap_calls;
      ASSERT_TRUE(executor.run(first, 1));
      EXPECT_EQ(first_sum, 6) << n_heap_calls;
    }
    EXPECT_GT(n_heap_calls, 5u);
  }
}

TEST(Arena, counts_only_memory_that_it_got) {
  detail::Arena arena;
  arena.make_array<double>(10);
  arena.clear();
  const std::size_t n_bytes = arena.n_bytes();

  thalweg::testing::fail_heap_call(1);
  EXPECT_THROW(arena.make_array<double>(100'000), std::bad_alloc);

  EXPECT_EQ(arena.n_bytes(), n_bytes);
}

}  // namespace
}  // namespace thalweg::flow
