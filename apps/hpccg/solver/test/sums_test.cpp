// SPDX-License-Identifier: MIT
#include <thalweg/hpccg/solver/sums.hpp>

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/core/random.hpp>

namespace thalweg::hpccg {
namespace {

/// Numbers of all sizes and both signs.
std::vector<double> random_numbers(std::size_t n, std::uint64_t seed) {
  SplitMix64 random(seed);
  std::vector<double> numbers;
  for (std::size_t i = 0; i < n; ++i)
    numbers.push_back(std::ldexp(static_cast<double>(random.below(1000)) - 500,
                                 static_cast<int>(random.below(80)) - 40));
  return numbers;
}

PartialSum sum_of(SumOrder order, std::span<const double> a, std::span<const double> b,
                  std::size_t piece) {
  DotProduct product(order);
  for (std::size_t i = 0; i < a.size(); i += piece) {
    const std::size_t n = std::min(piece, a.size() - i);
    product.add(a.subspan(i, n), b.subspan(i, n));
  }
  return product.sum();
}

TEST(Sums, pieces_have_the_same_bits_in_any_order_and_grouping) {
  const auto a = random_numbers(60, 1);
  const auto b = random_numbers(60, 2);
  const std::span<const double> from_a(a), from_b(b);
  constexpr std::size_t piece = 10;
  const double all = value_of(sum_of(SumOrder::pieces, a, b, piece));
  for (std::size_t cut = 0; cut <= a.size(); cut += piece) {
    const auto low = sum_of(SumOrder::pieces, from_a.first(cut), from_b.first(cut), piece);
    const auto high = sum_of(SumOrder::pieces, from_a.subspan(cut), from_b.subspan(cut), piece);
    EXPECT_EQ(value_of(low + high), all);
    EXPECT_EQ(value_of(high + low), all);
  }
}

TEST(Sums, are_exact_where_that_is_asked_for) {
  const std::vector<double> a{1e300, 1, -1e300, 0x1p-60};
  const std::vector<double> ones(a.size(), 1);
  EXPECT_EQ(value_of(sum_of(SumOrder::exact, a, ones, 4)), 1);
  EXPECT_EQ(value_of(sum_of(SumOrder::exact, a, ones, 1)), 1);
  EXPECT_EQ(value_of(sum_of(SumOrder::rows, a, ones, 4)), 0x1p-60);
}

TEST(Sums, rows_are_added_as_a_plain_loop_does_whatever_the_pieces) {
  const auto a = random_numbers(29, 3);
  const auto b = random_numbers(29, 4);
  double plain = 0.5;
  for (std::size_t i = 0; i < a.size(); ++i) plain += a[i] * b[i];
  DotProduct first(SumOrder::rows, 0.5);
  first.add(std::span(a).first(7), std::span(b).first(7));
  DotProduct second(SumOrder::rows, first.sum().in_order);
  second.add(std::span(a).subspan(7), std::span(b).subspan(7));
  EXPECT_EQ(value_of(second.sum()), plain);
}

TEST(Sums, tell_that_a_term_is_not_finite) {
  const std::vector<double> ones(9, 1);
  std::vector<double> a(9, 1);
  a[3] = std::numeric_limits<double>::infinity();
  for (const auto order : {SumOrder::pieces, SumOrder::exact, SumOrder::rows})
    EXPECT_FALSE(std::isfinite(value_of(sum_of(order, a, ones, 9))));
  EXPECT_EQ(value_of(PartialSum{}), 0);
}

}  // namespace
}  // namespace thalweg::hpccg
