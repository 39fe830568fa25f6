// SPDX-License-Identifier: MIT
#include <thalweg/hpccg/run.hpp>

#include <string>

#include <gtest/gtest.h>

#include <thalweg/hpccg/task_times.hpp>
#include <thalweg/trace/file.hpp>

#include "../../../tests/support/proxy_run.hpp"

namespace thalweg::hpccg {
namespace {

struct Outcome : testing::ProxyOutcome<RunFacts> {
  io::MemoryFileSystem files;
};

/// Run on virtual ranks, under a random schedule.
void run_on(int n_ranks, const Options& options, Outcome& outcome) {
  testing::run_proxy(n_ranks, options.execution, outcome.files, outcome,
                     [&](const app::Context& context) { return run(options, context); });
}

TEST(Run, prints_the_lines_of_the_reference) {
  Outcome outcome;
  run_on(1, {.n = {{10, 10, 10}}, .ranks = {{1, 1, 1}}, .sum_order = SumOrder::rows}, outcome);
  ASSERT_EQ(outcome.error, "");
  const std::string expected =
      "Initial Residual = 258.24\n"
      "Iteration = 15   Residual = 2.15402e-06\nIteration = 30   Residual = 1.77614e-20\n"
      "Iteration = 45   Residual = 4.40063e-30\nIteration = 60   Residual = 3.18051e-38\n"
      "Iteration = 75   Residual = 1.69162e-48\nIteration = 90   Residual = 6.31946e-57\n"
      "Iteration = 105   Residual = 1.19084e-66\nIteration = 120   Residual = 1.18547e-75\n"
      "Iteration = 135   Residual = 1.15146e-83\nIteration = 149   Residual = 2.22672e-92\n"
      "Mini-Application Name: hpccg\n";
  EXPECT_EQ(outcome.printed.substr(0, expected.size()), expected);
  EXPECT_EQ(outcome.facts.solution.n_iterations, 149);
  EXPECT_LT(outcome.facts.largest_error, 1e-14);
}

TEST(Run, leaves_its_report_in_a_file) {
  Outcome outcome;
  ASSERT_TRUE(outcome.files.make_directory("reports"));
  run_on(2, {.n = {{3, 3, 3}}, .ranks = {{1, 1, 2}}, .max_iter = 5, .out = "reports"}, outcome);
  ASSERT_EQ(outcome.error, "");
  const auto names = outcome.files.list("reports");
  ASSERT_TRUE(names && names->size() == 1);
  EXPECT_TRUE(names->front().starts_with("hpccg-1.0_20") && names->front().ends_with(".yaml"));
  const auto text = io::read_text(outcome.files, "reports/" + names->front());
  ASSERT_TRUE(text);
  EXPECT_TRUE(text->starts_with("Mini-Application Name: hpccg\n"));
  EXPECT_TRUE(outcome.printed.ends_with(*text));
}

TEST(Run, leaves_the_reports_of_others_as_they_are) {
  Outcome outcome;
  ASSERT_TRUE(outcome.files.make_directory("reports"));
  for (int n = 1; n <= 5; ++n) {
    run_on(1, {.n = {{n, 2, 2}}, .ranks = {{1, 1, 1}}, .max_iter = 2, .out = "reports"}, outcome);
    ASSERT_EQ(outcome.error, "");
    EXPECT_EQ(std::ssize(outcome.files.list("reports").value()), n);
  }
}

TEST(Run, has_the_same_fingerprint_on_any_ranks_and_in_any_format) {
  Outcome one, three, grid;
  const Options options{.n = {{6, 6, 12}}, .ranks = {{1, 1, 1}}, .max_iter = 9};
  run_on(1, options, one);
  Options other = options;
  other.n = {{6, 6, 4}};
  other.ranks = {{1, 1, 3}};
  other.format = Format::csr;
  other.blocks = 2;
  run_on(3, other, three);
  other.n = {{6, 2, 6}};
  other.ranks = {{1, 3, 2}};
  other.format = Format::free;
  run_on(6, other, grid);
  ASSERT_EQ(one.error + three.error + grid.error, "");
  EXPECT_EQ(three.facts.residuals_hash, one.facts.residuals_hash);
  EXPECT_EQ(three.facts.solution_hash, one.facts.solution_hash);
  EXPECT_EQ(grid.facts.residuals_hash, one.facts.residuals_hash);
  EXPECT_EQ(grid.facts.solution_hash, one.facts.solution_hash);
  EXPECT_EQ(three.facts.largest_error, one.facts.largest_error);
}

TEST(Run, leaves_a_trace_with_all_tasks_of_all_ranks) {
  Outcome outcome;
  run_on(2, {.n = {{4, 4, 4}}, .ranks = {{1, 1, 2}}, .max_iter = 4, .blocks = 3, .trace = "t"},
         outcome);
  ASSERT_EQ(outcome.error, "");
  const auto text = io::read_text(outcome.files, "t");
  ASSERT_TRUE(text);
  const auto traces = trace::read_traces(*text, "t");
  ASSERT_TRUE(traces) << traces.error().message;
  ASSERT_EQ(traces->size(), 2U);
  for (const trace::RankTrace& rank : *traces) {
    std::size_t n_products = 0;
    for (const trace::Event& event : rank.events.at(0))
      n_products += event.kind == trace::EventKind::task && rank.name_of(event) == "product";
    EXPECT_EQ(n_products,
              3U * 4);  // of three blocks, before the first of three iterations and in each
  }
}

TEST(TaskTimes, add_up_by_what_tasks_are_called) {
  Outcome outcome;
  run_on(2, {.n = {{4, 4, 4}}, .ranks = {{1, 1, 2}}, .max_iter = 4}, outcome);
  // A virtual clock stands still while a task runs.
  EXPECT_EQ(outcome.facts.sparsemv_s, 0);
  TaskTimes times(2);
  const std::vector<std::string> names{"product", "update x", "reduce", "pack", "start"};
  std::vector<trace::NodeInfo> nodes(names.size());
  for (std::uint32_t i = 0; i < nodes.size(); ++i) nodes[i].name = i;
  times.describe({.names = names, .nodes = nodes});
  for (std::uint32_t i = 0; i < nodes.size(); ++i)
    times.record({.start_ns = 0, .end_ns = 1000 * (i + 1), .node = i, .worker = 1});
  EXPECT_DOUBLE_EQ(times.seconds(Part::sparsemv), 0.5e-6);
  EXPECT_DOUBLE_EQ(times.seconds(Part::waxpby), 1e-6);
  EXPECT_DOUBLE_EQ(times.seconds(Part::ddot), 1.5e-6);
  EXPECT_DOUBLE_EQ(times.seconds(Part::exchange), 2e-6);
  EXPECT_DOUBLE_EQ(times.seconds(Part::other), 2.5e-6);
}

}  // namespace
}  // namespace thalweg::hpccg
