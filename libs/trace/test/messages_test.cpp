// SPDX-License-Identifier: MIT
#include <thalweg/trace/messages.hpp>

#include <gtest/gtest.h>

#include "hand_made.hpp"

namespace thalweg::trace {
namespace {

using test::add;
using Pairs = std::vector<MessagePair>;

TEST(MatchMessages, send_and_receive_of_one_key) {
  EXPECT_EQ(match_messages(test::make_and_use()), (Pairs{{{0, 0, 1}, {1, 0, 0}}}));
}

TEST(MatchMessages, every_part_of_the_key_counts) {
  const auto unmatched = [](auto change) {
    auto traces = test::make_and_use();
    change(traces[0]);
    return match_messages(traces).empty();
  };
  EXPECT_TRUE(unmatched([](RankTrace& t) { t.runs[0].ordinal = 1; }));
  EXPECT_TRUE(unmatched([](RankTrace& t) { t.events[0][1].replay = 1; }));
  EXPECT_TRUE(unmatched([](RankTrace& t) { t.graphs[0].nodes[1].tag = 1; }));
  EXPECT_TRUE(unmatched([](RankTrace& t) { t.graphs[0].nodes[1].peer = 2; }));
  EXPECT_TRUE(unmatched([](RankTrace& t) { t.rank = Rank(5); }));
  EXPECT_FALSE(unmatched([](RankTrace&) {}));
}

TEST(MessageId, is_the_same_on_both_sides_and_of_that_message_alone) {
  const auto traces = test::make_and_use();
  const auto id = [&](const RankTrace& t, const Event& e) { return message_id(message_key(t, e)); };

  EXPECT_EQ(id(traces[0], traces[0].events[0][1]), id(traces[1], traces[1].events[0][0]));

  MessageKey key{1, 2, 3, 4, 5};
  const std::uint64_t before = message_id(key);
  std::swap(key.from, key.to);
  EXPECT_NE(message_id(key), before);
}

/// Two ranks that send each other a message, rank 1 on another host with its clock ahead.
std::vector<RankTrace> both_ways(std::int64_t ahead_ns, std::int64_t there_ns,
                                 std::int64_t back_ns) {
  std::vector<RankTrace> traces;
  for (const std::uint32_t rank : {0u, 1u}) {
    const std::uint32_t peer = 1 - rank;
    const std::int64_t clock = rank == 1 ? ahead_ns : 0;
    RankTrace trace = test::rank_trace(rank, 2, 1,
                                       test::graph({{.kind = NodeKind::send, .peer = peer},
                                                    {.kind = NodeKind::recv, .peer = peer}},
                                                   {"send", "recv"}, {}),
                                       {clock, clock + 1000});
    trace.host = rank == 0 ? "a" : "b";
    // Rank 0 sends at 100 and 300, rank 1 at 200 and 400; the second ones are slow.
    for (const std::uint64_t r : {0u, 1u}) {
      const std::int64_t sent = clock + 100 + 100 * rank + 200 * std::int64_t(r);
      const std::int64_t arrived =
          clock + 100 + 100 * peer + 200 * std::int64_t(r) + (rank == 0 ? back_ns : there_ns);
      add(trace, {0, 0, {sent, sent + 1}, r});
      add(trace, {0, 1, {clock, arrived + (r == 1 ? 77 : 0)}, r});
    }
    traces.push_back(trace);
  }
  return traces;
}

TEST(ClockOffsets, are_found_from_the_quickest_messages_each_way) {
  EXPECT_EQ(clock_offsets(both_ways(5000, 30, 30)), (std::vector<std::int64_t>{0, -5000}));
  EXPECT_EQ(clock_offsets(both_ways(-700, 30, 30)), (std::vector<std::int64_t>{0, 700}));
  // A slow message of one way alone changes nothing, where a quick one came before.
  auto traces = both_ways(5000, 30, 30);
  traces[1].events[0].back().end_ns += 500;
  EXPECT_EQ(clock_offsets(traces), (std::vector<std::int64_t>{0, -5000}));
  // Half of what the ways differ by is lost.
  EXPECT_EQ(clock_offsets(both_ways(5000, 30, 40)), (std::vector<std::int64_t>{0, -4995}));
}

TEST(MatchMessages, gives_a_send_to_one_receive_alone) {
  auto traces = both_ways(0, 30, 30);
  const std::size_t n_pairs = match_messages(traces).size();
  traces[1].events[0].push_back(traces[1].events[0].back());  // a receive twice
  EXPECT_EQ(match_messages(traces).size(), n_pairs);
}

TEST(ClockOffsets, are_zero_on_one_host_and_without_messages) {
  auto traces = both_ways(5000, 30, 30);
  traces[1].host = "a";
  EXPECT_EQ(clock_offsets(traces), (std::vector<std::int64_t>{0, 0}));

  traces = both_ways(5000, 30, 30);
  traces[0].events[0].clear();
  EXPECT_EQ(clock_offsets(traces), (std::vector<std::int64_t>{0, 0}));
}

TEST(ClockOffsets, add_up_over_ranks_and_are_shared_on_a_host) {
  // Rank 2 is on rank 1's host and talks to nobody.
  auto traces = both_ways(5000, 30, 30);
  traces.push_back(test::rank_trace(2, 3, 1, test::graph({{}}, {"a"}, {}), {0, 1}));
  traces[2].host = "b";

  EXPECT_EQ(clock_offsets(traces), (std::vector<std::int64_t>{0, -5000, -5000}));
}

}  // namespace
}  // namespace thalweg::trace
