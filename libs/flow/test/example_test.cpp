// SPDX-License-Identifier: MIT
// The first program of README.md.
#include <algorithm>
#include <span>
#include <utility>

#include <gtest/gtest.h>

#include <thalweg/flow/executor.hpp>

#include "loopback.hpp"

namespace thalweg::flow {
namespace {

TEST(Example, hands_numbers_along_and_to_the_next_rank) {
  Loopback transport;
  const SteadyClock clock;
  const Rank rank(0), left(0), right(0);
  const int n_ranks = 1;

  Recorder r(rank, n_ranks);
  const auto u = r.data<double>("u", 64);
  const auto ghost = r.data<double>("ghost", 1);
  r.send(in(u.range(63, 64)), right);  // messages are nodes
  r.recv(out(ghost), left);
  r.task("step", uses(in(ghost), inout(u)), [](std::span<const double> g, std::span<double> v) {
    std::shift_right(v.begin(), v.end(), 1);
    v[0] = g[0] + 1;
  });
  Graph graph = capture(std::move(r), Model::dataflow);
  Executor executor({.n_workers = 4}, transport, clock);
  const Result<RunReport> report = executor.run(graph, 1000);

  ASSERT_TRUE(report) << report.error().message;
  for (std::size_t i = 0; i < 64; ++i)  // one more each time that it has gone round
    EXPECT_EQ(u.const_view()[i], static_cast<double>((1000 - i - 1) / 64 + 1)) << i;
}

}  // namespace
}  // namespace thalweg::flow
