// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <span>
#include <thalweg/core/exact_sum.hpp>
#include <thalweg/core/random.hpp>
#include <thalweg/core/subnormals_are_zero.hpp>
#include <vector>

namespace thalweg {
namespace {

constexpr double largest = std::numeric_limits<double>::max();
constexpr double smallest = std::numeric_limits<double>::denorm_min();
constexpr double infinity = std::numeric_limits<double>::infinity();

__extension__ using Wide = __int128;  // no ISO C++ type is wide enough

double sum_of(const std::vector<double>& numbers) {
  ExactSum sum;
  for (const double x : numbers) sum.add(x);
  return sum.value();
}

std::uint64_t bits(double x) {
  return std::bit_cast<std::uint64_t>(x);
}

/// A random sign and mantissa at a random binary exponent in [0, spread).
std::int64_t random_mantissa(SplitMix64& random) {
  const auto m = static_cast<std::int64_t>(random() >> 11);
  return random.below(2) == 0 ? m : -m;
}

void shuffle(std::vector<double>& numbers, SplitMix64& random) {
  for (std::size_t i = numbers.size(); i > 1; --i)
    std::swap(numbers[i - 1], numbers[random.below(i)]);
}

TEST(ExactSum, known_sums_are_correctly_rounded) {
  EXPECT_EQ(sum_of({}), 0.0);
  EXPECT_EQ(sum_of({0.1, 0.2, 0.3}), 0.6);  // plain addition gives 0.6000000000000001
  EXPECT_EQ(sum_of({1e16, 1.0, -1e16}), 1.0);
  EXPECT_EQ(sum_of({1e308, 1.0, -1e308}), 1.0);
  EXPECT_EQ(sum_of({-1.5, 0.25}), -1.25);
  EXPECT_EQ(sum_of({5.0, -5.0}), 0.0);
}

TEST(ExactSum, ties_go_to_even_and_anything_more_goes_up) {
  const double half_ulp = std::ldexp(1.0, -53);  // of 1.0
  EXPECT_EQ(sum_of({1.0, half_ulp}), 1.0);
  EXPECT_EQ(sum_of({1.0, 2 * half_ulp, half_ulp}), 1.0 + 4 * half_ulp);
  EXPECT_EQ(sum_of({1.0, half_ulp, smallest}), 1.0 + 2 * half_ulp);
  EXPECT_EQ(sum_of({1.0, half_ulp, -smallest}), 1.0);
  EXPECT_EQ(sum_of({-1.0, -half_ulp, -smallest}), -1.0 - 2 * half_ulp);
  EXPECT_EQ(sum_of({2.0, -half_ulp}), 2.0);
}

TEST(ExactSum, subnormals_are_exact) {
  EXPECT_EQ(sum_of({smallest, smallest, smallest}), 3 * smallest);
  EXPECT_EQ(sum_of({1.0, smallest, -1.0}), smallest);
  const double least_normal = std::numeric_limits<double>::min();
  EXPECT_EQ(sum_of({least_normal, -smallest}), least_normal - smallest);
}

TEST(ExactSum, passes_beyond_the_largest_double_and_comes_back) {
  EXPECT_EQ(sum_of({largest, largest, -largest}), largest);
  EXPECT_EQ(sum_of({largest, largest, 1.0, -largest, -largest}), 1.0);
  EXPECT_EQ(sum_of({largest, largest}), infinity);
  EXPECT_EQ(sum_of({-largest, -largest}), -infinity);
  EXPECT_EQ(sum_of(std::vector<double>(1000, -largest)), -infinity);
}

TEST(ExactSum, agrees_with_integer_arithmetic_of_128_bits) {
  SplitMix64 random(1);
  for (int round = 0; round < 500; ++round) {
    const int scale = static_cast<int>(random.below(1900)) - 1074;
    const int n = 1 + static_cast<int>(random.below(200));
    std::vector<double> numbers;
    Wide expected = 0;
    for (int i = 0; i < n; ++i) {
      const int shift = static_cast<int>(random.below(60));
      const std::int64_t mantissa = random_mantissa(random);
      numbers.push_back(std::ldexp(static_cast<double>(mantissa), scale + shift));
      expected += static_cast<Wide>(mantissa) << shift;
    }

    // The conversion rounds to nearest even; scaling is exact, for no result is subnormal and
    // inexact.
    EXPECT_EQ(bits(sum_of(numbers)), bits(std::ldexp(static_cast<double>(expected), scale)));
  }
}

TEST(ExactSum, has_the_same_bits_in_any_order_and_any_grouping) {
  SplitMix64 random(2);
  std::vector<double> numbers;
  for (int i = 0; i < 3000; ++i)
    numbers.push_back(std::ldexp(static_cast<double>(random_mantissa(random)),
                                 static_cast<int>(random.below(1900)) - 1074));
  for (int i = 0; i < 1500; ++i) numbers.push_back(-numbers[static_cast<std::size_t>(i)]);
  const std::uint64_t expected = bits(sum_of(numbers));

  for (int round = 0; round < 20; ++round) {
    shuffle(numbers, random);
    ExactSum total;
    for (std::size_t i = 0; i < numbers.size();) {
      const std::size_t end = std::min(i + 1 + random.below(700), numbers.size());
      ExactSum part;
      for (; i < end; ++i) part.add(numbers[i]);
      const ExactSum sent = ExactSum::from_limbs(part.limbs());
      random.below(2) == 0 ? total.merge(sent) : total.merge(part);
    }
    ASSERT_EQ(bits(total.value()), expected) << "round " << round;
  }
}

TEST(ExactSum, many_numbers_at_once_have_the_limbs_of_one_by_one) {
  SplitMix64 random(3);
  const int spreads[] = {0, 20, 60, 300, 2046};  // of exponents
  for (int round = 0; round < 2000; ++round) {
    const int spread = spreads[round % 5];
    const int lowest =
        -1074 + static_cast<int>(random.below(static_cast<std::uint64_t>(2046 - spread) + 1));
    std::vector<double> numbers(random.below(600));
    for (double& x : numbers) {
      const int exponent =
          lowest + static_cast<int>(random.below(static_cast<std::uint64_t>(spread) + 1));
      const auto mantissa = static_cast<double>(random_mantissa(random));
      x = random.below(8) == 0 ? 0.0 : std::ldexp(mantissa * 0x1p-53, exponent);
    }

    ExactSum at_once, one_by_one;
    at_once.add(numbers);
    for (const double x : numbers) one_by_one.add(x);

    ASSERT_EQ(at_once.limbs(), one_by_one.limbs()) << "round " << round;
  }
}

TEST(ExactSum, small_numbers_at_once_are_exact_where_subnormals_are_zero) {
  SplitMix64 random(5);
  for (int lowest = -1000; lowest < -850; ++lowest) {
    std::vector<double> numbers(600);
    for (double& x : numbers)
      x = std::ldexp(static_cast<double>(random_mantissa(random)) * 0x1p-53, lowest);
    ExactSum at_once, one_by_one;
    {
      const SubnormalsAreZero as_in_tasks;
      at_once.add(numbers);
      for (const double x : numbers) one_by_one.add(x);
    }
    ASSERT_EQ(at_once.limbs(), one_by_one.limbs()) << lowest;
  }
}

TEST(ExactSum, subnormals_beside_larger_numbers_count_also_where_they_are_zero) {
  const double tiny = 1.5e-308;
  std::vector<double> numbers(102, tiny);
  numbers.front() = 1.0;
  numbers.back() = -1.0;
  const auto sums_agree = [&] {
    const std::span<const double> all(numbers);
    ExactSum at_once, one_by_one, in_parts;
    at_once.add(all);
    for (const double x : numbers) one_by_one.add(x);
    in_parts.add(all.first(1));
    in_parts.add(all.subspan(1, 100));
    in_parts.add(all.last(1));
    EXPECT_EQ(at_once.limbs(), one_by_one.limbs());
    EXPECT_EQ(at_once.limbs(), in_parts.limbs());
    return at_once.value();
  };
  const double expected = sums_agree();
  EXPECT_EQ(expected, 100 * tiny);
  const SubnormalsAreZero as_in_tasks;
  EXPECT_EQ(sums_agree(), expected);
}

TEST(ExactSum, many_of_the_largest_and_the_smallest_at_once_are_exact) {
  std::vector<double> numbers(600, largest);
  numbers.resize(1200, -largest);
  numbers.push_back(smallest);
  ExactSum sum;
  sum.add(numbers);
  EXPECT_EQ(sum.value(), smallest);
}

TEST(ExactSum, limbs_of_equal_sums_are_equal) {
  ExactSum a, b;
  for (const double x : {1.0, 2.0, -3.5}) a.add(x);
  for (const double x : {-0.25, -0.25}) b.add(x);

  EXPECT_EQ(a.limbs(), b.limbs());
}

/// What plain addition gives where a term is not finite, but always with the same bits.
TEST(ExactSum, of_what_is_not_finite_is_what_it_would_be_in_any_order_and_grouping) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  struct Case {
    std::vector<double> numbers;
    double sum;
  };
  const Case cases[] = {
      {{1.0, infinity, -largest}, infinity}, {{-infinity, largest, largest, -infinity}, -infinity},
      {{infinity, 2.0, -infinity}, nan},     {{0.0, -nan, -0.0}, nan},
      {{nan, 1.0, infinity}, nan},           {{-1.0, -nan, 3e-320}, nan}};
  for (Case c : cases) {
    std::ranges::sort(c.numbers, {}, bits);
    do {
      EXPECT_EQ(bits(sum_of(c.numbers)), bits(c.sum));
      for (std::size_t cut = 0; cut <= c.numbers.size(); ++cut) {
        const std::span<const double> all(c.numbers);
        ExactSum first, second;
        first.add(all.first(cut));
        second.add(all.subspan(cut));
        first.merge(ExactSum::from_limbs(second.limbs()));
        EXPECT_EQ(bits(first.value()), bits(c.sum));
      }
    } while (std::ranges::next_permutation(c.numbers, {}, bits).found);
  }
}

TEST(ExactSum, of_many_numbers_at_once_sees_one_that_is_not_finite) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double most : {0.0, 1.0, largest})
    for (const std::size_t place : {0U, 100U, 255U, 256U, 299U}) {
      std::vector<double> numbers(300, most);
      numbers[150] = most / 3;
      const auto sum_with = [&](double x) {
        numbers[place] = x;
        ExactSum sum;
        sum.add(numbers);
        return bits(sum.value());
      };
      EXPECT_EQ(sum_with(nan), bits(nan)) << most << " " << place;
      EXPECT_EQ(sum_with(infinity), bits(infinity)) << most << " " << place;
      EXPECT_EQ(sum_with(-infinity), bits(-infinity)) << most << " " << place;
    }
}

}  // namespace
}  // namespace thalweg
