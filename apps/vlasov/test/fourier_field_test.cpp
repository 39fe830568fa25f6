// SPDX-License-Identifier: MIT
#include "../src/fourier_field.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

namespace thalweg::vlasov {
namespace {

/// The greatest error of the field of rho - 1 = 1/8 + cos(k x) + sin(2 k x) on n points.
double error_on(int n, double length) {
  const double k = 2 * std::numbers::pi / length;
  std::vector<double> charge, field(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) {
    const double x = i * length / n;
    charge.push_back(0.125 + std::cos(k * x) + std::sin(2 * k * x));  // the mean is taken out
  }
  FourierField(n, length).solve(charge, field);
  double error = 0;
  for (int i = 0; i < n; ++i) {
    const double x = i * length / n;
    const double exact = std::sin(k * x) / k - std::cos(2 * k * x) / (2 * k);
    error = std::max(error, std::abs(field[static_cast<std::size_t>(i)] - exact));
  }
  return error;
}

TEST(FourierField, is_exact_for_waves_on_any_number_of_points) {
  for (const int n : {5, 8, 37, 60, 64, 1024}) EXPECT_LT(error_on(n, 7.5), 1e-13) << n;
}

TEST(FourierField, is_0_where_points_can_not_tell) {
  std::vector<double> field(4, -1);
  FourierField(4, 1).solve(std::vector<double>{3, -1, 3, -1}, field);
  EXPECT_EQ(field, std::vector<double>(4, 0.0));  // two points a wave

  field.assign(1, -1);
  FourierField(1, 1).solve(std::vector<double>{3}, field);
  EXPECT_EQ(field, std::vector<double>(1, 0.0));
}

}  // namespace
}  // namespace thalweg::vlasov
