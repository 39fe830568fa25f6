// SPDX-License-Identifier: MIT
#include <thalweg/vlasov/lagrange.hpp>

#include <cmath>
#include <cstddef>

#include <gtest/gtest.h>

namespace thalweg::vlasov {
namespace {

/// The weight of a point as a product over all others.
double product_weight(int degree, int point, double a) {
  double weight = 1;
  for (int other = -points_below(degree); other <= points_below(degree) + 1; ++other)
    if (other != point) weight *= (a - other) / (point - other);
  return weight;
}

template <int degree>
void expect_products() {
  for (const double a : {0.0, 0.125, 0.5, 0.7, 0.999}) {
    const auto weights = lagrange_weights<degree>(a);
    for (std::size_t p = 0; p < weights.size(); ++p)
      EXPECT_NEAR(weights[p], product_weight(degree, static_cast<int>(p) - points_below(degree), a),
                  4e-16)
          << "degree " << degree << ", a = " << a << ", point " << p;
  }
}

TEST(LagrangeWeights, are_the_products_over_the_other_points) {
  expect_products<3>();
  expect_products<5>();
  expect_products<7>();
}

TEST(LagrangeWeights, take_a_point_itself_to_the_bit) {
  const auto weights = lagrange_weights<5>(0.0);
  for (std::size_t p = 0; p < weights.size(); ++p) EXPECT_EQ(weights[p], p == 2 ? 1 : 0);
}

TEST(LebesgueConstant, is_the_sum_of_weights_in_the_middle) {
  EXPECT_DOUBLE_EQ(lebesgue_constant(3), 1.25);
  EXPECT_DOUBLE_EQ(lebesgue_constant(5), 1.390625);
  for (double a = 0; a < 1; a += 1. / 64) {
    double sum = 0;
    for (const double w : lagrange_weights<7>(a)) sum += std::abs(w);
    EXPECT_LE(sum, lebesgue_constant(7) * (1 + 1e-15));
  }
}

}  // namespace
}  // namespace thalweg::vlasov
