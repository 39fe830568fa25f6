// SPDX-License-Identifier: MIT
// Latency before MPI: real time passes.
#include <gtest/gtest.h>

#include <thalweg/comm/testing/mpi_main.hpp>
#include <thalweg/comm/transport_latency.hpp>
#include <thalweg/comm/transport_mpi.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/flow/executor.hpp>

#include "distributed_program.hpp"

namespace thalweg::comm {
namespace {

class LatencyMpi : public testing::Test {
 protected:
  LatencyMpi() { network.set_watchdog(test_watchdog_s); }
  MpiTransport network{*test_session};
  SteadyClock clock;
};

TEST_F(LatencyMpi, each_leg_round_a_ring_takes_the_latency) {
  constexpr int n_rounds = 10;
  constexpr double latency_us = 500;
  const auto slow = with_latency(network, clock, latency_us);
  ASSERT_NE(slow, nullptr);
  const auto n = static_cast<std::uint32_t>(slow->n_ranks());
  if (n == 1) GTEST_SKIP() << "nobody to send to";
  const std::uint32_t here = slow->rank()();
  int value = 0;
  const auto wait = [&] {
    std::vector<flow::Ticket> completed;
    while (completed.empty()) slow->poll(completed);
  };
  const auto send = [&] {
    slow->post_send(std::as_bytes(std::span(&value, 1)), Rank((here + 1) % n), flow::Channel::graph,
                    flow::Tag(0), 0);
    wait();
  };

  const std::int64_t start_ns = clock.now_ns();
  for (int round = 0; round < n_rounds; ++round) {
    if (here == 0) send();
    slow->post_recv(std::as_writable_bytes(std::span(&value, 1)), Rank((here + n - 1) % n),
                    flow::Channel::graph, flow::Tag(0), 0);
    wait();
    ++value;
    if (here != 0) send();
  }

  if (here == 0) {
    EXPECT_EQ(value, n_rounds * static_cast<int>(n));
    EXPECT_GE(static_cast<double>(clock.now_ns() - start_ns), 1e3 * latency_us * n * n_rounds);
  }
}

TEST_F(LatencyMpi, random_programs_give_the_serial_result_in_all_models) {
  constexpr std::uint64_t n_replays = 4;
  const auto slow = with_latency(network, clock, 20);
  for (const std::uint32_t n_workers : {1u, 2u}) {
    flow::Executor executor({.n_workers = n_workers, .watchdog_s = test_watchdog_s}, *slow, clock);
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
      const DistributedProgram program(
          {.seed = seed, .n_ranks = static_cast<std::uint32_t>(slow->n_ranks())});
      std::vector<std::uint64_t> values = program.initial();
      flow::Recorder recorder(slow->rank(), slow->n_ranks());
      program.record(recorder, values);
      flow::Graph graph = flow::capture(std::move(recorder), static_cast<flow::Model>(seed % 4));

      const auto report = executor.run(graph, n_replays);

      ASSERT_TRUE(report) << report.error().message;
      const auto expected = program.serial_result(n_replays);
      for (std::uint32_t d = 0; d < values.size(); ++d)
        if (program.owner(d) == slow->rank()) {
          EXPECT_EQ(values[d], expected[d]);
        }
    }
  }
}

TEST_F(LatencyMpi, none_costs_nothing_and_a_wrong_one_is_refused) {
  EXPECT_EQ(with_latency(network, clock, 0), nullptr);
  EXPECT_THROW(with_latency(network, clock, -5), Error);
}

}  // namespace
}  // namespace thalweg::comm
