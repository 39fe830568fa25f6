// SPDX-License-Identifier: MIT
#include <thalweg/cholesky/run.hpp>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/trace/file.hpp>

#include "../../../tests/support/proxy_run.hpp"

namespace thalweg::cholesky {
namespace {

struct Outcome : testing::ProxyOutcome<RunFacts> {
  io::MemoryFileSystem files;
};

/// Run on virtual ranks, under a random schedule.
void run_on(const Options& options, Outcome& outcome) {
  static const OpenBlas blas = OpenBlas::load().value();
  const int n_ranks = options.layout().n_ranks();
  std::vector<std::int64_t> info(static_cast<std::size_t>(n_ranks), -1);
  testing::run_proxy(n_ranks, options.execution, outcome.files, outcome,
                     [&](const app::Context& context) {
                       const auto end = run(options, blas, context);
                       if (end) info[context.transport.rank()()] = end->info;
                       return end;
                     });
  for (const auto of_rank : info) EXPECT_EQ(of_rank, outcome.facts.info);
}

TEST(Run, says_how_good_the_factor_is) {
  Outcome outcome;
  run_on({.n = 50, .tile = 8, .grid = {{1, 2}}, .bump = 50, .check = true, .repeat = 2}, outcome);
  ASSERT_EQ(outcome.error, "");
  EXPECT_TRUE(outcome.facts.is_good());
  EXPECT_LT(outcome.facts.factor_residual.value(), 1);
  EXPECT_LT(outcome.facts.solution_residual.value(), 1);
  EXPECT_NE(outcome.printed.find("50 x 50, precision d, triangle L, tiles of 8, grid 1x2"),
            std::string::npos);
  const auto first = outcome.printed.find("factorised in ");
  ASSERT_NE(first, std::string::npos);
  EXPECT_NE(outcome.printed.find("factorised in ", first + 1), std::string::npos);
  EXPECT_NE(outcome.printed.find("residual of the factor"), std::string::npos);
}

TEST(Run, has_the_same_fingerprint_on_any_ranks) {
  for (const auto precision : {Precision::s, Precision::d, Precision::c, Precision::z})
    for (const auto uplo : {Uplo::lower, Uplo::upper}) {
      const Options options{.n = 30,
                            .tile = 7,
                            .grid = {{1, 1}},
                            .uplo = uplo,
                            .precision = precision,
                            .bump = 30,
                            .fingerprint = true};
      Options other = options;
      other.grid = {{3, 2}};
      other.broadcast = Broadcast::tree;
      Outcome one, six;
      run_on(options, one);
      run_on(other, six);
      ASSERT_EQ(one.error + six.error, "");
      EXPECT_NE(one.facts.hash, 0U);
      EXPECT_EQ(six.facts.hash, one.facts.hash);
    }
}

TEST(Run, without_a_factor_says_which_minor_on_all_ranks) {
  Outcome outcome;
  run_on({.n = 20,
          .tile = 3,
          .grid = {{2, 2}},
          .bump = 0.7,
          .check = true,
          .repeat = 3,
          .fingerprint = true},
         outcome);
  ASSERT_EQ(outcome.error, "");
  EXPECT_GT(outcome.facts.info, 0);
  EXPECT_FALSE(outcome.facts.is_good());
  EXPECT_NE(
      outcome.printed.find("order " + std::to_string(outcome.facts.info) + " is not positive"),
      std::string::npos);
  EXPECT_EQ(outcome.printed.find("residual"), std::string::npos);
  EXPECT_EQ(outcome.facts.hash, 0U) << outcome.printed;
}

TEST(Run, of_nothing_is_good) {
  Outcome outcome;
  run_on({.n = 0, .grid = {{1, 2}}, .check = true}, outcome);
  EXPECT_EQ(outcome.error, "");
  EXPECT_TRUE(outcome.facts.is_good());
}

TEST(Run, leaves_a_trace_with_all_tasks_of_all_ranks) {
  Outcome outcome;
  run_on({.n = 20, .tile = 5, .grid = {{1, 2}}, .bump = 20, .repeat = 2, .trace = "t"}, outcome);
  ASSERT_EQ(outcome.error, "");
  const auto text = io::read_text(outcome.files, "t");
  ASSERT_TRUE(text);
  const auto traces = trace::read_traces(*text, "t");
  ASSERT_TRUE(traces) << traces.error().message;
  std::size_t n_tasks = 0;
  for (const auto& rank : *traces)
    for (const auto& worker : rank.events)
      for (const auto& event : worker) n_tasks += event.kind == trace::EventKind::task;
  // Of four tile rows, twice: 4 potrf, 6 trsm, 6 herk, 4 gemm.
  EXPECT_EQ(n_tasks, 2U * 20);
}

TEST(RunFacts, are_good_up_to_the_threshold) {
  EXPECT_TRUE((RunFacts{.factor_residual = 29.0}).is_good());
  EXPECT_FALSE((RunFacts{.factor_residual = 31.0}).is_good());
  EXPECT_FALSE((RunFacts{.solution_residual = 31.0}).is_good());
  EXPECT_FALSE((RunFacts{.solution_residual = std::nan("")}).is_good());
  EXPECT_FALSE((RunFacts{.info = 1}).is_good());
}

}  // namespace
}  // namespace thalweg::cholesky
