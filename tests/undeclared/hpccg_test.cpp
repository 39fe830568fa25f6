// SPDX-License-Identifier: MIT
// No false alarm and no data race: conjugate gradients in all formats, plain and pipelined.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/comm/transport_alone.hpp>
#include <thalweg/core/clock.hpp>
#include <thalweg/flow/access_checker.hpp>

#include "../../apps/hpccg/solver/test/on_ranks.hpp"

namespace thalweg::hpccg {
namespace {

constexpr Index<3> all{{10, 6, 6}};

CgSettings settings_of(Method method) {
  return {.method = method, .n_blocks = 3, .max_iterations = 6, .tolerance = 1e-12, .n_workers = 2};
}

template <class A>
void expect_nothing_found(Index<3> ranks, const CgSettings& settings) {
  testing::Solved solved;
  solved.x.resize(static_cast<std::size_t>(product(all)));
  flow::AccessChecker checker;
  comm::SimNetwork network({.n_ranks = product(ranks)});
  const auto done = network.run([&](flow::Transport& transport) {
    flow::UniformPicker picker(transport.rank()());
    flow::Executor executor({.picker = &picker, .checker = &checker}, transport, network.clock());
    testing::solve<A>(all, ranks, settings, transport, executor, solved);
  });
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(solved.residuals.size(), 7u);
  EXPECT_EQ(checker.findings(), std::vector<std::string>{});
  EXPECT_EQ(checker.n_merged(), 0u) << "of " << checker.n_checked();
  EXPECT_GT(checker.n_checked(), 0u);
}

TEST(Hpccg, declares_all_it_uses) {
  for (const auto method : {Method::plain, Method::pipelined})
    for (const Index<3> ranks : {Index<3>{{1, 1, 1}}, Index<3>{{1, 1, 3}}, Index<3>{{2, 1, 1}}}) {
      expect_nothing_found<CsrStencil>(ranks, settings_of(method));
      expect_nothing_found<SellStencil>(ranks, settings_of(method));
      expect_nothing_found<MatrixFreeStencil>(ranks, settings_of(method));
    }
  CgSettings by_rows = settings_of(Method::plain);
  by_rows.sum_order = SumOrder::rows;
  expect_nothing_found<SellStencil>({{1, 1, 2}}, by_rows);
}

TEST(Hpccg, has_no_data_race_on_two_threads) {
  for (const auto method : {Method::plain, Method::pipelined}) {
    CgSettings settings = settings_of(method);
    settings.n_blocks = 6;
    const testing::Solved expected = testing::solve_on({{1, 1, 1}}, all, settings);
    for (const auto model : {flow::Model::forkjoin, flow::Model::phase, flow::Model::dataflow}) {
      settings.model = model;
      testing::Solved solved;
      solved.x.resize(expected.x.size());
      comm::AloneTransport transport;
      const SteadyClock clock;
      flow::Executor executor({.n_workers = 2}, transport, clock);
      testing::solve<SellStencil>(all, {{1, 1, 1}}, settings, transport, executor, solved);
      EXPECT_EQ(solved, expected);
    }
  }
}

}  // namespace
}  // namespace thalweg::hpccg
