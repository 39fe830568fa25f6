// SPDX-License-Identifier: MIT
// Recorder, graph and executor on several simulated ranks.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>

#include <thalweg/comm/sim_network.hpp>
#include <thalweg/comm/transport_latency.hpp>
#include <thalweg/flow/collective.hpp>
#include <thalweg/flow/combine.hpp>
#include <thalweg/flow/coroutine.hpp>
#include <thalweg/flow/executor.hpp>
#include <thalweg/flow/node_shared.hpp>

#include "distributed_program.hpp"
#include "ring.hpp"

namespace thalweg::comm {
namespace {

using flow::Model;
using flow::Transport;

TEST(SimFlow, random_programs_give_the_serial_result_under_any_schedule) {
  constexpr std::uint64_t n_replays = 4;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const auto n_ranks = static_cast<std::uint32_t>(1 + seed % 6);
    const DistributedProgram program({.seed = seed / 4, .n_ranks = n_ranks});
    const auto expected = program.serial_result(n_replays);
    SimNetwork network({.n_ranks = static_cast<int>(n_ranks), .seed = seed});

    const auto result = network.run([&](Transport& t) {
      std::vector<std::uint64_t> values = program.initial();
      flow::Recorder recorder(t.rank(), t.n_ranks());
      program.record(recorder, values);
      flow::Graph graph = flow::capture(std::move(recorder), flow::all_models[seed % 4]);
      flow::UniformPicker picker(seed + t.rank()());
      flow::Executor executor(
          {.depth = 1 + static_cast<std::uint32_t>(seed % 3),
           .picker = seed % 5 == 0 ? nullptr : &picker,
           .progress = seed % 2 == 0 ? flow::Progress::idle : flow::Progress::task_boundary,
           .posting = seed % 3 == 0 ? flow::Posting::persistent : flow::Posting::fresh},
          t, network.clock());

      const auto report = executor.run(graph, n_replays);

      ASSERT_TRUE(report) << report.error().message;
      for (std::uint32_t d = 0; d < values.size(); ++d)
        if (program.owner(d) == t.rank()) {
          EXPECT_EQ(values[d], expected[d]) << "seed " << seed;
        }
    });

    ASSERT_TRUE(result) << "seed " << seed << ": " << result.error().message;
  }
}

TEST(SimFlow, executor_with_threads_is_refused) {
  for (const auto& config : {flow::ExecutorConfig{.n_workers = 2},
                             flow::ExecutorConfig{.progress = flow::Progress::thread}})
    for (const bool is_slow : {false, true}) {
      SimNetwork network({.n_ranks = 2});
      const auto result = network.run([&](Transport& t) {
        LatencyTransport slow(t, network.clock(), 5);
        flow::Executor executor(config, is_slow ? slow : t, network.clock());
      });
      ASSERT_FALSE(result);
      EXPECT_NE(result.error().message.find("a transport that serves one thread"),
                std::string::npos)
          << result.error().message;
    }
}

TEST(SimFlow, picker_makes_one_worker_of_many) {
  SimNetwork network({.n_ranks = 2});
  const auto result = network.run([&](Transport& t) {
    flow::UniformPicker picker(1);
    flow::Executor executor({.n_workers = 2, .picker = &picker, .progress = flow::Progress::thread},
                            t, network.clock());
  });
  EXPECT_TRUE(result) << result.error().message;
}

TEST(SimFlow, coroutine_that_sends_to_no_rank_is_named) {
  SimNetwork network({.n_ranks = 2});
  const auto result = network.run([&](Transport& t) {
    flow::Recorder recorder(t.rank(), t.n_ranks());
    auto x = recorder.data<int>("x", 1);
    recorder.task("lost", flow::uses(flow::in(x)),
                  [](auto v, flow::TaskContext& context) -> flow::Coroutine {
                    co_await context.send(std::as_bytes(v), Rank(2), flow::Tag(5));
                  });
    flow::Graph graph = flow::capture(std::move(recorder), Model::dataflow);
    flow::Executor executor({}, t, network.clock());
    if (const auto report = executor.run(graph, 1); !report) t.abort(report.error().message);
  });
  ASSERT_FALSE(result);
  for (const char* part : {"task 'lost'", "sends to rank 2, tag 5", "there are 0 to 1"})
    EXPECT_NE(result.error().message.find(part), std::string::npos) << result.error().message;
}

TEST(RecorderAllReduce, gives_every_rank_the_same_minimum) {
  for (const int n : {1, 2, 3, 5, 6, 8})
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      SimNetwork network({.n_ranks = n, .seed = seed});
      const auto result = network.run([&](Transport& t) {
        flow::Recorder recorder(t.rank(), t.n_ranks());
        auto dt = recorder.data<double>("dt", 2);
        const double here = t.rank()();
        recorder.task("local", flow::uses(flow::out(dt)),
                      [here, n](auto v, flow::TaskContext& context) {
                        const double replay = static_cast<double>(context.replay());
                        v[0] = std::abs(here - replay) + 1;  // least on rank `replay`
                        v[1] = -std::fmod(here + replay, n);
                      });
        recorder.all_reduce("dt", flow::inout(dt), flow::Min{});
        auto seen = recorder.data<double>("seen", 1);
        recorder.task("look", flow::uses(flow::in(dt), flow::inout(seen)),
                      [](auto v, auto s) { s[0] = 10 * s[0] + v[0] - v[1]; });
        flow::Graph graph = flow::capture(std::move(recorder), Model::dataflow);
        flow::UniformPicker picker(seed);
        flow::Executor executor({.depth = 3, .picker = &picker}, t, network.clock());

        ASSERT_TRUE(executor.run(graph, 2));

        const double once = 1 + (n - 1);
        const double twice = (n > 1 ? 1 : 2) + (n - 1);
        EXPECT_EQ(seen.view()[0], 10 * once + twice);
      });
      ASSERT_TRUE(result) << n << " ranks: " << result.error().message;
    }
}

TEST(RecorderReduceToRoot, combines_all_ranks_on_rank_0) {
  for (const int n : {1, 2, 3, 5, 6, 8}) {
    SimNetwork network({.n_ranks = n, .seed = 1});
    const auto result = network.run([&](Transport& t) {
      flow::Recorder recorder(t.rank(), t.n_ranks());
      auto sum = recorder.data<double>("sum", 1);
      recorder.task("local", flow::uses(flow::out(sum)),
                    [here = t.rank()()](auto v) { v[0] = 1 << here; });
      recorder.reduce_to_root("sum", flow::inout(sum), std::plus<>());
      flow::Graph graph = flow::capture(std::move(recorder), Model::dataflow);
      flow::Executor executor({}, t, network.clock());

      ASSERT_TRUE(executor.run(graph, 3));

      if (t.rank() == Rank(0)) {
        EXPECT_EQ(sum.view()[0], (1 << n) - 1);
      }
    });
    ASSERT_TRUE(result) << n << " ranks: " << result.error().message;
  }
}

TEST(SimFlow, ranks_stop_together_where_the_decision_is_reduced) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    SimNetwork network({.n_ranks = 3, .seed = seed});
    const auto result = network.run([&](Transport& t) {
      flow::Recorder recorder(t.rank(), t.n_ranks());
      auto left = recorder.data<double>("left", 1, 5.0 + t.rank()());
      auto least = recorder.data<double>("least", 1);
      recorder.task("advance", flow::uses(flow::inout(left), flow::out(least)),
                    [](auto l, auto m) { m[0] = --l[0]; });
      recorder.all_reduce("least", flow::inout(least), flow::Min{});
      recorder.task("decide", flow::uses(flow::in(least)),
                    [](auto m, flow::TaskContext& context) {
                      if (m[0] == 0) context.request_stop();
                    },
                    {.controls_termination = true});
      flow::Graph graph = flow::capture(std::move(recorder), Model::dataflow);
      flow::UniformPicker picker(seed);
      flow::Executor executor({.depth = 3, .picker = &picker}, t, network.clock());

      const auto report = executor.run(graph, 100);

      ASSERT_TRUE(report) << report.error().message;
      EXPECT_EQ(report->n_replays, 5u);
      EXPECT_TRUE(report->stopped);
    });
    ASSERT_TRUE(result) << result.error().message;
  }
}

TEST(SimFlow, ring_of_coroutines_gives_the_same_under_any_schedule) {
  constexpr std::uint64_t n_replays = 5;
  for (const int n : {1, 2, 3, 5})
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      SimNetwork network({.n_ranks = n, .seed = seed});
      const auto result = network.run([&](Transport& t) {
        ring::Ring own;
        flow::Recorder recorder(t.rank(), t.n_ranks());
        ring::record(recorder, own);
        flow::Graph graph = flow::capture(std::move(recorder), flow::all_models[seed % 4]);
        flow::UniformPicker picker(seed);
        flow::Executor executor({.depth = 3, .picker = seed % 4 == 0 ? nullptr : &picker}, t,
                                network.clock());

        const auto report = executor.run(graph, n_replays);

        ASSERT_TRUE(report) << report.error().message;
        EXPECT_EQ(own.sum, ring::expected(t, n_replays)) << "seed " << seed;
      });
      ASSERT_TRUE(result) << n << " ranks: " << result.error().message;
    }
}

TEST(SimFlow, prepared_messages_that_nobody_forgets_are_found) {
  SimNetwork network({.n_ranks = 2});

  const auto result = network.run([&](Transport& t) {
    std::byte b{};
    if (t.rank() == Rank(1)) t.prepare_recv({&b, 1}, Rank(0), flow::Channel::graph, flow::Tag(0));
  });

  ASSERT_FALSE(result);
  EXPECT_NE(result.error().message.find("rank 1 ends with 1 prepared"), std::string::npos)
      << result.error().message;
}

/// What three simulated ranks say where a task of a graph with messages calls something.
std::string said_of_call_in_task(std::uint64_t seed, const std::function<void(Transport&)>& call) {
  SimNetwork network({.n_ranks = 3, .seed = seed});
  const auto result = network.run([&](Transport& t) {
    flow::Recorder recorder(t.rank(), t.n_ranks());
    auto x = recorder.data<double>("x", 1), y = recorder.data<double>("y", 1);
    recorder.send(flow::in(x), Rank((t.rank()() + 1) % 3));
    recorder.recv(flow::out(y), Rank((t.rank()() + 2) % 3));
    recorder.task("calls", flow::uses(), [&] { call(t); });
    flow::Graph graph = flow::capture(std::move(recorder), Model::dataflow);
    flow::Executor executor({}, t, network.clock());
    if (const auto report = executor.run(graph, 2); !report) t.abort(report.error().message);
  });
  return result ? "" : result.error().message;
}

TEST(SimFlow, collective_between_graphs_is_refused_in_a_task) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const std::string reduce = said_of_call_in_task(seed, [](Transport& t) { flow::barrier(t); });
    const std::string gather =
        said_of_call_in_task(seed, [](Transport& t) { flow::all_gather(t, t.rank()); });
    for (const char* part : {"'calls'", "an all_reduce or a barrier on rank", "that is in use"})
      EXPECT_NE(reduce.find(part), std::string::npos) << reduce;
    EXPECT_NE(gather.find("an all_gather on rank"), std::string::npos) << gather;
  }
}

TEST(SimFlow, memory_of_a_compute_node_is_not_shared_in_a_task) {
  SimNetwork network({.n_ranks = 2, .compute_nodes = {0, 0}});
  const auto result = network.run([&](Transport& t) {
    const Transport::InUse by_a_run(t, "a run");
    const int mine = 1;
    flow::all_gather_node_shared(t, std::span<const int>(&mine, 1));
  });
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().message.find("a collective of the ranks that share memory on rank"),
            std::string::npos)
      << result.error().message;
}

TEST(SimFlow, graph_with_messages_in_a_task_of_another_is_refused) {
  const SteadyClock clock;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const std::string said = said_of_call_in_task(seed, [&](Transport& t) {
      flow::Recorder recorder(t.rank(), t.n_ranks());
      auto x = recorder.data<double>("x", 1);
      recorder.all_reduce("x", flow::inout(x), flow::Max{});
      flow::Graph graph = flow::capture(std::move(recorder), Model::dataflow);
      flow::Executor executor({}, t, clock);
      (void)executor.run(graph, 1);
    });
    for (const char* part : {"'calls'", "a run of a graph with messages on rank", "that is in use"})
      EXPECT_NE(said.find(part), std::string::npos) << said;
  }
}

TEST(SimFlow, failed_task_on_one_rank_ends_all) {
  SimNetwork network({.n_ranks = 3});

  const auto result = network.run([&](Transport& t) {
    flow::Recorder recorder(t.rank(), t.n_ranks());
    auto x = recorder.data<double>("x", 1);
    recorder.task("work", flow::uses(flow::out(x)), [here = t.rank()()](auto) {
      if (here == 2) throw std::runtime_error("negative density");
    });
    recorder.all_reduce("x", flow::inout(x), flow::Max{});
    flow::Graph graph = flow::capture(std::move(recorder), Model::dataflow);
    flow::Executor executor({}, t, network.clock());
    const auto report = executor.run(graph, 1);
    if (!report) t.abort(report.error().message);
  });

  ASSERT_FALSE(result);
  EXPECT_NE(result.error().message.find("rank 2 aborted"), std::string::npos);
  EXPECT_NE(result.error().message.find("negative density"), std::string::npos);
}

TEST(SimFlow, ranks_that_recorded_different_things_deadlock_with_names) {
  SimNetwork network({.n_ranks = 2, .patience = 500});

  const auto result = network.run([&](Transport& t) {
    flow::Recorder recorder(t.rank(), t.n_ranks());
    auto x = recorder.data<double>("x", 1);
    if (t.rank() == Rank(0)) recorder.recv(flow::out(x), Rank(1));
    recorder.task("use", flow::uses(flow::in(x)), [](auto) {});
    flow::Graph graph = flow::capture(std::move(recorder), Model::dataflow);
    flow::Executor executor({}, t, network.clock());
    EXPECT_TRUE(executor.run(graph, 1));
  });

  ASSERT_FALSE(result);
  EXPECT_NE(result.error().message.find("rank 0 receiving from rank 1"), std::string::npos)
      << result.error().message;
}

#if defined(__x86_64__) || defined(__aarch64__)

TEST(SimFlow, subnormals_are_zero_in_tasks_and_nowhere_else) {
  const volatile double subnormal = 1e-310;
  const auto is_zero = [&] { return subnormal * 1e300 == 0; };
  int n_tasks_without = 0, n_ranks_left_with = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SimNetwork network({.n_ranks = 3, .seed = seed});
    ASSERT_TRUE(network.run([&](Transport& t) {
      flow::Recorder recorder(t.rank(), t.n_ranks());
      auto x = recorder.data<double>("x", 1, 1.0);
      const auto look = [&](auto) { n_tasks_without += is_zero() ? 0 : 1; };
      recorder.task("before", flow::uses(flow::inout(x)), look);
      recorder.all_reduce("x", flow::inout(x), flow::Max{});
      recorder.task("after", flow::uses(flow::inout(x)), look);
      flow::Graph graph = flow::capture(std::move(recorder), Model::dataflow);
      flow::Executor executor({}, t, network.clock());
      EXPECT_TRUE(executor.run(graph, 4));
      n_ranks_left_with += is_zero() ? 1 : 0;
    }));
    ASSERT_FALSE(is_zero()) << "seed " << seed;
  }
  EXPECT_EQ(n_tasks_without, 0);
  EXPECT_EQ(n_ranks_left_with, 0);
}

#endif

}  // namespace
}  // namespace thalweg::comm
