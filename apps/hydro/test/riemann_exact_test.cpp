// SPDX-License-Identifier: MIT
#include <thalweg/hydro/riemann_exact.hpp>

#include <cmath>
#include <cstddef>

#include <gtest/gtest.h>

#include <thalweg/numerics/scheme.hpp>

#include "random_state.hpp"

namespace thalweg::hydro {
namespace {

using Gas = Euler<3>;
static_assert(numerics::RiemannSolver<RiemannExact, Gas>);

TEST(RiemannExact, of_equal_states_gives_the_physical_flux_to_the_bit) {
  const Gas gas{};
  SplitMix64 random(2);
  for (int n = 0; n < 100; ++n) {
    const auto w = test::random_primitive<3>(random);
    for (int axis = 0; axis < 3; ++axis)
      EXPECT_EQ(RiemannExact::flux(gas, w, w, axis), gas.flux(w, axis));
  }
}

TEST(RiemannExact, is_the_flux_of_the_exact_solution_with_what_the_contact_carries) {
  const Gas gas{};
  SplitMix64 random(3);
  for (int n = 0; n < 200; ++n) {
    const auto l = test::random_primitive<3>(random), r = test::random_primitive<3>(random);
    for (int axis = 0; axis < 3; ++axis) {
      const RiemannSolution fan({}, {l.rho, {{l.vel[axis]}}, l.p}, {r.rho, {{r.vel[axis]}}, r.p});
      const auto flux = RiemannExact::flux(gas, l, r, axis);
      const auto along = Euler<1>{}.flux(fan.at(0.0), 0);
      EXPECT_EQ(flux.rho, along.rho);
      const int other = (axis + 1) % 3;
      const double carried = fan.star_velocity() >= 0 ? l.vel[other] : r.vel[other];
      EXPECT_NEAR(flux.mom[other], along.rho * carried, 1e-13);
      EXPECT_NEAR(flux.mom[axis], along.mom[0], 1e-13);
    }
  }
}

TEST(RiemannExact, keeps_a_contact_at_rest_and_mirrors_to_the_bit) {
  const Gas gas{};
  const Gas::Primitive l{.rho = 1.0, .vel = {{0.0, 1.0, 2.0}}, .p = 0.7};
  const Gas::Primitive r{.rho = 0.1, .vel = {{0.0, -3.0, 0.0}}, .p = 0.7};
  EXPECT_EQ(RiemannExact::flux(gas, l, r, 0), (Gas::State{0.0, {{0.7, 0.0, 0.0}}, 0.0}));

  SplitMix64 random(4);
  for (int n = 0; n < 200; ++n) {
    const auto a = test::random_primitive<1>(random), b = test::random_primitive<1>(random);
    const auto f = RiemannExact::flux(Euler<1>{}, a, b, 0);
    const auto g =
        RiemannExact::flux(Euler<1>{}, {b.rho, -1.0 * b.vel, b.p}, {a.rho, -1.0 * a.vel, a.p}, 0);
    ASSERT_EQ(f.rho, -g.rho);
    ASSERT_EQ(f.mom[0], g.mom[0]);
    ASSERT_EQ(f.energy, -g.energy);
  }
}

TEST(RiemannExact, lets_nothing_flow_through_a_vacuum) {
  const Gas gas{};
  const Gas::Primitive l{.rho = 1.0, .vel = {{-20.0, 1.0, 0.0}}, .p = 0.4};
  const Gas::Primitive r{.rho = 1.0, .vel = {{20.0, 0.0, 1.0}}, .p = 0.4};
  EXPECT_EQ(RiemannExact::flux(gas, l, r, 0), Gas::State{});
  // Off the vacuum the fan is there: the gas streams away at 20 at either side of it.
  const RiemannSolution fan({}, {1.0, {{-20.0}}, 0.4}, {1.0, {{20.0}}, 0.4});
  EXPECT_EQ(fan.star_pressure(), 0.0);
  const double front = -20.0 + 5.0 * std::sqrt(1.4 * 0.4);
  EXPECT_EQ(fan.at(front + 1e-6).rho, 0.0);
  EXPECT_GT(fan.at(front - 0.1).rho, 0.0);
  EXPECT_GT(fan.at(-front + 0.1).rho, 0.0);
  EXPECT_EQ(fan.at(-25.0).rho, 1.0);
}

}  // namespace
}  // namespace thalweg::hydro
