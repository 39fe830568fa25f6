// SPDX-License-Identifier: MIT
#include <thalweg/hydro/euler.hpp>

#include <cmath>

#include <gtest/gtest.h>

#include "random_state.hpp"

namespace thalweg::hydro {
namespace {

TEST(Euler, primitive_and_conserved_are_inverse) {
  const Euler<3> gas{.eos = {.gamma = 1.4}};
  SplitMix64 random(1);
  for (int n = 0; n < 1000; ++n) {
    const auto w = test::random_primitive<3>(random);
    const auto back = gas.to_primitive(gas.to_conserved(w));
    EXPECT_DOUBLE_EQ(back.rho, w.rho);
    for (int a = 0; a < 3; ++a) EXPECT_DOUBLE_EQ(back.vel[a], w.vel[a]);
    EXPECT_NEAR(back.p, w.p, 1e-14);
  }
}

TEST(Euler, energy_and_pressure_are_those_of_an_ideal_gas) {
  const Euler<2> gas{.eos = {.gamma = 1.5}};
  const auto u = gas.to_conserved({.rho = 2.0, .vel = {{3.0, 4.0}}, .p = 5.0});

  EXPECT_EQ(u.mom, (Vec<2>{{6.0, 8.0}}));
  EXPECT_DOUBLE_EQ(u.energy, 5.0 / 0.5 + 0.5 * 2.0 * 25.0);
  EXPECT_DOUBLE_EQ(gas.pressure(u), 5.0);
}

TEST(Euler, flux_is_the_transport_and_the_pressure) {
  const Euler<2> gas{.eos = {.gamma = 1.5}};
  const Euler<2>::Primitive w{.rho = 2.0, .vel = {{3.0, 4.0}}, .p = 5.0};

  const auto f = gas.flux(w, 1);

  EXPECT_DOUBLE_EQ(f.rho, 8.0);
  EXPECT_DOUBLE_EQ(f.mom[0], 24.0);
  EXPECT_DOUBLE_EQ(f.mom[1], 32.0 + 5.0);
  EXPECT_DOUBLE_EQ(f.energy, 4.0 * (35.0 + 5.0));
}

TEST(Euler, admissible_means_positive_density_and_pressure) {
  const Euler<1> gas{};
  EXPECT_TRUE(gas.admissible(Euler<1>::State{1.0, {{1.0}}, 0.51}));
  EXPECT_FALSE(gas.admissible(Euler<1>::State{1.0, {{1.0}}, 0.5}));
  EXPECT_FALSE(gas.admissible(Euler<1>::State{-1.0, {{0.0}}, 1.0}));
  EXPECT_FALSE(gas.admissible(Euler<1>::State{-1.0, {{0.0}}, -1.0}));
  EXPECT_FALSE(gas.admissible(Euler<1>::State{1.0, {{0.0}}, std::nan("")}));
  EXPECT_FALSE(gas.admissible(Euler<1>::State{std::nan(""), {{0.0}}, 1.0}));
  EXPECT_FALSE(gas.admissible(Euler<1>::State{1.0, {{0.0}}, INFINITY}));
  EXPECT_FALSE(gas.admissible(Euler<1>::State{INFINITY, {{0.0}}, 1.0}));
  EXPECT_TRUE(gas.admissible(Euler<1>::Primitive{0.1, {{9.0}}, 0.1}));
  EXPECT_FALSE(gas.admissible(Euler<1>::Primitive{0.1, {{0.0}}, 0.0}));
  EXPECT_FALSE(gas.admissible(Euler<1>::Primitive{std::nan(""), {{0.0}}, 1.0}));
}

TEST(Euler, retains_compares_with_a_reference) {
  const Euler<1> gas{};
  const Euler<1>::Primitive w{.rho = 1.0, .vel = {}, .p = 1.0};
  EXPECT_TRUE(gas.retains(gas.to_conserved({2e-3, {}, 2e-3}), w));
  EXPECT_FALSE(gas.retains(gas.to_conserved({5e-4, {}, 2e-3}), w));
  EXPECT_FALSE(gas.retains(gas.to_conserved({2e-3, {}, 5e-4}), w));
}

TEST(Euler, speeds_of_a_riemann_problem_bound_the_sound_waves_of_both_states) {
  const Euler<2> gas{};
  SplitMix64 random(2);
  for (int n = 0; n < 1000; ++n) {
    const auto l = test::random_primitive<2>(random), r = test::random_primitive<2>(random);
    for (int axis = 0; axis < 2; ++axis) {
      const numerics::Speeds s = gas.riemann_speeds(l, r, axis);
      EXPECT_LE(s.lo, l.vel[axis] - gas.sound_speed(l) + 1e-14);
      EXPECT_GE(s.hi, r.vel[axis] + gas.sound_speed(r) - 1e-14);
      const double contact = gas.contact_speed(l, r, s, axis);
      EXPECT_LT(s.lo, contact);
      EXPECT_GT(s.hi, contact);
      EXPECT_TRUE(gas.admissible(gas.star(l, s.lo, contact, axis)));
      EXPECT_TRUE(gas.admissible(gas.star(r, s.hi, contact, axis)));
    }
  }
}

TEST(Euler, names_its_components_in_the_order_of_the_state) {
  EXPECT_EQ(Euler<1>::component_names()[2], "rho_E");
  EXPECT_EQ(Euler<3>::component_names()[0], "density");
  EXPECT_EQ(Euler<3>::component_names()[3], "zmom");
}

/// The matrix of the primitive form, d_t w + A(w) d_x w = 0, applied to a jump.
template <int D>
typename Euler<D>::Primitive primitive_matrix(const Euler<D>& gas,
                                              const typename Euler<D>::Primitive& w,
                                              const typename Euler<D>::Primitive& dw, int axis) {
  const double v = w.vel[axis];
  typename Euler<D>::Primitive result{.rho = v * dw.rho + w.rho * dw.vel[axis],
                                      .vel = v * dw.vel,
                                      .p = v * dw.p + gas.eos.gamma * w.p * dw.vel[axis]};
  result.vel[axis] += dw.p / w.rho;
  return result;
}

TEST(Euler, waves_are_the_parts_of_a_jump_that_move_with_their_speeds) {
  const Euler<3> gas{.eos = {.gamma = 1.4}};
  SplitMix64 random(7);
  const auto expect_near = [](const auto& a, const auto& b) {
    for (std::size_t c = 0; c < 5; ++c)
      EXPECT_NEAR(numerics::component(a, c), numerics::component(b, c), 1e-12);
  };
  for (int n = 0; n < 100; ++n) {
    const auto w = test::random_primitive<3>(random);
    const auto dw = test::random_primitive<3>(random);
    for (int axis = 0; axis < 3; ++axis) {
      Euler<3>::Primitive sum{};
      for (int wave = 0; wave < gas.n_waves; ++wave) {
        const auto part = gas.wave_part(w, dw, wave, axis);
        const double speed = gas.wave_speed(w, wave, axis);
        expect_near(primitive_matrix<3>(gas, w, part, axis),
                    numerics::map_components([=](double q) { return speed * q; }, part));
        sum = numerics::map_components([](double a, double b) { return a + b; }, sum, part);
      }
      expect_near(sum, dw);
    }
  }
}

}  // namespace
}  // namespace thalweg::hydro
