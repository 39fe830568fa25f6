// SPDX-License-Identifier: MIT
#include <thalweg/trace/file.hpp>

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "../../../tests/support/text.hpp"
#include "hand_made.hpp"

namespace thalweg::trace {
namespace {

/// A trace with every member different from its default, and numbers at their limits.
RankTrace every_member(std::uint32_t rank) {
  constexpr auto most = std::numeric_limits<std::uint64_t>::max();
  auto graph = test::graph({{.controls_termination = true, .level = -3, .block = most},
                            {.kind = NodeKind::send, .peer = 2, .tag = 7, .bytes = most - 1},
                            {.kind = NodeKind::recv, .peer = 4'000'000'000, .tag = 32'767},
                            {.kind = NodeKind::barrier}},
                           {"a \"name\"", "send", "recv", "barrier"}, {{3, 1}, {0, 3}, {2, 3}},
                           {{3, 0}, {1, 2}});
  graph.depth = 5;
  RankTrace trace = test::rank_trace(rank, 3, 2, graph, {-50, 1'000'000'000'000});
  trace.graphs.push_back({});
  trace.host = "a host";
  trace.steps = {.first = 10, .last = 12};
  trace.n_dropped = 9;
  trace.runs[0].ordinal = 77;
  trace.runs[0].first_step = 10;
  trace.runs.push_back({.ordinal = 78, .graph = 1});
  test::add(trace, {1, 0, {-40, 5}, most});
  test::add(trace, {1, 1, {0, 999'999'999'999}, 3});
  test::add(trace, {1, 2, {7, 7}, 0});
  test::add_idle(trace, 1, {2, 3}, 1);
  return trace;
}

std::string failure(std::string_view bytes) {
  const auto read = read_traces(bytes, "some.pftrace");
  return read ? "" : read.error().message;
}
using thalweg::testing::expect_parts;

TEST(ReadTraces, gives_back_what_was_written) {
  for (const RankTrace& trace : {every_member(1), test::make_and_use()[0]}) {
    const auto read = read_traces(perfetto_part(trace), "file");

    ASSERT_TRUE(read) << read.error().message;
    ASSERT_EQ(read->size(), 1u);
    EXPECT_EQ(read->front(), trace);
  }
}

TEST(ReadTraces, parts_may_follow_each_other_in_any_order) {
  const auto read = read_traces(perfetto_part(every_member(2)) + perfetto_part(every_member(0)) +
                                    perfetto_part(every_member(1)),
                                "file");

  ASSERT_TRUE(read);
  ASSERT_EQ(read->size(), 3u);
  for (std::uint32_t rank = 0; rank < 3; ++rank) EXPECT_EQ((*read)[rank], every_member(rank));
}

TEST(ReadTraces, what_is_no_trace_is_refused_by_name) {
  for (const std::string_view bytes :
       {"", "{\"traceEvents\": []}", "[mesh]\ndim = 3\n", "\x0a\x02\x08\x01"})
    expect_parts(failure(bytes), {"'some.pftrace'", "no trace of Thalweg", "trace.steps"});
}

TEST(ReadTraces, trace_that_was_cut_short_is_refused_wherever_it_was) {
  const std::string whole = perfetto_part(every_member(1));

  for (std::size_t n = 0; n < whole.size(); ++n)
    EXPECT_NE(failure(std::string_view(whole).substr(0, n)), "") << n;
}

TEST(ReadTraces, no_byte_that_is_changed_leads_to_more_than_a_refusal) {
  const std::string whole = perfetto_part(every_member(1));

  for (std::size_t i = 0; i < whole.size(); ++i)
    for (const int change : {1, 0x80, 0xff}) {
      std::string changed = whole;
      changed[i] = static_cast<char>(changed[i] ^ change);
      const auto read = read_traces(changed, "file");  // under the sanitizers
      if (read) History::of(*read);
    }
}

TEST(ReadTraces, ranks_that_do_not_go_together_are_refused) {
  expect_parts(failure(perfetto_part(every_member(1)) + perfetto_part(every_member(1))),
               {"rank 1 twice"});
  auto other = every_member(0);
  other.n_ranks = 8;
  expect_parts(failure(perfetto_part(every_member(1)) + perfetto_part(other)),
               {"rank 0 was one of 8", "rank 1 one of 3"});
}

TEST(ReadTraces, indices_that_lead_nowhere_are_refused) {
  const auto after = [](auto change) {
    auto trace = every_member(1);
    change(trace);
    return failure(perfetto_part(trace));
  };
  expect_parts(after([](RankTrace& t) { t.rank = Rank(3); }), {"rank"});
  expect_parts(after([](RankTrace& t) { t.runs[1].graph = 2; }), {"graph"});
  expect_parts(after([](RankTrace& t) { t.events[1].back().run = 2; }), {"an event of a run"});
  expect_parts(after([](RankTrace& t) { t.graphs[0].edges[0].to = 4; }), {"edge"});
  expect_parts(after([](RankTrace& t) { t.graphs[0].wrap_edges[0].from = 4; }), {"edge"});
}

TEST(ReadTraces, numbers_of_ranks_and_times_that_cannot_be_are_refused) {
  const auto after = [](auto change) {
    auto trace = every_member(1);
    change(trace);
    return failure(perfetto_part(trace));
  };
  expect_parts(after([](RankTrace& t) { t.n_ranks = 4'000'000'000; }), {"a number of ranks"});
  expect_parts(after([](RankTrace& t) { t.runs[0].end_ns = INT64_MAX; }), {"a time"});
  expect_parts(after([](RankTrace& t) { t.events[1][0].start_ns = INT64_MIN; }), {"a time"});
}

TEST(ReadTraces, names_have_nothing_that_terminals_or_json_would_not_take) {
  auto trace = every_member(1);
  trace.graphs[0].model = "\x1b[2J";
  trace.graphs[0].names[1] = "a\xff";
  trace.host = "b\x07";

  const auto read = read_traces(perfetto_part(trace), "file").value()[0];

  EXPECT_EQ(read.graphs[0].model, "\\x1b[2J");
  EXPECT_EQ(read.graphs[0].names[1], "a\\xff");
  EXPECT_EQ(read.host, "b\\x07");
}

TEST(ReadTraces, newer_version_is_refused_with_both_numbers) {
  const std::string whole = perfetto_part(every_member(1));
  // The record begins with its version (field 1), and its rank.
  const std::string begin{"\x08\x01\x10\x01\x18\x03", 6};
  const std::size_t at = whole.find(begin);
  ASSERT_NE(at, std::string::npos);
  std::string newer = whole;
  newer[at + 1] = 9;

  expect_parts(failure(newer), {"version 9", "version 1"});
}

}  // namespace
}  // namespace thalweg::trace
