// SPDX-License-Identifier: MIT
// Residuals and solutions have the same bits however the work is spread and scheduled.
#include <gtest/gtest.h>

#include <thalweg/core/random.hpp>

#include "on_ranks.hpp"

namespace thalweg::hpccg {
namespace {

using testing::grids_of_ranks;
using testing::one_rank;
using testing::solve_on;
using testing::Solved;

constexpr Index<3> all{{12, 12, 12}};

CgSettings settings_of(Method method, SumOrder order) {
  return {.method = method, .sum_order = order, .max_iterations = 12, .tolerance = 1e-12};
}

TEST(SameBits, with_pieces_on_all_grids_of_ranks_that_leave_lines_whole) {
  for (const auto method : {Method::plain, Method::pipelined}) {
    CgSettings settings = settings_of(method, SumOrder::pieces);
    const Solved expected = solve_on(one_rank, all, settings);
    ASSERT_EQ(expected.error, "");
    ASSERT_EQ(expected.residuals.size(), 13U);
    for (const Index<3> ranks : grids_of_ranks({1, 2, 3, 4}))
      for (const std::int64_t n_blocks : {1, 5, 1000}) {
        if (ranks[0] > 1) continue;
        settings.n_blocks = n_blocks;
        EXPECT_EQ(solve_on(ranks, all, settings), expected)
            << ranks[0] << ranks[1] << ranks[2] << " " << n_blocks;
      }
  }
}

TEST(SameBits, with_exact_sums_on_all_grids_of_ranks) {
  CgSettings settings = settings_of(Method::plain, SumOrder::exact);
  const Solved expected = solve_on(one_rank, all, settings);
  for (const Index<3> ranks : grids_of_ranks({2, 4, 6})) {
    settings.n_blocks = 1 + ranks[1];
    EXPECT_EQ(solve_on(ranks, all, settings), expected);
  }
}

TEST(SameBits, in_all_formats_and_models) {
  CgSettings settings = settings_of(Method::plain, SumOrder::pieces);
  const Solved expected = solve_on(one_rank, all, settings);
  settings.n_blocks = 7;
  for (const auto model : flow::all_models) {
    settings.model = model;
    EXPECT_EQ(solve_on<CsrStencil>({{1, 2, 2}}, all, settings), expected);
    EXPECT_EQ(solve_on<SellStencil>({{1, 1, 3}}, all, settings), expected);
    EXPECT_EQ(solve_on<MatrixFreeStencil>({{1, 1, 2}}, all, settings), expected);
  }
}

TEST(SameBits, on_nine_ranks_under_a_thousand_schedules) {
  const Index<3> small{{4, 9, 9}};
  for (const auto method : {Method::plain, Method::pipelined}) {
    CgSettings settings = settings_of(method, SumOrder::pieces);
    settings.max_iterations = 4;
    const Solved expected = solve_on(one_rank, small, settings);
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
      SplitMix64 random(seed);
      settings.n_blocks = static_cast<std::int64_t>(1 + random.below(3));
      settings.model = flow::all_models[random.below(4)];
      const Index<3> ranks = random.below(2) == 0 ? Index<3>{{1, 3, 3}} : Index<3>{{1, 1, 9}};
      ASSERT_EQ(solve_on<MatrixFreeStencil>(ranks, small, settings, seed), expected)
          << "seed " << seed;
    }
  }
}

TEST(SameBits, notices_another_order_of_sums) {
  // Planted: sums in the order of rows go on at the next rank from 0, so the bits tell the ranks.
  const CgSettings settings = settings_of(Method::plain, SumOrder::rows);
  const Solved one = solve_on(one_rank, all, settings);
  EXPECT_NE(solve_on({{1, 1, 2}}, all, settings), one);
  EXPECT_NE(solve_on(one_rank, all, settings_of(Method::plain, SumOrder::pieces)), one);
  CgSettings in_blocks = settings;
  in_blocks.n_blocks = 9;
  EXPECT_EQ(solve_on(one_rank, all, in_blocks), one);
}

}  // namespace
}  // namespace thalweg::hpccg
