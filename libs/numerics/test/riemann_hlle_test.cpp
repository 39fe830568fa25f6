// SPDX-License-Identifier: MIT
#include <thalweg/numerics/riemann_hlle.hpp>

#include <gtest/gtest.h>

#include "advection.hpp"

namespace thalweg::numerics {
namespace {

TEST(RiemannHlle, takes_the_upwind_flux_of_advection) {
  const test::Advection<2> system{.velocity = {{3.0, -2.0}}};

  EXPECT_DOUBLE_EQ(RiemannHlle::flux(system, {5.0}, {7.0}, 0).q, 15.0);
  EXPECT_DOUBLE_EQ(RiemannHlle::flux(system, {5.0}, {7.0}, 1).q, -14.0);
}

TEST(RiemannHlle, is_finite_where_nothing_moves) {
  const test::Advection<1> system{.velocity = {{0.0}}};

  EXPECT_EQ(RiemannHlle::flux(system, {5.0}, {7.0}, 0).q, 0.0);
}

}  // namespace
}  // namespace thalweg::numerics
