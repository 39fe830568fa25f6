// SPDX-License-Identifier: MIT
#include <thalweg/numerics/gravity_system.hpp>

#include <gtest/gtest.h>

#include "advection.hpp"
#include "layered_gas.hpp"

namespace thalweg::numerics {
namespace {

static_assert(!GravitySystem<test::Advection<2>>);

TEST(GravitySystem, has_gravity_where_an_acceleration_acts_along_any_axis) {
  test::LayeredGas<2> gas;
  EXPECT_FALSE(has_gravity(gas));
  gas.gravity = {{0.0, -2.0}};
  EXPECT_TRUE(has_gravity(gas));
  EXPECT_EQ(acceleration_along(gas, 0), 0.0);
  EXPECT_EQ(acceleration_along(gas, 1), -2.0);
}

TEST(GravitySystem, that_none_is_has_no_gravity) {
  EXPECT_FALSE(has_gravity(test::Advection<2>{}));
  EXPECT_EQ(acceleration_along(test::Advection<2>{}, 1), 0.0);
}

}  // namespace
}  // namespace thalweg::numerics
