// SPDX-License-Identifier: MIT
#include <thalweg/flow/executor.hpp>

#include <gtest/gtest.h>
#include <sched.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>

#include "random_program.hpp"
#include "single_rank.hpp"

namespace thalweg::flow {
namespace {

class RandomGraphs
    : public testing::TestWithParam<std::tuple<Model, std::uint32_t, std::uint32_t>> {};

TEST_P(RandomGraphs, give_the_serial_result) {
  const auto [model, n_workers, depth] = GetParam();
  constexpr std::uint64_t n_replays = 7;
  SingleRank machine({.n_workers = n_workers, .depth = depth}, 3);

  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const RandomProgram program({.seed = seed});
    std::vector<std::uint64_t> values = program.initial();
    Recorder recorder(Rank(0), 1);
    program.record(recorder, values.data());
    Graph graph = capture(std::move(recorder), model);

    const auto report = machine.executor.run(graph, n_replays);

    ASSERT_TRUE(report) << report.error().message;
    EXPECT_EQ(report->n_replays, n_replays);
    EXPECT_FALSE(report->stopped);
    EXPECT_EQ(values, program.serial_result(n_replays)) << "seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Executor, RandomGraphs,
                         testing::Combine(testing::ValuesIn(all_models),
                                          testing::Values(1u, 2u, 4u), testing::Values(1u, 2u, 3u)),
                         [](const auto& param) {
                           return std::string(to_string(std::get<0>(param.param))) + "_w" +
                                  std::to_string(std::get<1>(param.param)) + "_d" +
                                  std::to_string(std::get<2>(param.param));
                         });

TEST(Executor, subnormal_numbers_are_zero_in_tasks_alone) {
  const volatile double small = 1e-300;
  for (const std::uint32_t n_workers : {1u, 3u}) {
    SingleRank machine({.n_workers = n_workers});
    Recorder recorder(Rank(0), 1);
    std::array<double, 64> products{};
    products.fill(1);
    for (double& product : products)
      recorder.task("multiply", {}, [&](TaskContext&) { product = small * 1e-20; });
    Graph graph = capture(std::move(recorder), Model::dataflow);

    ASSERT_TRUE(machine.executor.run(graph, 1));

    for (const double product : products) EXPECT_EQ(product, 0);
    EXPECT_GT(small * 1e-20, 0);
  }
}

TEST(Executor, bodies_get_views_of_what_they_use) {
  SingleRank machine({});
  Recorder recorder(Rank(0), 1);
  auto u = recorder.data<double>("u", 4, 1.5);
  auto sum = recorder.data<double>("sum", 1);
  recorder.task("sum", uses(in(u), out(sum)), [](auto values, auto result, TaskContext& context) {
    static_assert(std::is_same_v<decltype(values), std::span<const double>>);
    result[0] =
        std::accumulate(values.begin(), values.end(), 0.0) + static_cast<double>(context.replay());
  });
  Graph graph = capture(std::move(recorder), Model::dataflow);

  ASSERT_TRUE(machine.executor.run(graph, 3));

  EXPECT_EQ(sum.const_view()[0], 8.0);
}

TEST(Executor, deciding_task_ends_the_run_after_its_replay) {
  for (const Model model : all_models)
    for (const std::uint32_t n_workers : {1u, 3u}) {
      SingleRank machine({.n_workers = n_workers, .depth = 3});
      Recorder recorder(Rank(0), 1);
      auto n = recorder.data<int>("n", 1);
      auto late = recorder.data<int>("late", 1);
      recorder.task("count", uses(inout(n)),
                    [](auto count, TaskContext& context) {
                      if (++count[0] == 5) context.request_stop();
                    },
                    {.controls_termination = true});
      recorder.task("after", uses(inout(late)), [](auto l) { ++l[0]; });
      Graph graph = capture(std::move(recorder), model);

      const auto report = machine.executor.run(graph, 100);

      ASSERT_TRUE(report);
      EXPECT_EQ(report->n_replays, 5u);
      EXPECT_TRUE(report->stopped);
      EXPECT_EQ(n.view()[0], 5);
      EXPECT_EQ(late.view()[0], 5);
    }
}

TEST(Executor, only_a_task_with_the_option_can_stop_the_run) {
  for (const std::uint32_t n_workers : {1u, 3u})
    for (const int priority : {0, 3}) {
      SingleRank machine({.n_workers = n_workers, .depth = 3});
      Recorder recorder(Rank(0), 1);
      auto n = recorder.data<int>("n", 1);
      recorder.task("count", uses(inout(n)),
                    [](auto count, TaskContext& context) {
                      if (++count[0] == 5) context.request_stop();
                    },
                    {.priority = priority});
      recorder.task("after", uses(inout(n)), [](auto) {});
      Graph graph = capture(std::move(recorder), Model::dataflow);

      const auto report = machine.executor.run(graph, 100);

      ASSERT_FALSE(report);
      for (const char* part : {"task 'count' on rank 0 (replay 4) failed", "cannot stop the run",
                               "`controls_termination`"})
        EXPECT_NE(report.error().message.find(part), std::string::npos) << report.error().message;
    }
}

TEST(Executor, no_replay_and_no_task_are_done_at_once) {
  SingleRank machine({.n_workers = 2});
  Graph empty = capture(Recorder(Rank(0), 1), Model::dataflow);
  Recorder recorder(Rank(0), 1);
  auto x = recorder.data<int>("x", 1);
  recorder.task("never", uses(out(x)), [](auto v) { v[0] = 1; });
  Graph graph = capture(std::move(recorder), Model::dataflow);

  EXPECT_EQ(machine.executor.run(empty, 5)->n_replays, 5u);
  EXPECT_EQ(machine.executor.run(graph, 0)->n_replays, 0u);
  EXPECT_EQ(x.view()[0], 0);
}

TEST(Executor, scratch_is_aligned_and_of_the_size_asked) {
  SingleRank machine({.n_workers = 2, .scratch_bytes = 1000});
  Recorder recorder(Rank(0), 1);
  auto address = recorder.data<std::uintptr_t>("address", 1);
  recorder.task("look", uses(out(address)), [](auto a, TaskContext& context) {
    std::memset(context.scratch().data(), 1, context.scratch().size());
    a[0] = context.scratch().size() == 1000
               ? reinterpret_cast<std::uintptr_t>(context.scratch().data())
               : 1;
  });
  Graph graph = capture(std::move(recorder), Model::dataflow);

  ASSERT_TRUE(machine.executor.run(graph, 1));

  EXPECT_EQ(address.view()[0] % 64, 0u);
}

TEST(Executor, preferred_worker_gets_its_task_when_nobody_steals) {
  SingleRank machine({.n_workers = 2});
  Recorder recorder(Rank(0), 1);
  auto x = recorder.data<std::uint32_t>("x", 1);
  for (int i = 0; i < 10; ++i)
    recorder.task("mine", uses(inout(x)), [](auto v, TaskContext& c) { v[0] |= 1u << c.worker(); },
                  {.preferred_worker = 0});
  Graph graph = capture(std::move(recorder), Model::bulk);

  ASSERT_TRUE(machine.executor.run(graph, 5));

  EXPECT_EQ(x.view()[0], 1u);  // bulk: worker 0 alone
}

TEST(Executor, times_of_every_worker_tile_the_run) {
  struct Ticks final : Clock {
    std::int64_t now_ns() const override { return now.fetch_add(1); }
    mutable std::atomic<std::int64_t> now{0};
  };
  for (const std::uint32_t n_workers : {1u, 3u}) {
    Ticks clock;
    Loopback transport;
    Executor executor({.n_workers = n_workers, .watchdog_s = 5}, transport, clock);
    const RandomProgram program({.seed = 1});
    std::vector<std::uint64_t> values = program.initial();
    Recorder recorder(Rank(0), 1);
    program.record(recorder, values.data());
    Graph graph = capture(std::move(recorder), Model::dataflow);

    ASSERT_TRUE(executor.run(graph, 20));

    std::set<std::int64_t> totals;
    WorkerTime sum;
    for (const WorkerTime& t : executor.accounting()) {
      totals.insert(t.work_ns + t.overhead_ns + t.idle_ns);
      sum.work_ns += t.work_ns;
      sum.overhead_ns += t.overhead_ns;
      sum.idle_ns += t.idle_ns;
      sum.n_tasks += t.n_tasks;
      sum.n_parks += t.n_parks;
      sum.n_late += t.n_late;
    }
    EXPECT_EQ(totals.size(), 1u);
    EXPECT_EQ(*totals.begin(), clock.now.load() - 1);
    EXPECT_EQ(sum.n_tasks, 20 * (graph.n_tasks() - graph.n_messages()));
    EXPECT_GT(sum.overhead_ns, 0);
    EXPECT_EQ(executor.total_time(), sum);
  }
}

TEST(Executor, picked_schedules_give_the_serial_result) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    UniformPicker uniform(seed);
    PctPicker pct({.seed = seed, .n_changes = 3, .n_steps = 300});
    for (Picker* picker : {static_cast<Picker*>(&uniform), static_cast<Picker*>(&pct)}) {
      SingleRank machine({.n_workers = 2, .depth = 3, .picker = picker},
                         static_cast<int>(seed % 5));
      const RandomProgram program({.seed = seed});
      std::vector<std::uint64_t> values = program.initial();
      Recorder recorder(Rank(0), 1);
      program.record(recorder, values.data());
      Graph graph = capture(std::move(recorder), all_models[seed % 4]);

      const auto report = machine.executor.run(graph, 5);

      ASSERT_TRUE(report) << report.error().message;
      EXPECT_EQ(values, program.serial_result(5)) << "seed " << seed;
    }
  }
}

/// Notes who comes in, and what is posted before which task.
class Witness final : public Loopback {
 public:
  void post_send(std::span<const std::byte> b, Rank to, Channel c, Tag tag, Ticket t) override {
    note("send");
    Loopback::post_send(b, to, c, tag, t);
  }
  void post_recv(std::span<std::byte> b, Rank from, Channel c, Tag tag, Ticket t) override {
    note("recv");
    Loopback::post_recv(b, from, c, tag, t);
  }
  void poll(std::vector<Ticket>& completed) override {
    threads.insert(std::this_thread::get_id());
    Loopback::poll(completed);
  }
  void note(const std::string& what) {
    threads.insert(std::this_thread::get_id());
    log += what + ' ';
  }

  std::set<std::thread::id> threads;
  std::string log;
};

TEST(Executor, bulk_posts_the_receives_of_a_phase_before_its_work) {
  Witness transport;
  SteadyClock clock;
  Executor executor({.watchdog_s = 5}, transport, clock);
  Recorder recorder(Rank(0), 1);
  auto x = recorder.data<int>("x", 1);
  auto y = recorder.data<int>("y", 1);
  recorder.phase("before", PhaseKind::step);
  recorder.task("work", uses(), [&] { transport.note("before"); });
  recorder.phase("exchange", PhaseKind::step);
  recorder.task("pack", uses(out(x)), [&](auto) { transport.note("pack"); });
  recorder.send(in(x), Rank(0));
  recorder.task("local", uses(), [&] { transport.note("local"); });
  recorder.recv(out(y), Rank(0));
  recorder.task("unpack", uses(in(y)), [&](auto) { transport.note("unpack"); });
  Graph graph = capture(std::move(recorder), Model::bulk);

  ASSERT_TRUE(executor.run(graph, 2));

  EXPECT_EQ(transport.log,
            "before recv pack send local unpack before recv pack send local unpack ");
}

TEST(Executor, only_worker_0_communicates_in_forkjoin) {
  for (const std::uint32_t n_workers : {2u, 4u}) {
    Witness transport;
    SteadyClock clock;
    Executor executor({.n_workers = n_workers, .watchdog_s = 5}, transport, clock);
    Recorder recorder(Rank(0), 1);
    std::set<std::uint32_t> workers[8];
    for (std::uint32_t i = 0; i < 8; ++i) {
      auto x = recorder.data<int>("x", 1);
      auto y = recorder.data<int>("y", 1);
      const auto pack = [&seen = workers[i]](auto, TaskContext& context) {
        seen.insert(context.worker());
        std::this_thread::sleep_for(std::chrono::microseconds(50));  // so that all get some
      };
      recorder.task("pack", uses(out(x)), pack, {.preferred_worker = i});
      recorder.send(in(x), Rank(0));
      recorder.recv(out(y), Rank(0));
    }
    Graph graph = capture(std::move(recorder), Model::forkjoin);

    // A worker whose processor stands still gets none meanwhile.
    std::set<std::uint32_t> seen;
    for (int n = 0; n < 100 && seen.size() < n_workers; ++n) {
      ASSERT_TRUE(executor.run(graph, 20));
      for (const auto& of_task : workers) seen.insert(of_task.begin(), of_task.end());
    }

    EXPECT_EQ(transport.threads, std::set{std::this_thread::get_id()});
    EXPECT_EQ(seen.size(), n_workers);
  }
}

TEST(Executor, urgent_tasks_run_before_others_that_are_ready) {
  SingleRank machine({});
  Recorder recorder(Rank(0), 1);
  std::string order;
  for (const char c : {'a', 'b', 'C', 'd', 'E'})
    recorder.task("t", uses(), [&order, c] { order += c; }, {.priority = c < 'a' ? 1 : 0});
  Graph graph = capture(std::move(recorder), Model::dataflow);

  ASSERT_TRUE(machine.executor.run(graph, 1));

  EXPECT_EQ(order, "CEabd");
}

/// The processors that the calling thread may run on.
std::vector<std::uint32_t> processors_of_caller() {
  cpu_set_t set;
  CPU_ZERO(&set);
  EXPECT_EQ(sched_getaffinity(0, sizeof set, &set), 0);
  std::vector<std::uint32_t> found;
  for (std::uint32_t cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &set)) found.push_back(cpu);
  return found;
}

TEST(Executor, workers_are_pinned_while_they_run_and_the_caller_only_then) {
  const auto before = processors_of_caller();
  const std::vector<std::uint32_t> cpus{before.back(), before.front()};
  SingleRank machine({.n_workers = 2, .cpus = cpus});
  EXPECT_EQ(processors_of_caller(), before);
  constexpr std::size_t n_tasks = 40;
  std::vector<std::vector<std::uint32_t>> found(n_tasks);
  std::vector<std::uint32_t> workers(n_tasks);
  Recorder recorder(Rank(0), 1);
  for (std::size_t t = 0; t < n_tasks; ++t)
    recorder.task("look", uses(), [&, t](TaskContext& context) {
      found[t] = processors_of_caller();
      workers[t] = context.worker();
    });
  Graph graph = capture(std::move(recorder), Model::dataflow);

  ASSERT_TRUE(machine.executor.run(graph, 1));

  for (std::size_t t = 0; t < n_tasks; ++t)
    EXPECT_EQ(found[t], std::vector<std::uint32_t>{cpus[workers[t]]}) << t;
  EXPECT_EQ(processors_of_caller(), before);
}

TEST(Executor, numbers_out_of_range_are_errors_that_say_so) {
  Loopback transport;
  const SteadyClock clock;
  struct Bad {
    ExecutorConfig config;
    const char* says;
  };
  for (const Bad& bad :
       {Bad{{.n_workers = 0}, "n_workers = 0"}, Bad{{.depth = 8}, "depth = 8"},
        Bad{{.scratch_bytes = SIZE_MAX}, "scratch_bytes = "},
        Bad{{.n_workers = 2, .cpus = {0}}, "cpus has 1 for 2 workers"},
        Bad{{.cpus = {100'000}}, "cpu 100000"}, Bad{{.park_limit_s = 0}, "park_limit_s = 0 (must"},
        Bad{{.park_limit_s = 1e300}, "park_limit_s = 1e+300 (must"},
        Bad{{.watchdog_s = -1}, "watchdog_s = -1 (must"}})
    try {
      const Executor executor(bad.config, transport, clock);
      ADD_FAILURE() << bad.says;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(bad.says), std::string::npos) << error.what();
    }
}

}  // namespace
}  // namespace thalweg::flow
