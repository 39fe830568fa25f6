// SPDX-License-Identifier: MIT
#include <thalweg/numerics/riemann_hllc.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include <gtest/gtest.h>

#include <thalweg/hydro/euler.hpp>
#include <thalweg/hydro/riemann_lhllc.hpp>
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

/// How much a flux changes where the right of two equal pressures is raised by a rounding, relative
/// to the flux of momentum.
template <class Solver>
double change_by_a_rounding(double speed) {
  const Euler<1> gas{};
  const GasPrimitive<1> l{.rho = 1.0, .vel = {{speed}}, .p = 1.0};
  GasPrimitive<1> r{.rho = 1.0, .vel = {{-speed}}, .p = 1.0};
  const auto before = Solver::flux(gas, l, r, 0);
  r.p += 1e-14;
  const auto after = Solver::flux(gas, l, r, 0);
  const double change =
      std::max({std::abs(after.rho - before.rho), std::abs(after.mom[0] - before.mom[0]),
                std::abs(after.energy - before.energy) / (1 + speed)});
  return change / before.mom[0];
}

TEST(RiemannSolver, is_continuous_where_streams_of_equal_pressure_collide) {
  for (const double speed : {0.5, 1.0, 2.0, 10.0, 100.0}) {
    EXPECT_LT(change_by_a_rounding<RiemannHllc>(speed), 1e-12) << speed;
    EXPECT_LT(change_by_a_rounding<RiemannHlle>(speed), 1e-12) << speed;
    EXPECT_LT(change_by_a_rounding<RiemannLlf>(speed), 1e-12) << speed;
    EXPECT_LT(change_by_a_rounding<RiemannLhllc>(speed), 1e-12) << speed;
  }
}

/// The contact lies between the outer signals, whatever the densities and pressures.
TEST(GasSpeeds, are_outside_of_the_contact) {
  SplitMix64 random(5);
  const auto power = [&](double decades) {
    return std::pow(10.0, decades * (random.uniform() - 0.5));
  };
  for (const double gamma : {1.001, 1.4, 5.0 / 3.0, 8.0})
    for (int n = 0; n < 20000; ++n) {
      const Euler<1> gas{.eos = {.gamma = gamma}};
      GasPrimitive<1> l{.rho = power(16), .vel = {}, .p = power(40)};
      GasPrimitive<1> r{
          .rho = power(16), .vel = {}, .p = n % 3 == 0 ? l.p * (1 + 1e-15) : power(40)};
      const double c = std::sqrt(std::max(l.p / l.rho, r.p / r.rho));
      l.vel[0] = (n % 2 == 0 ? -c : c) * power(12);
      r.vel[0] = n % 5 == 0 ? -l.vel[0] : c * power(12);
      const auto speeds = gas.riemann_speeds(l, r, 0);
      const double contact = gas.contact_speed(l, r, speeds, 0);
      ASSERT_LE(speeds.lo, contact) << n;
      ASSERT_LE(contact, speeds.hi) << n;
    }
}

/// Where density, velocity across the face or pressure is no number, on either side, some component
/// of the flux is none.
template <class Riemann>
void expect_to_pass_on_what_is_no_number() {
  const Gas gas{};
  const Gas::Primitive w{1.0, {{0.1, 0.2, -0.3}}, 0.9};
  for (const bool is_right : {false, true})
    for (const std::size_t c : {0, 1, 4}) {
      const auto odd = numerics::make_state<Gas::Primitive>(
          [&](std::size_t i) { return i == c ? std::nan("") : numerics::component(w, i); });
      const auto flux = Riemann::flux(gas, is_right ? w : odd, is_right ? odd : w, 0);
      double sum = 0;
      for (std::size_t i = 0; i < Gas::n_components; ++i) sum += numerics::component(flux, i);
      EXPECT_TRUE(std::isnan(sum)) << is_right << ' ' << c;
    }
}

TEST(RiemannSolver, passes_on_what_is_no_number) {
  expect_to_pass_on_what_is_no_number<RiemannHllc>();
  expect_to_pass_on_what_is_no_number<RiemannLhllc>();
  expect_to_pass_on_what_is_no_number<RiemannHlle>();
  expect_to_pass_on_what_is_no_number<RiemannLlf>();
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
