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

TEST(Euler, plus_flux_is_the_state_its_flux_and_a_change) {
  const Euler<3> gas{};
  SplitMix64 random(4);
  for (int n = 0; n < 1000; ++n) {
    const auto w = test::random_primitive<3>(random);
    const auto u = gas.to_conserved(w);
    const auto change = gas.to_conserved(test::random_primitive<3>(random));
    for (int axis = 0; axis < 3; ++axis) {
      const auto sum = gas.plus_flux(u, w, -0.3, change, axis);
      const auto flux = gas.flux(w, axis);
      for (std::size_t c = 0; c < 5; ++c) {
        using numerics::component;
        const double size = std::abs(component(u, c)) + std::abs(component(flux, c)) +
                            std::abs(component(change, c));
        EXPECT_NEAR(component(sum, c),
                    component(u, c) - 0.3 * component(flux, c) - component(change, c),
                    1e-14 * size);
      }
    }
  }
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

TEST(Euler, floors_compare_with_a_reference) {
  const Euler<1> gas{};
  const Euler<1>::Primitive w{.rho = 1.0, .vel = {}, .p = 1.0};
  EXPECT_TRUE(gas.passes_floor(gas.to_conserved({2e-3, {}, 2e-3}), w));
  EXPECT_FALSE(gas.passes_floor(gas.to_conserved({5e-4, {}, 2e-3}), w));
  EXPECT_FALSE(gas.passes_floor(gas.to_conserved({2e-3, {}, 5e-4}), w));
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

TEST(EulerLoss, agrees_with_what_conservation_says_of_small_differences) {
  const Euler<3> gas;
  const Euler<3>::Primitive w{.rho = 1.3, .vel = {{0.4, -0.7, 0.2}}, .p = 0.8};
  const Euler<3>::Primitive dw{.rho = 0.3, .vel = {{-0.2, 0.5, 0.1}}, .p = -0.4};
  for (int axis = 0; axis < 3; ++axis) {
    const auto error = [&](double size) {
      const auto beside = [&](double side) {
        return numerics::map_components([=](double q, double dq) { return q + side * size * dq; },
                                        w, dw);
      };
      const auto lower = beside(-0.5), upper = beside(0.5);
      const auto own = gas.apply_transverse(
          w,
          gas.transverse_difference(w, gas.face_state(lower, axis), gas.face_state(upper, axis)));
      const auto conserved = gas.to_primitive(numerics::map_components(
          [](double u, double hi, double lo) { return u - (hi - lo); }, gas.to_conserved(w),
          gas.flux(upper, axis), gas.flux(lower, axis)));
      EXPECT_NEAR(own.rho, conserved.rho, 1e-15);
      for (int a = 0; a < 3; ++a) EXPECT_NEAR(own.vel[a], conserved.vel[a], 1e-15);
      return std::abs(own.p - conserved.p);
    };
    EXPECT_LT(error(1e-3), 1e-5);
    EXPECT_NEAR(error(1e-3) / error(5e-4), 4.0, 0.1) << "axis " << axis;
  }
}

TEST(EulerLoss, of_a_shock_takes_compression_alone_from_the_pressure) {
  // Of a cell at rest that gas of the same pressure meets from both sides; conservation would turn
  // the streams' energy into heat.
  const Euler<1> gas;
  const Euler<1>::Primitive rest{.rho = 2.0, .vel = {}, .p = 1.0};
  const auto stream = [&](double v) { return gas.face_state({1.0, {{v}}, 1.0}, 0); };

  const auto loss = gas.transverse_difference(rest, stream(3.0), stream(-3.0));

  EXPECT_EQ(loss.p, 1.4 * -6.0);  // rho c^2 of the cell, times how fast its faces close in
  EXPECT_EQ(loss.rho, -6.0);
  EXPECT_EQ(loss.mom[0], 0.0);
}

TEST(EulerLoss, of_mirrored_faces_is_mirrored_to_the_bit) {
  const Euler<2> gas;
  const auto flip = [](Euler<2>::Primitive w) {
    w.vel[0] = -w.vel[0];
    return w;
  };
  const Euler<2>::Primitive w{.rho = 1.1, .vel = {{0.3, 0.9}}, .p = 0.7};
  const Euler<2>::Primitive lower{.rho = 0.7, .vel = {{1.3, 0.1}}, .p = 0.9};
  const Euler<2>::Primitive upper{.rho = 1.9, .vel = {{0.7, -0.3}}, .p = 0.3};

  const auto loss =
      gas.transverse_difference(w, gas.face_state(lower, 0), gas.face_state(upper, 0));
  const auto mirrored = gas.transverse_difference(flip(w), gas.face_state(flip(upper), 0),
                                                  gas.face_state(flip(lower), 0));

  EXPECT_EQ(gas.apply_transverse(flip(w), mirrored), flip(gas.apply_transverse(w, loss)));
}

}  // namespace
}  // namespace thalweg::hydro
