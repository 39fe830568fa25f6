// SPDX-License-Identifier: MIT
#include <thalweg/hpccg/solver/stencil.hpp>

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/core/random.hpp>

#include "on_ranks.hpp"

namespace thalweg::hpccg {
namespace {

std::vector<double> random_columns(const Grid& grid) {
  SplitMix64 random(7);
  std::vector<double> x(static_cast<std::size_t>(grid.n_columns()));
  for (double& value : x) value = static_cast<double>(random.below(1'000'000)) / 999'983 - 0.5;
  return x;
}

template <class A>
std::vector<double> product_of(const Grid& grid, const std::vector<double>& x) {
  const A a(grid);
  std::vector<double> y(static_cast<std::size_t>(a.n_rows()));
  for (std::int64_t begin = 0; begin < a.n_rows(); begin += a.piece_rows())
    a.apply({begin, begin + a.piece_rows()}, x,
            std::span(y).subspan(static_cast<std::size_t>(begin),
                                 static_cast<std::size_t>(a.piece_rows())));
  return y;
}

/// Point by point, in the order of points.
std::vector<double> plain_product(const Grid& grid, const std::vector<double>& x) {
  std::vector<double> y;
  for (std::int64_t row = 0; row < grid.n_rows(); ++row) {
    const Index<3> here = testing::global_point(grid, row) - grid.position() * grid.n();
    double sum = 0;
    for (int d = 0; d < 27; ++d) {
      const auto c = grid.column(here + Index<3>{{d % 3 - 1, d / 3 % 3 - 1, d / 9 - 1}});
      if (c) sum += (d == 13 ? 27.0 : -1.0) * x[static_cast<std::size_t>(*c)];
    }
    y.push_back(sum);
  }
  return y;
}

TEST(Stencil, all_formats_have_the_bits_of_a_plain_loop) {
  for (const Index<3> n :
       {Index<3>{{1, 1, 1}}, {{2, 3, 1}}, {{8, 2, 2}}, {{21, 3, 2}}, {{16, 1, 3}}, {{70, 3, 3}}})
    for (const Index<3> ranks : testing::grids_of_ranks({1, 2, 27}))
      for (int r = 0; r < product(ranks); r += 1 + r / 2) {
        const Grid grid(n, ranks, Rank(r));
        const auto x = random_columns(grid);
        const auto y = plain_product(grid, x);
        EXPECT_EQ(product_of<CsrStencil>(grid, x), y);
        EXPECT_EQ(product_of<SellStencil>(grid, x), y);
        EXPECT_EQ(product_of<MatrixFreeStencil>(grid, x), y);
      }
}

TEST(Stencil, stores_the_nonzeros_of_the_specification) {
  for (const int n : {1, 4, 10}) {
    const Grid grid({{n, n, n}}, {{1, 1, 1}}, Rank(0));
    const std::int64_t nonzeros = (3 * n - 2) * (3 * n - 2) * (3 * n - 2);
    EXPECT_EQ(CsrStencil(grid).n_nonzeros(), nonzeros);
    EXPECT_GE(SellStencil(grid).n_stored(), nonzeros);
    EXPECT_LE(SellStencil(grid).n_stored(), 27 * n * n * ((n + 3) / 4 * 4));
  }
}

TEST(Stencil, reads_what_it_says_and_nothing_else) {
  // Planted: where a product does not say that it reads, there is no number.
  for (const Index<3> n : {Index<3>{{2, 3, 3}}, {{7, 4, 4}}, {{40, 6, 5}}})
    for (const Index<3> ranks : testing::grids_of_ranks({1, 8})) {
      const Grid grid(n, ranks, Rank(0));
      const SellStencil a(grid);
      const auto x = random_columns(grid);
      const auto y = plain_product(grid, x);
      const std::int64_t line = a.piece_rows();
      for (std::int64_t begin = 0; begin < a.n_rows(); begin += line) {
        std::vector<double> told(x.size(), std::numeric_limits<double>::quiet_NaN());
        for (const Rows rows : a.columns_of({begin, begin + line}))
          std::copy(x.begin() + rows.begin, x.begin() + rows.end, told.begin() + rows.begin);
        std::vector<double> product(static_cast<std::size_t>(line));
        a.apply({begin, begin + line}, told, product);
        EXPECT_TRUE(std::ranges::equal(
            product, std::span(y).subspan(static_cast<std::size_t>(begin), product.size())));
      }
    }
}

}  // namespace
}  // namespace thalweg::hpccg
