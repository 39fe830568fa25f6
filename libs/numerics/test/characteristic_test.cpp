// SPDX-License-Identifier: MIT
#include <thalweg/numerics/characteristic.hpp>

#include <gtest/gtest.h>

namespace thalweg::numerics {
namespace {

/// The integral of 1 + 2 x + 3 x^2 from 0 to x.
double integral(double x) {
  return x + x * x + x * x * x;
}
constexpr double mean = 3.0;
constexpr Edges edges{1.0, 6.0};

TEST(MeanBelowUpperFace, averages_the_parabola_over_what_the_wave_sweeps) {
  for (const double share : {1.0, 0.5, 0.1})
    EXPECT_NEAR(mean_below_upper_face(mean, edges, share),
                (integral(1.0) - integral(1.0 - share)) / share, 1e-14);
}

TEST(MeanAboveLowerFace, averages_the_parabola_over_what_the_wave_sweeps) {
  for (const double share : {1.0, 0.5, 0.1})
    EXPECT_NEAR(mean_above_lower_face(mean, edges, share), integral(share) / share, 1e-14);
}

TEST(MeansAtFaces, are_the_edges_for_waves_at_rest) {
  EXPECT_EQ(mean_below_upper_face(mean, edges, 0.0), edges.upper);
  EXPECT_EQ(mean_above_lower_face(mean, edges, 0.0), edges.lower);
}

TEST(MeansAtFaces, are_the_mean_to_the_bit_in_a_flat_cell) {
  const double q = 0.1;
  EXPECT_EQ(mean_below_upper_face(q, {q, q}, 0.3), q);
  EXPECT_EQ(mean_above_lower_face(q, {q, q}, 0.3), q);
}

}  // namespace
}  // namespace thalweg::numerics
