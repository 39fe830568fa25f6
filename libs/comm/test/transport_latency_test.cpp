// SPDX-License-Identifier: MIT
#include <thalweg/comm/transport_latency.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>

#include <thalweg/comm/sim_network.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/flow/executor.hpp>

#include "distributed_program.hpp"

namespace thalweg::comm {
namespace {

using flow::Channel;
using flow::Tag;
using flow::Ticket;
using flow::Transport;

constexpr double latency_us = 300;  // a poll of the simulation takes one
constexpr std::int64_t latency_ns = 300'000;

std::span<const std::byte> sent(const int& value) {
  return std::as_bytes(std::span(&value, 1));
}
std::span<std::byte> received(int& value) {
  return std::as_writable_bytes(std::span(&value, 1));
}

TEST(LatencyTransport, shows_each_message_when_the_latency_has_passed_since_it_was_sent) {
  constexpr std::size_t n = 3;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SimNetwork network({.n_ranks = 2, .seed = seed, .max_delay = 0});
    const Clock& clock = network.clock();
    std::array<std::int64_t, n> due_ns{};

    const auto result = network.run([&](Transport& t) {
      LatencyTransport slow(t, clock, latency_us);
      std::vector<Ticket> completed;
      std::array<int, n> values{1, 2, 3};
      if (t.rank() == Rank(0)) {
        for (Ticket i = 0; i < n; ++i) {
          due_ns[i] = clock.now_ns() + latency_ns;
          slow.post_send(sent(values[i]), Rank(1), Channel::graph, Tag(i), 10 + i);
          while (completed.size() <= i || clock.now_ns() < due_ns[i] - latency_ns + 50'000)
            slow.poll(completed);
        }
        EXPECT_EQ(completed, (std::vector<Ticket>{10, 11, 12}));
        return;
      }
      values.fill(0);
      for (const Ticket i : {2u, 0u, 1u})
        slow.post_recv(received(values[i]), Rank(0), Channel::graph, Tag(i), i);
      while (completed.size() < n) {
        const std::int64_t last_ns = clock.now_ns();
        const std::size_t n_before = completed.size();
        slow.poll(completed);
        for (Ticket i = 0; i < n; ++i) EXPECT_EQ(values[i], i < completed.size() ? i + 1 : 0);
        for (std::size_t i = n_before; i < completed.size(); ++i) {
          EXPECT_EQ(completed[i], i);
          EXPECT_GE(clock.now_ns(), due_ns[i]);
          EXPECT_LT(last_ns, due_ns[i]) << "not at the first poll after that";
        }
      }
    });

    ASSERT_TRUE(result) << "seed " << seed << ": " << result.error().message;
  }
}

TEST(LatencyTransport, who_comes_late_does_not_wait) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SimNetwork network({.n_ranks = 2, .seed = seed, .max_delay = 0});
    const Clock& clock = network.clock();
    std::int64_t sent_ns = 1'000'000'000;

    const auto result = network.run([&](Transport& t) {
      LatencyTransport slow(t, clock, latency_us);
      std::vector<Ticket> completed;
      const int value = 42;
      int got = 0;
      if (t.rank() == Rank(0)) {
        sent_ns = clock.now_ns();
        slow.post_send(sent(value), Rank(1), Channel::graph, Tag(0), 0);
        while (completed.empty()) slow.poll(completed);
        return;
      }
      while (clock.now_ns() < sent_ns + latency_ns) t.poll(completed);
      slow.post_recv(received(got), Rank(0), Channel::graph, Tag(0), 0);
      slow.poll(completed);
      EXPECT_EQ(completed.size(), 1u);
      EXPECT_EQ(got, 42);
    });

    ASSERT_TRUE(result) << "seed " << seed << ": " << result.error().message;
  }
}

TEST(LatencyTransport, shows_messages_of_one_moment_in_the_order_in_which_they_came) {
  constexpr std::size_t n = 5;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SimNetwork network({.n_ranks = 2, .seed = seed, .max_delay = 0});

    const auto result = network.run([&](Transport& t) {
      LatencyTransport slow(t, network.clock(), latency_us);
      std::vector<Ticket> completed;
      std::array<int, n> values{1, 2, 3, 4, 5};
      if (t.rank() == Rank(0)) {
        for (Ticket i = 0; i < n; ++i)
          slow.post_send(sent(values[i]), Rank(1), Channel::graph, Tag(i), i);
      } else {
        for (Ticket i = 0; i < n; ++i)
          slow.post_recv(received(values[i]), Rank(0), Channel::graph, Tag(i), i);
      }
      while (completed.size() < n) slow.poll(completed);
      if (t.rank() == Rank(1)) {
        EXPECT_EQ(completed, (std::vector<Ticket>{0, 1, 2, 3, 4})) << "seed " << seed;
      }
    });

    ASSERT_TRUE(result) << "seed " << seed << ": " << result.error().message;
  }
}

TEST(LatencyTransport, messages_to_oneself_are_not_held_back) {
  SimNetwork network({.max_delay = 0});
  const auto result = network.run([&](Transport& t) {
    LatencyTransport slow(t, network.clock(), latency_us);
    std::vector<Ticket> completed;
    const int value = 42;
    int got = 0;
    slow.post_recv(received(got), Rank(0), Channel::host, Tag(0), 5);
    slow.post_send(sent(value), Rank(0), Channel::host, Tag(0), 6);
    while (completed.size() < 2) slow.poll(completed);
    EXPECT_LT(network.clock().now_ns(), latency_ns);
    EXPECT_EQ(got, 42);
  });
  ASSERT_TRUE(result) << result.error().message;
}

TEST(LatencyTransport, results_are_the_same_in_all_models_with_any_latency) {
  constexpr std::uint64_t n_replays = 3;
  for (std::uint64_t seed = 0; seed < 240; ++seed) {
    const auto n_ranks = static_cast<std::uint32_t>(1 + seed % 4);
    const DistributedProgram program(
        {.seed = seed, .n_ranks = n_ranks, .n_busy = seed % 5 == 0 ? 1 : n_ranks});
    const auto expected = program.serial_result(n_replays);
    SimNetwork network({.n_ranks = static_cast<int>(n_ranks), .seed = seed});

    const auto result = network.run([&](Transport& t) {
      LatencyTransport slow(t, network.clock(), seed % 3 == 0 ? 0 : std::pow(5.0, seed % 5));
      std::vector<std::uint64_t> values = program.initial();
      flow::Recorder recorder(t.rank(), t.n_ranks());
      program.record(recorder, values);
      flow::Graph graph = flow::capture(std::move(recorder), static_cast<flow::Model>(seed % 4));
      flow::UniformPicker picker(seed + t.rank()());
      flow::Executor executor({.depth = 1 + static_cast<std::uint32_t>(seed % 3),
                               .picker = seed % 2 == 0 ? nullptr : &picker},
                              slow, network.clock());

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

TEST(LatencyTransport, refuses_what_is_no_latency) {
  SimNetwork network({});
  const auto result = network.run([&](Transport& t) {
    for (const double wrong : {-1.0, 2e6, std::nan("")}) {
      try {
        const LatencyTransport slow(t, network.clock(), wrong);
        ADD_FAILURE() << wrong;
      } catch (const Error& e) {
        EXPECT_NE(std::string(e.what()).find(std::to_string(wrong)), std::string::npos);
      }
    }
    EXPECT_NO_THROW(LatencyTransport(t, network.clock(), 1e6));
  });
  ASSERT_TRUE(result) << result.error().message;
}

}  // namespace
}  // namespace thalweg::comm
