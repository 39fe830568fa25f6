// SPDX-License-Identifier: MIT
#include <thalweg/comm/transport_mpi.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>

#include <thalweg/comm/testing/mpi_main.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/flow/collective.hpp>
#include <thalweg/flow/combine.hpp>
#include <thalweg/flow/executor.hpp>

#include "distributed_program.hpp"
#include "ring.hpp"

namespace thalweg::comm {
namespace {

/// MPI for the tests of this program.
class MpiTest : public testing::Test {
 protected:
  MpiTest() { transport.set_watchdog(test_watchdog_s); }
  /// Poll until so many messages are complete; fails where that takes too long.
  void poll_until(std::size_t n, std::vector<flow::Ticket>& completed) {
    const std::int64_t until_ns = give_up_at_ns();
    while (completed.size() < n && clock.now_ns() < until_ns) transport.poll(completed);
    EXPECT_GE(completed.size(), n) << "messages are complete, the others are lost";
  }
  [[nodiscard]] std::int64_t give_up_at_ns() const {
    return clock.now_ns() + static_cast<std::int64_t>(test_watchdog_s * 1e9);
  }
  MpiTransport transport{*test_session};
  SteadyClock clock;
};

using MpiFlow = MpiTest;
using MpiCollective = MpiTest;

TEST_F(MpiTest, more_messages_than_a_window_all_complete_once) {
  constexpr std::uint32_t n = 1000;
  const auto size = static_cast<std::uint32_t>(transport.n_ranks());
  const Rank to((transport.rank()() + 1) % size), from((transport.rank()() + size - 1) % size);
  std::vector<std::uint32_t> sent(n), got(n, 0), seen(2 * n, 0);
  for (std::uint32_t i = 0; i < n; ++i) sent[i] = transport.rank()() * n + i;

  for (std::uint32_t i = 0; i < n; ++i) {
    transport.post_recv(std::as_writable_bytes(std::span(got).subspan(i, 1)), from,
                        flow::Channel::graph, flow::Tag(i), i);
    transport.post_send(std::as_bytes(std::span(sent).subspan(i, 1)), to, flow::Channel::graph,
                        flow::Tag(i), n + i);
  }
  std::vector<flow::Ticket> completed;
  poll_until(2 * n, completed);

  for (const flow::Ticket t : completed) ++seen[t];
  EXPECT_EQ(seen, std::vector<std::uint32_t>(2 * n, 1));
  for (std::uint32_t i = 0; i < n; ++i) EXPECT_EQ(got[i], from() * n + i);
}

TEST_F(MpiTest, a_session_may_be_of_some_ranks) {
  const auto world_rank = static_cast<int>(transport.rank()());
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, world_rank % 2, world_rank, &half);
  {
    const Session session(nullptr, nullptr, MPI_Comm_c2f(half));
    MpiTransport of_half(session);
    of_half.set_watchdog(test_watchdog_s);
    std::vector<int> expected;
    for (int r = world_rank % 2; r < transport.n_ranks(); r += 2) expected.push_back(r);
    EXPECT_EQ(flow::all_gather(of_half, world_rank), expected);
    EXPECT_EQ(of_half.rank()(), transport.rank()() / 2);

    // MPI promises 32,768 tags, Open MPI and MPICH have millions: of a part of the ranks, too.
    const auto size = static_cast<std::uint32_t>(of_half.n_ranks());
    const std::uint32_t here = of_half.rank()();
    std::uint32_t got = size;
    of_half.post_recv(std::as_writable_bytes(std::span(&got, 1)), Rank((here + size - 1) % size),
                      flow::Channel::graph, flow::Tag(40'000), 0);
    of_half.post_send(std::as_bytes(std::span(&here, 1)), Rank((here + 1) % size),
                      flow::Channel::graph, flow::Tag(40'000), 1);
    std::vector<flow::Ticket> completed;
    while (completed.size() < 2) of_half.poll(completed);
    EXPECT_EQ(got, (here + size - 1) % size);
  }
  MPI_Comm_free(&half);
  EXPECT_THROW(Session(nullptr, nullptr, MPI_Comm_c2f(MPI_COMM_NULL)), Error);
}

TEST_F(MpiTest, a_message_whose_receive_is_beyond_the_first_window_arrives_first) {
  constexpr std::uint32_t n = 300;  // receives; a poll tests 128
  const auto size = static_cast<std::uint32_t>(transport.n_ranks());
  if (size == 1) GTEST_SKIP() << "nothing that stays on a rank goes through MPI";
  const Rank to((transport.rank()() + 1) % size), from((transport.rank()() + size - 1) % size);
  const std::uint32_t sent = transport.rank()();
  std::vector<std::uint32_t> got(n, size);
  for (std::uint32_t i = 0; i < n; ++i)
    transport.post_recv(std::as_writable_bytes(std::span(got).subspan(i, 1)), from,
                        flow::Channel::graph, flow::Tag(i), i);
  const auto send = [&](std::uint32_t i) {
    transport.post_send(std::as_bytes(std::span(&sent, 1)), to, flow::Channel::graph, flow::Tag(i),
                        n + i);
  };
  send(n - 1);
  std::vector<flow::Ticket> completed;
  const std::int64_t until_ns = give_up_at_ns();
  while (std::ranges::count(completed, n - 1) == 0 && clock.now_ns() < until_ns)
    transport.poll(completed);
  EXPECT_EQ(std::ranges::count(completed, n - 1), 1);
  EXPECT_EQ(got[n - 1], from());
  // No rank waits for what another one has not sent, also where this has failed.
  for (std::uint32_t i = 0; i + 1 < n; ++i) send(i);
  poll_until(2 * n, completed);
}

TEST_F(MpiTest, the_first_and_the_last_message_at_once_leave_those_between) {
  const auto size = static_cast<std::uint32_t>(transport.n_ranks());
  if (size == 1) GTEST_SKIP() << "nothing that stays on a rank goes through MPI";
  const Rank to((transport.rank()() + 1) % size), from((transport.rank()() + size - 1) % size);
  constexpr std::uint32_t n = 4;
  const std::uint32_t sent = transport.rank()();
  bool has_failed = false;
  // Mostly one poll sees both, but MPI does not promise it.
  for (int round = 0; round < 20 && !has_failed; ++round) {
    std::vector<std::uint32_t> got(n, size);
    for (std::uint32_t i = 0; i < n; ++i)
      transport.post_recv(std::as_writable_bytes(std::span(got).subspan(i, 1)), from,
                          flow::Channel::graph, flow::Tag(i), i);
    const auto send = [&](std::uint32_t i) {
      transport.post_send(std::as_bytes(std::span(&sent, 1)), to, flow::Channel::graph,
                          flow::Tag(i), n + i);
    };
    std::vector<flow::Ticket> completed;
    send(0);
    send(n - 1);
    MPI_Barrier(MPI_COMM_WORLD);
    poll_until(4, completed);
    for (std::uint32_t i = 1; i + 1 < n; ++i) send(i);
    poll_until(2 * n, completed);
    std::ranges::sort(completed);
    EXPECT_EQ(completed, (std::vector<flow::Ticket>{0, 1, 2, 3, 4, 5, 6, 7}));
    EXPECT_EQ(got, std::vector<std::uint32_t>(n, from()));
    int failed = HasFailure() ? 1 : 0;  // on any rank: all go on, or none
    MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    has_failed = failed != 0;
  }
}

TEST_F(MpiTest, messages_beyond_what_mpi_counts_are_refused_by_their_size) {
  const auto size = static_cast<std::uint32_t>(transport.n_ranks());
  if (size == 1) GTEST_SKIP() << "nothing that stays on a rank goes through MPI";
  const Rank to((transport.rank()() + 1) % size);
  // Refused before anybody looks at the bytes, of which there is one.
  std::byte one{};
  const std::span<std::byte> huge(&one, std::size_t{1} << 31);
  const auto expect_refused = [](const auto& post) {
    try {
      post();
      ADD_FAILURE() << "taken";
    } catch (const RankError& e) {
      EXPECT_NE(std::string(e.what()).find("2147483648 bytes"), std::string::npos) << e.what();
    }
  };
  constexpr auto host = flow::Channel::host;
  expect_refused([&] { transport.post_send(huge, to, host, flow::Tag(0), 0); });
  expect_refused([&] { transport.post_recv(huge, to, host, flow::Tag(0), 1); });
  expect_refused([&] { transport.prepare_send(huge, to, host, flow::Tag(0)); });
  expect_refused([&] { transport.prepare_recv(huge, to, host, flow::Tag(0)); });
}

TEST_F(MpiTest, messages_beyond_the_tags_that_must_exist_arrive_and_those_beyond_all_are_refused) {
  const auto size = static_cast<std::uint32_t>(transport.n_ranks());
  if (size == 1) GTEST_SKIP() << "nothing that stays on a rank goes through MPI";
  const Rank to((transport.rank()() + 1) % size), from((transport.rank()() + size - 1) % size);
  // MPI promises 32,768 of them, Open MPI and MPICH have millions.
  const std::array<std::uint32_t, 2> sent{transport.rank()(), transport.rank()() + size};
  std::array<std::uint32_t, 2> got{};
  for (std::uint32_t i = 0; i < 2; ++i) {
    const flow::Tag tag(40'000 + i);
    transport.post_recv(std::as_writable_bytes(std::span(got).subspan(1 - i, 1)), from,
                        flow::Channel::graph, flow::Tag(40'001 - i), i);
    transport.post_send(std::as_bytes(std::span(sent).subspan(i, 1)), to, flow::Channel::graph, tag,
                        2 + i);
  }
  std::vector<flow::Ticket> completed;
  poll_until(4, completed);
  EXPECT_EQ(got, (std::array{from(), from() + size}));

  try {
    transport.post_send({}, to, flow::Channel::graph, flow::Tag(~0u), 0);
    ADD_FAILURE() << "taken";
  } catch (const RankError& e) {
    EXPECT_NE(std::string(e.what()).find("message 4294967295"), std::string::npos) << e.what();
  }
}

TEST_F(MpiTest, an_operation_that_is_forgotten_under_way_is_not_asked_for_again) {
  const auto size = static_cast<std::uint32_t>(transport.n_ranks());
  if (size == 1) GTEST_SKIP() << "nothing that stays on a rank goes through MPI";
  const Rank to((transport.rank()() + 1) % size), from((transport.rank()() + size - 1) % size);
  constexpr flow::Tag forgotten(1), tag(2);
  std::array<std::byte, 1> late{}, got{};
  const std::array sent{std::byte{7}};
  std::vector<flow::Ticket> completed;

  const auto id = transport.prepare_recv(late, from, flow::Channel::graph, forgotten);
  transport.start(id, 5);
  transport.forget(id);
  transport.post_recv(got, from, flow::Channel::graph, tag, 0);
  transport.post_send(sent, to, flow::Channel::graph, forgotten, 1);
  transport.post_send(sent, to, flow::Channel::graph, tag, 2);
  poll_until(3, completed);

  std::ranges::sort(completed);
  EXPECT_EQ(completed, (std::vector<flow::Ticket>{0, 1, 2}));
  EXPECT_EQ(got, sent);
}

TEST_F(MpiTest, other_size_than_expected_names_both) {
  for (const std::size_t n_expected : {3u, 9u}) {
    const auto size = static_cast<std::uint32_t>(transport.n_ranks());
    const std::vector<char> sent(6, 'x');
    std::vector<char> got(n_expected);
    std::string text;
    std::vector<flow::Ticket> completed;

    try {
      transport.post_recv(std::as_writable_bytes(std::span(got)),
                          Rank((transport.rank()() + size - 1) % size), flow::Channel::host,
                          flow::Tag(0), 0);
      transport.post_send(std::as_bytes(std::span(sent)), Rank((transport.rank()() + 1) % size),
                          flow::Channel::host, flow::Tag(0), 1);
      while (completed.size() < 2) transport.poll(completed);
    } catch (const RankError& e) {
      text = e.what();
    }

    EXPECT_NE(text.find(std::to_string(n_expected)), std::string::npos) << text;
    if (n_expected > 6) {
      EXPECT_NE(text.find("message of 6 bytes"), std::string::npos) << text;
    }
    if (n_expected < 6) {
      EXPECT_NE(text.find("message of "), std::string::npos) << text;
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

TEST_F(MpiCollective, agree_with_what_they_promise) {
  const std::uint32_t here = transport.rank()();
  const auto n = static_cast<std::uint32_t>(transport.n_ranks());

  EXPECT_EQ(flow::all_reduce(transport, here, std::plus<>()), n * (n - 1) / 2);
  EXPECT_EQ(flow::exclusive_scan(transport, here, std::plus<>(), 0u), here * (here - 1) / 2);
  flow::barrier(transport);
  std::vector<std::pair<Rank, std::uint32_t>> out;
  for (std::uint32_t r = 0; r < n; ++r) out.emplace_back(Rank(r), 100 * here + r);
  const auto got =
      flow::exchange_sparse(transport, std::span<const std::pair<Rank, std::uint32_t>>(out));
  ASSERT_EQ(got.size(), n);
  for (std::uint32_t r = 0; r < n; ++r) EXPECT_EQ(got[r], (std::pair(Rank(r), 100 * r + here)));
}

TEST_F(MpiFlow, random_programs_give_the_serial_result_in_all_models) {
  constexpr std::uint64_t n_replays = 10;
  for (int way = 0; way < 12; ++way) {
    flow::Executor executor({.n_workers = 1 + static_cast<std::uint32_t>(way % 2),
                             .progress = static_cast<flow::Progress>(way / 4),
                             .posting = static_cast<flow::Posting>(way / 2 % 2),
                             .watchdog_s = test_watchdog_s},
                            transport, clock);
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
      const DistributedProgram program(
          {.seed = seed, .n_ranks = static_cast<std::uint32_t>(transport.n_ranks())});
      std::vector<std::uint64_t> values = program.initial();
      flow::Recorder recorder(transport.rank(), transport.n_ranks());
      program.record(recorder, values);
      flow::Graph graph = flow::capture(std::move(recorder), static_cast<flow::Model>(seed % 4));

      const auto report = executor.run(graph, n_replays);

      ASSERT_TRUE(report) << report.error().message;
      const auto expected = program.serial_result(n_replays);
      for (std::uint32_t d = 0; d < values.size(); ++d)
        if (program.owner(d) == transport.rank()) {
          EXPECT_EQ(values[d], expected[d]);
        }
    }
  }
}

TEST_F(MpiFlow, ring_of_coroutines_gives_the_same_in_all_ways) {
  constexpr std::uint64_t n_replays = 20;
  for (int way = 0; way < 24; ++way) {
    flow::Executor executor({.n_workers = 1 + static_cast<std::uint32_t>(way % 2),
                             .progress = static_cast<flow::Progress>(way / 2 % 3),
                             .watchdog_s = test_watchdog_s},
                            transport, clock);
    ring::Ring own;
    flow::Recorder recorder(transport.rank(), transport.n_ranks());
    ring::record(recorder, own);
    flow::Graph graph = flow::capture(std::move(recorder), static_cast<flow::Model>(way / 6));

    const auto report = executor.run(graph, n_replays);

    ASSERT_TRUE(report) << report.error().message;
    EXPECT_EQ(own.sum, ring::expected(transport, n_replays));
  }
}

}  // namespace
}  // namespace thalweg::comm
