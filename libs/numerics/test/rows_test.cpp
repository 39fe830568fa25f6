// SPDX-License-Identifier: MIT
#include <thalweg/numerics/rows.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

namespace thalweg::numerics {
namespace {

TEST(ForEachInRow, visits_every_place_for_any_length) {
  for (int n = 0; n < 20; ++n) {
    std::vector<int> visits(20, 0);
    for_each_in_row(n, [at = visits.data()](int i) { at[i] += i + 1; });
    for (int i = 0; i < 20; ++i)
      EXPECT_EQ(visits[static_cast<std::size_t>(i)], i < n ? i + 1 : 0) << "n " << n;
  }
}

TEST(ComputeRow, writes_every_place_and_no_other_for_any_length) {
  for (int n = 0; n <= 40; ++n) {
    std::vector<int> written(50, 0);
    compute_row(n, [at = written.data()](int i) { at[i] = i + 1; });
    for (int i = 0; i < 50; ++i)
      EXPECT_EQ(written[static_cast<std::size_t>(i)], i < n ? i + 1 : 0) << "n " << n;
  }
}

TEST(AnyInRow, finds_the_one_place_wherever_it_is) {
  for (int n = 1; n < 20; ++n)
    for (int hit = 0; hit < n; ++hit) EXPECT_TRUE(any_in_row(n, [hit](int i) { return i == hit; }));
  EXPECT_FALSE(any_in_row(7, [](int i) { return i == 7; }));
}

/// What kernels of schemes are made of: quotients, roots, choices, sums of products.
double point(double x, double y) {
  const double w = std::sqrt(x / (0.1 + y * y)), v = x * y - w;
  return (v > 0 ? std::min(v, 1.0 / x) : std::max(v, -w)) + std::copysign(0.3 * w, y) * x;
}

TEST(ForEachInRow, has_the_same_bits_by_eights) {
  if (!has_vectors_of_eight()) GTEST_SKIP() << "this processor has no AVX-512";
  std::vector<double> x(40), y(40);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = std::exp(std::sin(7.0 * static_cast<double>(i)));
    y[i] = std::cos(3.0 * static_cast<double>(i));
  }
  for (int n = 0; n <= 40; ++n) {
    std::vector<double> portable(40, 0.0), by_eights(40, 0.0), by_whole_vectors(40, 0.0);
    const auto into = [&](std::vector<double>& to) {
      return [to = to.data(), x = x.data(), y = y.data()](int i) { to[i] = point(x[i], y[i]); };
    };
    detail::visit_row(n, into(portable));
    detail::visit_row_by_eights(n, into(by_eights));
    compute_row(n, into(by_whole_vectors));
    for (std::size_t i = 0; i < 40; ++i)
      for (const auto& numbers : {by_eights, by_whole_vectors})
        EXPECT_EQ(std::bit_cast<std::uint64_t>(portable[i]),
                  std::bit_cast<std::uint64_t>(numbers[i]))
            << "place " << i << " of " << n;
  }
}

TEST(AnyInRow, finds_the_same_by_eights) {
  if (!has_vectors_of_eight()) GTEST_SKIP() << "this processor has no AVX-512";
  for (int n = 1; n < 40; ++n)
    for (int hit = 0; hit <= n; ++hit) {
      const auto is_hit = [hit](int i) { return i == hit; };
      EXPECT_EQ(detail::finds_in_row_by_eights(n, is_hit), hit < n);
      EXPECT_EQ(detail::finds_in_row(n, is_hit), hit < n);
    }
}

TEST(MaxInRow, is_the_largest_and_passes_over_nans) {
  const std::vector<double> x{1.0, std::nan(""), 5.0, 3.0, -7.0, 4.0, 2.0};

  EXPECT_EQ(max_in_row(7, 0.0, [at = x.data()](int i) { return at[i]; }), 5.0);
  EXPECT_EQ(max_in_row(7, 6.0, [at = x.data()](int i) { return at[i]; }), 6.0);
}

TEST(ForEachAxis, goes_through_the_axes_in_order) {
  std::vector<int> axes;
  for_each_axis<3>([&](auto axis) { axes.push_back(axis); });
  EXPECT_EQ(axes, (std::vector<int>{0, 1, 2}));
}

}  // namespace
}  // namespace thalweg::numerics
