// SPDX-License-Identifier: MIT
#include <thalweg/hydro/riemann_lhllc.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include <gtest/gtest.h>

#include <thalweg/hydro/scalar_gas.hpp>
#include <thalweg/numerics/scheme.hpp>

#include "expect_near.hpp"
#include "mirrored.hpp"
#include "noble_abel.hpp"
#include "random_state.hpp"

namespace thalweg::hydro::lhllc {
namespace {

using numerics::RiemannHllc;
using Gas = Euler<3>;
using Primitive = Gas::Primitive;

static_assert(numerics::RiemannSolver<RiemannLhllc, Gas> &&
              numerics::RiemannSolver<RiemannLhllc, Euler<2, test::NobleAbel>> &&
              numerics::RiemannSolver<RiemannWithScalars<RiemannLhllc>, ScalarGas<3, 2>>);

/// A random state, mostly as fast as its sound, slowed down.
Primitive random_state(SplitMix64& random, double slow = 1.0) {
  auto w = test::random_primitive<3>(random);
  w.vel = slow * w.vel;
  return w;
}

/// The flux beside the contact, of the jump over the outer signal on that side and of a pressure
/// that is written with impedances z: F - s U = F_k - s U_k and F = v* U + (0, p*, p* v*).
template <class Eos>
GasState<3> by_jumps(const Euler<3, Eos>& gas, const Primitive& l, const Primitive& r, int axis) {
  const auto s = gas.riemann_speeds(l, r, axis);
  const double contact = gas.contact_speed(l, r, s, axis);
  const double z_l = l.rho * std::abs(l.vel[axis] - s.lo);
  const double z_r = r.rho * std::abs(s.hi - r.vel[axis]);
  const auto speed = [](const Primitive& w) {
    return std::hypot(std::hypot(w.vel[0], w.vel[1]), w.vel[2]);
  };
  const double mach =
      std::max(speed(l), speed(r)) / std::max(gas.sound_speed(l), gas.sound_speed(r));
  const double phi = mach < 1 ? 1 - (1 - mach) * (1 - mach) : 1.0;
  const double p =
      (z_r * l.p + z_l * r.p + phi * z_l * z_r * (l.vel[axis] - r.vel[axis])) / (z_l + z_r);
  const auto& w = contact > 0 ? l : r;
  const double outer = contact > 0 ? s.lo : s.hi;
  GasState<3> pressures{0, p * Vec<3>::unit(axis), p * contact};
  return numerics::map_components(
      [&](double f, double u, double push) {
        return (contact * (f - outer * u) - outer * push) / (contact - outer);
      },
      gas.flux(w, axis), gas.to_conserved(w), pressures);
}

TEST(RiemannLhllc, of_equal_states_gives_the_physical_flux) {
  const Gas gas{};
  SplitMix64 random(1);
  for (int n = 0; n < 1000; ++n) {
    const auto w = random_state(random, n % 2 == 0 ? 1.0 : 1e-3);
    for (int axis = 0; axis < 3; ++axis)
      expect_near(RiemannLhllc::flux(gas, w, w, axis), gas.flux(w, axis), 2e-13);
  }
}

TEST(RiemannLhllc, has_the_bits_of_hllc_from_mach_1_on) {
  const Gas gas{};
  SplitMix64 random(2);
  int n_fast = 0;
  for (int n = 0; n < 1000; ++n) {
    const auto l = random_state(random), r = random_state(random);
    const double sound = std::max(gas.sound_speed(l), gas.sound_speed(r));
    if (std::max(dot(l.vel, l.vel), dot(r.vel, r.vel)) < 1.001 * sound * sound) continue;
    ++n_fast;
    for (int axis = 0; axis < 3; ++axis)
      EXPECT_EQ(RiemannLhllc::flux(gas, l, r, axis), RiemannHllc::flux(gas, l, r, axis));
  }
  EXPECT_GT(n_fast, 300);
}

TEST(RiemannLhllc, is_the_flux_of_the_jumps_over_the_outer_signals_with_less_viscosity) {
  const Gas gas{};
  const Euler<3, StiffenedGas> liquid{{.gamma = 4.4, .p_infinity = 2.0}};
  SplitMix64 random(3);
  for (int n = 0; n < 1000; ++n) {
    const double slow = std::array{0.2, 0.05, 1e-3}[static_cast<std::size_t>(n % 3)];
    const auto l = random_state(random, slow), r = random_state(random, slow);
    for (int axis = 0; axis < 3; ++axis) {
      if (const auto s = gas.riemann_speeds(l, r, axis); s.lo < 0 && s.hi > 0)
        expect_near(RiemannLhllc::flux(gas, l, r, axis), by_jumps(gas, l, r, axis), 1e-13);
      expect_near(RiemannLhllc::flux(liquid, l, r, axis), by_jumps(liquid, l, r, axis), 1e-12);
    }
  }
}

TEST(RiemannLhllc, makes_of_a_slow_collision_a_pressure_of_the_square_of_its_speed) {
  const Gas gas{.eos = {.gamma = 1.4}};
  for (const double mach : {1e-1, 1e-2, 1e-3}) {  // the speed of sound is 1
    const Primitive l{1.0, {{mach, 0.0, 0.0}}, 1 / 1.4}, r{1.0, {{-mach, 0.0, 0.0}}, 1 / 1.4};
    const auto excess = [&](const Gas::State& f) { return f.mom[0] - 1 / 1.4; };
    EXPECT_NEAR(excess(RiemannHllc::flux(gas, l, r, 0)) / mach, 1.0, 0.7 * mach);
    EXPECT_NEAR(excess(RiemannLhllc::flux(gas, l, r, 0)) / (mach * mach), 2.0, 2.0 * mach);
  }
}

TEST(RiemannLhllc, takes_the_upwind_flux_where_a_side_is_supersonic) {
  // Cold gas that outruns its own sound, into gas whose sound is much faster: Mach 0.01 of that.
  const Gas gas{};
  const Primitive r{.rho = 0.01, .vel = {{0.12, 0.0, 0.0}}, .p = 0.01};
  const auto cold = [](double speed) { return Primitive{10.0, {{speed, 0.1, 0.0}}, 0.01}; };
  EXPECT_EQ(RiemannLhllc::flux(gas, cold(0.1), r, 0), RiemannHllc::flux(gas, cold(0.1), r, 0));
  EXPECT_EQ(RiemannLhllc::flux(gas, cold(0.1), r, 0), gas.flux(cold(0.1), 0));
  // And nearly that of a face which a signal nearly leaves.
  const double sound = gas.sound_speed(cold(0.0));
  const auto l = cold(sound * (1 - 1e-9));
  EXPECT_LT(gas.riemann_speeds(l, r, 0).lo, 0.0);
  expect_near(RiemannLhllc::flux(gas, l, r, 0), gas.flux(l, 0), 1e-9);
}

TEST(RiemannLhllc, lets_no_gas_pull_where_it_is_torn_apart) {
  const Gas gas{};
  const auto torn = [&](double speed) {  // the speed of sound is 1
    const Primitive l{1.0, {{-speed, 0.0, 0.0}}, 1 / 1.4}, r{1.0, {{speed, 0.0, 0.0}}, 1 / 1.4};
    return RiemannLhllc::flux(gas, l, r, 0);
  };
  EXPECT_EQ(torn(20.0), (Gas::State{0.0, {}, 0.0}));
  EXPECT_EQ(torn(0.9), (Gas::State{0.0, {}, 0.0}));
  expect_near(torn(0.75), {0.0, {{1 / 1.4 - 0.75 * (1 - 0.25 * 0.25), 0.0, 0.0}}, 0.0}, 1e-15);
}

TEST(RiemannLhllc, keeps_a_contact_at_rest) {
  const Gas gas{};
  const Primitive l{.rho = 1.0, .vel = {{0.0, 0.1, 0.2}}, .p = 1.0};
  const Primitive r{.rho = 0.1, .vel = {{0.0, -0.3, 0.0}}, .p = 1.0};
  EXPECT_EQ(RiemannLhllc::flux(gas, l, r, 0), (Gas::State{0.0, {{1.0, 0.0, 0.0}}, 0.0}));
}

TEST(RiemannLhllc, sees_a_mirrored_problem_mirrored_to_the_bit) {
  const Gas gas{};
  SplitMix64 random(4);
  for (int n = 0; n < 1000; ++n) {
    const double slow = n % 2 == 0 ? 1.0 : 0.1;
    const auto l = random_state(random, slow);
    const auto r =
        n % 5 == 0 ? test::mirrored(l, n % 3) : random_state(random, slow);  // a collision
    for (int axis = 0; axis < 3; ++axis) test::expect_mirrored_flux<RiemannLhllc>(gas, l, r, axis);
  }
}

}  // namespace
}  // namespace thalweg::hydro::lhllc
