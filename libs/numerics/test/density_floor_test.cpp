// SPDX-License-Identifier: MIT
#include <thalweg/numerics/density_floor.hpp>

#include <array>

#include <gtest/gtest.h>

#include <thalweg/numerics/detail/apply_fluxes.hpp>

#include "advection.hpp"
#include "layered_gas.hpp"
#include "owned.hpp"

namespace thalweg::numerics {
namespace {

/// A gas with a density floor.
template <int D>
struct FlooredGas : test::LayeredGas<D> {
  double least = 0;
  double density_floor() const { return least; }
};

static_assert(FlooredSystem<FlooredGas<1>>);
static_assert(!FlooredSystem<test::Advection<1>>);

// Four cells: densities, momenta, energies.
constexpr std::array<double, 12> before{4, 1, 0.5, -1, 8, 2, 3, 1, 2, 7, 5, 1};

template <int D = 1>
FlooredGas<D> gas_with(double least) {
  FlooredGas<D> gas;
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

TEST(DensityFloor, counts_what_a_step_raises_in_all_rows) {
  const auto valid = Box<2>::cube(2);
  test::Owned<2> u(valid, 4), along_x(faces_of(valid, 0), 4), along_y(faces_of(valid, 1), 4);
  u.fill([](int, const Index<2>&) { return 1.0; });
  for (auto* flux : {&along_x, &along_y}) flux->fill([](int, const Index<2>&) { return 0.0; });
  StepReport<2> report{.flux = {along_x(), along_y()}};

  detail::apply_fluxes(gas_with<2>(2), ConstView<2>(u()), u(), valid, {0.1, {{1.0, 1.0}}}, report);

  EXPECT_EQ(report.fallbacks.raised_states, 4);
}

}  // namespace
}  // namespace thalweg::numerics
