// SPDX-License-Identifier: MIT
#include <thalweg/comm/transport_alone.hpp>

#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdio>
#include <span>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/core/clock.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/flow/collective.hpp>
#include <thalweg/flow/executor.hpp>

#include "distributed_program.hpp"

namespace thalweg::comm {
namespace {

constexpr Rank here{0};

TEST(AloneTransport, runs_programs_in_every_model_on_threads_as_they_are_written) {
  constexpr std::uint64_t n_replays = 3;
  AloneTransport transport;
  const SteadyClock clock;
  for (const std::uint32_t n_workers : {1u, 2u}) {
    flow::Executor executor({.n_workers = n_workers, .watchdog_s = 5}, transport, clock);
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
      const DistributedProgram program({.seed = seed});
      std::vector<std::uint64_t> values = program.initial();
      flow::Recorder recorder(transport.rank(), transport.n_ranks());
      program.record(recorder, values);
      flow::Graph graph = flow::capture(std::move(recorder), static_cast<flow::Model>(seed % 4));
      const auto report = executor.run(graph, n_replays);
      ASSERT_TRUE(report) << report.error().message;
      EXPECT_EQ(values, program.serial_result(n_replays)) << "seed " << seed;
    }
  }
}

TEST(AloneTransport, brings_messages_of_no_bytes_however_they_are_posted) {
  for (const auto posting : {flow::Posting::fresh, flow::Posting::persistent}) {
    AloneTransport transport;
    const SteadyClock clock;
    flow::Recorder recorder(transport.rank(), transport.n_ranks());
    recorder.recv(recorder.datum("in"), std::span<std::byte>(), here);
    recorder.send(recorder.datum("out"), std::span<const std::byte>(), here);
    flow::Graph graph = flow::capture(std::move(recorder), flow::Model::dataflow);
    flow::Executor executor({.posting = posting, .watchdog_s = 5}, transport, clock);
    const auto report = executor.run(graph, 3);
    EXPECT_TRUE(report) << report.error().message;
  }
}

TEST(AloneTransport, brings_messages_of_a_channel_and_tag_in_order) {
  AloneTransport transport;
  const std::array<int, 2> sent{7, 8};
  std::array<int, 2> received{};
  for (std::size_t i = 0; i < 2; ++i)
    transport.post_send(std::as_bytes(std::span(&sent[i], 1)), here, flow::Channel::graph,
                        flow::Tag(1), static_cast<flow::Ticket>(i));
  std::vector<flow::Ticket> completed;
  transport.poll(completed);
  EXPECT_TRUE(completed.empty());
  for (std::size_t i = 0; i < 2; ++i)
    transport.post_recv(std::as_writable_bytes(std::span(&received[i], 1)), here,
                        flow::Channel::graph, flow::Tag(1), static_cast<flow::Ticket>(10 + i));
  transport.poll(completed);
  EXPECT_EQ(received, sent);
  EXPECT_EQ(completed, (std::vector<flow::Ticket>{0, 10, 1, 11}));
}

TEST(AloneTransport, keeps_messages_of_one_tag_on_two_channels_apart) {
  AloneTransport transport;
  const std::array<int, 2> sent{7, 8};
  std::array<int, 2> received{};
  const std::array channels{flow::Channel::graph, flow::Channel::host};
  for (const std::size_t i : {0u, 1u})
    transport.post_send(std::as_bytes(std::span(&sent[i], 1)), here, channels[i], flow::Tag(1), 0);
  for (const std::size_t i : {1u, 0u})
    transport.post_recv(std::as_writable_bytes(std::span(&received[i], 1)), here, channels[i],
                        flow::Tag(1), 0);
  EXPECT_EQ(received, sent);
}

TEST(AloneTransport, is_all_there_is_to_collectives) {
  AloneTransport transport;
  EXPECT_EQ(flow::all_gather(transport, 5), std::vector<int>{5});
  EXPECT_EQ(flow::all_reduce(transport, 5, [](int a, int b) { return a + b; }), 5);
  EXPECT_EQ(transport.compute_node(), nullptr);
}

TEST(AloneTransportDeathTest, ends_the_process_with_the_code_of_a_failed_run) {
  AloneTransport transport;
  EXPECT_EXIT(transport.abort("no\x1b way on"), ::testing::ExitedWithCode(3),
              "\\[r0\\] no\\\\x1b way on");
}

TEST(AloneTransportDeathTest, loses_nothing_that_was_printed_before) {
  AloneTransport transport;
  const auto print_and_abort = [&] {
    dup2(STDERR_FILENO, STDOUT_FILENO);  // what the test reads
    std::printf("step 7");
    transport.abort("no way on");
  };
  EXPECT_EXIT(print_and_abort(), ::testing::ExitedWithCode(3), "step 7");
}

}  // namespace
}  // namespace thalweg::comm
