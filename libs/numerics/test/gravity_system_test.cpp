// SPDX-License-Identifier: MIT
#include <thalweg/numerics/gravity_system.hpp>

#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/numerics/riemann_hlle.hpp>
#include <thalweg/numerics/update_ctu.hpp>
#include <thalweg/numerics/update_runge_kutta.hpp>
#include <thalweg/numerics/update_vl2.hpp>

#include "advection.hpp"
#include "layered_gas.hpp"
#include "owned.hpp"

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

/// What a message names is what the fluxes made of the cell, and not what gravity would make of it.
template <class S>
void expect_the_inadmissible_state_that_is_reported(std::size_t stage) {
  const S scheme{.system = test::layered_gas({{0.0, -2.0}})};
  constexpr Index<2> bad{{2, 3}};
  const Box<2> valid = Box<2>::cube(6);
  test::Owned<2> u(valid.grown(scheme.n_ghosts), 4), start(valid.grown(scheme.n_ghosts), 4);
  const auto field = [&](int c, const Index<2>& i) { return c == 3 && i == bad ? -1.0 : 1.0; };
  u.fill(field);
  start.fill(field);
  std::vector<std::byte> scratch(scheme.scratch_bytes(valid));
  const StepSize<2> step{1e-3, {{0.5, 0.25}}};

  const auto report = scheme.update_stage(stage, u(), start(), valid, step, scratch);

  ASSERT_EQ(report.inadmissible, bad);
  for (int c = 0; c < 4; ++c) {
    double expected = start[c, bad];
    for (int a = 0; a < 2; ++a) {
      const auto& flux = report.flux[static_cast<std::size_t>(a)];
      expected -= step.dt / step.dx[a] * (flux[c, bad + Index<2>::unit(a)] - flux[c, bad]);
    }
    EXPECT_EQ((u[c, bad]), expected) << c;
  }
}

TEST(GravitySystem, leaves_an_inadmissible_state_as_it_is_reported) {
  using Gas = test::LayeredGas<2>;
  expect_the_inadmissible_state_that_is_reported<Vl2<Gas, PlmVanLeer, RiemannHlle>>(1);
  expect_the_inadmissible_state_that_is_reported<RungeKutta<Gas, PlmVanLeer, RiemannHlle>>(0);
  expect_the_inadmissible_state_that_is_reported<Ctu<Gas, PlmVanLeer, RiemannHlle>>(0);
}

}  // namespace
}  // namespace thalweg::numerics
