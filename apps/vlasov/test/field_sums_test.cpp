// SPDX-License-Identifier: MIT
#include <thalweg/vlasov/field_sums.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <span>
#include <vector>

#include <gtest/gtest.h>

namespace thalweg::vlasov {
namespace {

/// The greatest error of the field of rho = 1 + cos(x) + cos(3 x) on n points, in two stretches.
double error_on(int n) {
  const double dx = 2 * std::numbers::pi / n;
  std::vector<double> charge;
  for (int i = -rise_reads_below; i < n + rise_reads_above; ++i)
    charge.push_back(std::cos(i * dx) + std::cos(3 * i * dx) + 0.125);  // the mean is taken out
  std::vector<double> level(static_cast<std::size_t>(n));
  const auto middle = static_cast<std::size_t>(n / 3);
  const auto both = std::span(charge);
  const FieldSums first = add_up_field(both.first(middle + 5), dx, std::span(level).first(middle));
  const FieldSums second = add_up_field(both.subspan(middle), dx, std::span(level).subspan(middle));
  const FieldSums total = first.then(second);
  double error = 0;
  for (int i = 0; i < n; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const double e = field_at(at < middle ? FieldSums{} : first, total, level[at], dx, i);
    error = std::max(error, std::abs(e - std::sin(i * dx) - std::sin(3 * i * dx) / 3));
  }
  return error;
}

TEST(FieldOfSums, is_of_sixth_order) {
  const double coarse = error_on(24), fine = error_on(48);

  EXPECT_GT(std::log2(coarse / fine), 5.8);
  EXPECT_LT(fine, 2e-5);
}

TEST(FieldSums, count_what_is_joined) {
  const FieldSums a{.n = 2, .charge = 1, .current = 3, .rise = 4, .level = 5};
  const FieldSums b{.n = 3, .charge = 2, .current = 1, .rise = 7, .level = 6};
  const FieldSums both = a.then(b);

  EXPECT_EQ(both.n, 5);
  EXPECT_EQ(both.charge, 3);
  EXPECT_EQ(both.current, 4);
  EXPECT_EQ(both.rise, 11);
  EXPECT_EQ(both.level, 5 + 6 + 4 * 3);
}

}  // namespace
}  // namespace thalweg::vlasov
