// SPDX-License-Identifier: MIT
#include <thalweg/app/tracing.hpp>

#include <algorithm>
#include <cstdio>
#include <initializer_list>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/app/simulation.hpp>
#include <thalweg/trace/file.hpp>

#include "../../../tests/support/text.hpp"
#include "carried.hpp"

namespace thalweg::app {
namespace {

io::Deck trace_deck(const std::vector<std::string>& overrides) {
  return io::Deck::load("", "test.toml", trace_parameters(), overrides);
}

std::string complaint(const std::vector<std::string>& overrides, int n_ranks) {
  try {
    check_tracing(trace_deck(overrides), n_ranks);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(CheckTracing, takes_a_window_of_steps_and_ranks_there_are) {
  EXPECT_EQ(complaint({}, 1), "");
  EXPECT_EQ(complaint({"trace.steps=[1, 2]"}, 1), "");
  EXPECT_EQ(complaint({"trace.steps=[5, 9]", "trace.ranks=[2, 0]"}, 3), "");
}

TEST(CheckTracing, says_what_is_wrong) {
  for (const char* steps : {"[5]", "[5, 5]", "[5, 4]"})
    EXPECT_NE(complaint({std::string("trace.steps=") + steps}, 1).find("trace.steps = [5"),
              std::string::npos);
  const std::string message = complaint({"trace.steps=[1, 2]", "trace.ranks=[0, 3]"}, 3);
  for (const char* part : {"trace.ranks", "no rank 3", "has 3"})
    EXPECT_NE(message.find(part), std::string::npos) << message;
}

TEST(CheckRequest, says_what_is_wrong) {
  const auto complaint_of = [](const TraceRequest& request) {
    return thalweg::testing::error_of([&] {
      Complaints complaints;
      check_request(request, "--trace_steps", complaints);
      complaints.throw_if_any();
    });
  };
  EXPECT_EQ(complaint_of({}), "");
  EXPECT_EQ(complaint_of({"t", {}}), "");
  EXPECT_EQ(complaint_of({"t", {3, 5}}), "");
  EXPECT_NE(complaint_of({"t", {5, 5}}).find("--trace_steps 5 5 (it takes the first step"),
            std::string::npos);
  EXPECT_NE(complaint_of({"", {3, 5}}).find("--trace_steps without --trace"), std::string::npos);
}

using Made = std::unique_ptr<Simulation<testing::Carried>>;

Made spot(const Context& context) {
  return testing::made(context, testing::carried_spot(), testing::settings());
}

/// The same, with a source that ruins a cell in step 1 where that is longer than half of what its
/// dt would be: so it is taken again once.
Made spot_that_retries_step_1(const Context& context) {
  const double dt = spot(context)->time_state().dt;
  auto problem = testing::carried_spot();
  problem.source = [dt](const View<double, 2>& cells, const Box<2>& region,
                        const step::SourceStep& step) {
    const Index<2> corner{{29, 22}};
    // The source acts for half a step at once.
    if (step.level == 0 && step.time == 0 && step.dt > 0.3 * dt && region.contains(corner))
      cells[0, corner] = std::numeric_limits<double>::quiet_NaN();
  };
  return testing::made(context, problem, testing::settings());
}

/// Trace 8 steps on 3 ranks and read the file back.
std::vector<trace::RankTrace> traces_of(const std::vector<std::string>& overrides,
                                        Made (*make)(const Context&) = spot) {
  const auto settings = trace_deck(overrides);
  io::MemoryFileSystem files;
  const auto done = testing::on_ranks(3, files, [&](const Context& context) {
    Tracing tracing(settings, context.transport.rank(), 1);
    Context traced = context;
    traced.execution.executor.sink = tracing.sink();
    const auto simulation = make(traced);
    EXPECT_FALSE(tracing.has_traced(0, 0));
    ASSERT_TRUE(simulation->advance_to(8));
    EXPECT_TRUE(tracing.has_traced(0, 8));
    const auto written = tracing.write(context, "trace.pftrace", "trace.steps", 0, 8);
    if (!written) throw std::runtime_error(written.error().message);
  });
  EXPECT_TRUE(done) << done.error().message;
  auto traces = trace::read_traces(io::read_text(files, "trace.pftrace").value(), "trace");
  EXPECT_TRUE(traces) << traces.error().message;
  return traces.value_or(std::vector<trace::RankTrace>{});
}

TEST(Tracing, writes_the_parts_of_all_ranks_into_one_file) {
  const auto traces = traces_of({"trace.steps=[3, 6]"});

  ASSERT_EQ(traces.size(), 3u);
  for (std::uint32_t rank = 0; rank < 3; ++rank) {
    EXPECT_EQ(traces[rank].rank, Rank(rank));
    EXPECT_EQ(traces[rank].n_ranks, 3u);
    EXPECT_EQ(traces[rank].steps, (trace::StepWindow{3, 6}));
    EXPECT_EQ(traces[rank].n_dropped, 0u);
  }
}

TEST(Tracing, holds_the_steps_asked_for_and_the_regrid_between_them) {
  // Regrids come after every second step: runs are steps 3 and 4, a regrid, steps 5 and 6.
  const auto traces = traces_of({"trace.steps=[3, 6]"});

  for (const trace::RankTrace& trace : traces) {
    ASSERT_GE(trace.runs.size(), 3u);
    EXPECT_EQ(trace.runs.front().first_step, 3u);
    EXPECT_EQ(trace.runs.back().first_step, 5u);
    for (std::size_t r = 1; r + 1 < trace.runs.size(); ++r)
      EXPECT_EQ(trace.runs[r].first_step, std::nullopt);
    for (std::size_t r = 1; r < trace.runs.size(); ++r)
      EXPECT_EQ(trace.runs[r].ordinal, trace.runs[r - 1].ordinal + 1);
  }
}

TEST(Tracing, holds_the_putting_back_of_a_rejected_step_whatever_steps_are_asked_for) {
  for (const char* steps : {"trace.steps=[1, 2]", "trace.steps=[1, 4]"})
    for (const trace::RankTrace& trace : traces_of({steps}, spot_that_retries_step_1))
      EXPECT_EQ(std::ranges::count(trace.runs, 1u, &trace::RunInfo::first_step), 3)
          << "not rejected, put back and taken again";
}

TEST(Tracing, leaves_other_ranks_alone) {
  const auto traces = traces_of({"trace.steps=[3, 6]", "trace.ranks=[2, 0]"});

  ASSERT_EQ(traces.size(), 2u);
  EXPECT_EQ(traces[0].rank, Rank(0));
  EXPECT_EQ(traces[1].rank, Rank(2));
}

TEST(LeaveTrace, warns_on_stderr_alone) {
  io::MemoryFileSystem files;
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  const auto done = testing::on_ranks(1, files, [](const Context& context) {
    Logger log(stdout, context.transport.rank());
    const Context said{context.transport, context.clock, context.files, log, context.execution};
    const TraceRequest request{"t", {5, 6}};
    leave_trace(Tracing(request, 1), said, request, "--steps", 0, 2);
  });
  EXPECT_TRUE(done) << done.error().message;
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            "warning: no trace: --steps 5 6 has none of the run's steps, 1 to 2\n");
}

TEST(Tracing, counts_what_it_has_no_room_for) {
  const auto traces = traces_of({"trace.steps=[3, 6]", "trace.max_events=10"});

  for (const trace::RankTrace& trace : traces) {
    EXPECT_EQ(trace.events[0].size(), 10u);
    EXPECT_GT(trace.n_dropped, 0u);
  }
}

TEST(Tracing, has_traced_where_the_run_made_one_of_the_steps) {
  const Tracing tracing(trace_deck({"trace.steps=[4, 6]"}), Rank(0), 1);  // steps 4 and 5
  EXPECT_FALSE(tracing.has_traced(0, 3));
  EXPECT_TRUE(tracing.has_traced(0, 4));
  EXPECT_TRUE(tracing.has_traced(4, 5));
  EXPECT_FALSE(tracing.has_traced(5, 9));
}

TEST(Tracing, is_nothing_where_no_steps_are_asked_for) {
  Tracing tracing(trace_deck({}), Rank(0), 4);

  EXPECT_EQ(tracing.sink(), nullptr);
  EXPECT_FALSE(tracing.has_traced(0, 1'000'000));
}

}  // namespace
}  // namespace thalweg::app
