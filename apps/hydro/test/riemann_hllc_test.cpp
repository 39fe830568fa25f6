// SPDX-License-Identifier: MIT
#include <thalweg/numerics/riemann_hllc.hpp>

#include <cmath>

#include <gtest/gtest.h>

#include <thalweg/hydro/euler.hpp>
#include <thalweg/numerics/riemann_hlle.hpp>
#include <thalweg/numerics/riemann_llf.hpp>

#include "expect_near.hpp"
#include "mirrored.hpp"
#include "random_state.hpp"

namespace thalweg::hydro {
namespace {

using numerics::RiemannHllc;
using numerics::RiemannHlle;
using numerics::RiemannLlf;
using Gas = Euler<3>;

TEST(RiemannSolver, of_equal_states_gives_the_physical_flux) {
  const Gas gas{};
  SplitMix64 random(1);
  for (int n = 0; n < 1000; ++n) {
    const auto w = test::random_primitive<3>(random);
    for (int axis = 0; axis < 3; ++axis) {
      expect_near(RiemannHllc::flux(gas, w, w, axis), gas.flux(w, axis), 2e-13);
      expect_near(RiemannHlle::flux(gas, w, w, axis), gas.flux(w, axis), 2e-13);
      EXPECT_EQ(RiemannLlf::flux(gas, w, w, axis), gas.flux(w, axis));
    }
  }
}

TEST(RiemannSolver, takes_the_upwind_flux_where_all_waves_go_one_way) {
  const Gas gas{};
  const Gas::Primitive l{.rho = 1.0, .vel = {{5.0, 1.0, 2.0}}, .p = 1.0};
  const Gas::Primitive r{.rho = 0.5, .vel = {{6.0, -1.0, 0.0}}, .p = 0.7};

  EXPECT_EQ(RiemannHllc::flux(gas, l, r, 0), gas.flux(l, 0));
  expect_near(RiemannHlle::flux(gas, l, r, 0), gas.flux(l, 0), 1e-13);
}

TEST(RiemannHllc, lets_no_gas_pull_where_it_is_torn_apart) {
  const Gas gas{};  // the speed of sound is 0.75, so from a gap of 7.5 on there is a vacuum
  for (const double speed : {5.0, 20.0, 1000.0}) {
    const Gas::Primitive l{.rho = 1.0, .vel = {{-speed, 1.0, 0.0}}, .p = 0.4};
    const Gas::Primitive r{.rho = 1.0, .vel = {{speed, 1.0, 0.0}}, .p = 0.4};
    EXPECT_EQ(RiemannHllc::flux(gas, l, r, 0), (Gas::State{0.0, {}, 0.0})) << speed;
    EXPECT_LT(RiemannHlle::flux(gas, l, r, 0).mom[0], -1.0);  // so the test can tell
  }
  // A liquid does, down to its tension.
  const Euler<1, StiffenedGas> water{{.gamma = 4.4, .p_infinity = 2.0}};
  const GasPrimitive<1> l{1.0, {{-20.0}}, 0.4}, r{1.0, {{20.0}}, 0.4};
  EXPECT_EQ(RiemannHllc::flux(water, l, r, 0), (GasState<1>{0.0, {{-2.0}}, 0.0}));
}

TEST(RiemannHllc, keeps_a_contact_at_rest) {
  const Gas gas{};
  const Gas::Primitive l{.rho = 1.0, .vel = {{0.0, 1.0, 2.0}}, .p = 1.0};
  const Gas::Primitive r{.rho = 0.1, .vel = {{0.0, -3.0, 0.0}}, .p = 1.0};

  const Gas::State f = RiemannHllc::flux(gas, l, r, 0);

  EXPECT_EQ(f, (Gas::State{0.0, {{1.0, 0.0, 0.0}}, 0.0}));
  EXPECT_GT(std::abs(RiemannHlle::flux(gas, l, r, 0).rho), 0.1);  // so the test can tell
}

TEST(RiemannHlle, of_subsonic_states_is_the_flux_through_their_averaged_fan) {
  const Gas gas{};
  const Gas::Primitive l{.rho = 1.0, .vel = {}, .p = 1.0};
  const Gas::Primitive r{.rho = 0.125, .vel = {}, .p = 0.1};
  const numerics::Speeds s = gas.riemann_speeds(l, r, 0);

  const Gas::State f = RiemannHlle::flux(gas, l, r, 0);

  // Neither state has a mass or an energy flux: what is left runs down the jumps.
  const double scale = s.lo * s.hi / (s.hi - s.lo);
  EXPECT_NEAR(f.rho, scale * (0.125 - 1.0), 1e-14);
  EXPECT_NEAR(f.energy, scale * (0.25 - 2.5), 1e-14);
  EXPECT_NEAR(f.mom[0], (s.hi * 1.0 - s.lo * 0.1) / (s.hi - s.lo), 1e-14);
}

TEST(RiemannLlf, is_the_mean_flux_less_the_jump_at_the_fastest_signal) {
  const Gas gas{};
  const Gas::Primitive l{.rho = 1.0, .vel = {{-2.0, 0.0, 0.0}}, .p = 1.0};
  const Gas::Primitive r{.rho = 0.125, .vel = {{-2.0, 0.0, 0.0}}, .p = 0.1};
  const double fastest = -gas.riemann_speeds(l, r, 0).lo;  // the left one: against the stream
  EXPECT_GT(fastest, 3.0);

  const Gas::State f = RiemannLlf::flux(gas, l, r, 0);

  EXPECT_NEAR(f.rho, 0.5 * (-2.0 - 0.25) - 0.5 * fastest * (0.125 - 1.0), 1e-14);
  EXPECT_NEAR(f.mom[0], 0.5 * (5.0 + 0.6) - 0.5 * fastest * (-0.25 + 2.0), 1e-14);
}

TEST(RiemannHllc, sees_a_mirrored_problem_mirrored_to_the_bit) {
  const Gas gas{};
  SplitMix64 random(3);
  for (int n = 0; n < 1000; ++n) {
    const auto l = test::random_primitive<3>(random), r = test::random_primitive<3>(random);
    for (int axis = 0; axis < 3; ++axis) test::expect_mirrored_flux<RiemannHllc>(gas, l, r, axis);
  }
}

}  // namespace
}  // namespace thalweg::hydro
