// SPDX-License-Identifier: MIT
#include <thalweg/numerics/density_floor.hpp>

#include <array>

#include <gtest/gtest.h>

#include "advection.hpp"
#include "layered_gas.hpp"

namespace thalweg::numerics {
namespace {

/// A gas with a density floor.
struct FlooredGas : test::LayeredGas<1> {
  double least = 0;
  double density_floor() const { return least; }
};

static_assert(FlooredSystem<FlooredGas>);
static_assert(!FlooredSystem<test::Advection<1>>);

// Four cells: densities, momenta, energies.
constexpr std::array<double, 12> before{4, 1, 0.5, -1, 8, 2, 3, 1, 2, 7, 5, 1};

FlooredGas gas_with(double least) {
  FlooredGas gas;
  gas.least = least;
  return gas;
}

TEST(DensityFloor, raises_thinner_states_in_proportion) {
  auto u = before;

  EXPECT_EQ(raise_to_floor(gas_with(2), 4, u.data(), 4), 2);

  EXPECT_EQ(u, (std::array<double, 12>{4, 2, 2, -1, 8, 4, 12, 1, 2, 14, 20, 1}));
}

TEST(DensityFloor, leaves_a_density_that_is_none_to_be_found) {
  auto u = before;
  raise_to_floor(gas_with(2), 4, u.data(), 4);
  EXPECT_EQ(u[3], -1);
}

TEST(DensityFloor, of_zero_is_none) {
  auto u = before;
  EXPECT_EQ(raise_to_floor(gas_with(0), 4, u.data(), 4), 0);
  EXPECT_EQ(raise_to_floor(test::Advection<1>{}, 12, u.data(), 12), 0);
  EXPECT_EQ(u, before);
}

}  // namespace
}  // namespace thalweg::numerics
