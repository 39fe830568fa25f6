// SPDX-License-Identifier: MIT
#include <thalweg/hydro/riemann_solution.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include <gtest/gtest.h>

namespace thalweg::hydro {
namespace {

using W = Euler<1>::Primitive;

struct Tube {
  W left, right;
  double p_star, v_star;
};

/// The five tests of Toro (2009), tables 4.1 and 4.2, to the digits printed there.
const Tube toro_tubes[] = {
    {{1.0, {{0.0}}, 1.0}, {0.125, {{0.0}}, 0.1}, 0.30313, 0.92745},
    {{1.0, {{-2.0}}, 0.4}, {1.0, {{2.0}}, 0.4}, 0.00189, 0.0},
    {{1.0, {{0.0}}, 1000.0}, {1.0, {{0.0}}, 0.01}, 460.894, 19.5975},
    {{1.0, {{0.0}}, 0.01}, {1.0, {{0.0}}, 100.0}, 46.0950, -6.19633},
    {{5.99924, {{19.5975}}, 460.894}, {5.99242, {{-6.19633}}, 46.0950}, 1691.64, 8.68975},
};

TEST(RiemannSolution, agrees_with_the_published_star_states) {
  for (const Tube& tube : toro_tubes) {
    const RiemannSolution solution(GammaLaw{1.4}, tube.left, tube.right);

    EXPECT_NEAR(solution.star_pressure(), tube.p_star, 2e-5 * tube.p_star + 5e-6);
    EXPECT_NEAR(solution.star_velocity(), tube.v_star, 2e-5 * std::abs(tube.v_star) + 5e-6);
  }
}

TEST(RiemannSolution, meets_the_given_states_far_away_and_agrees_across_the_contact) {
  for (const Tube& tube : toro_tubes) {
    const RiemannSolution solution(GammaLaw{1.4}, tube.left, tube.right);
    const double contact = solution.star_velocity();

    EXPECT_EQ(solution.at(-1e3), tube.left);
    EXPECT_EQ(solution.at(1e3), tube.right);
    for (const double side : {-1e-9, 1e-9}) {
      EXPECT_NEAR(solution.at(contact + side).p, solution.star_pressure(), 1e-12);
      EXPECT_NEAR(solution.at(contact + side).vel[0], contact, 1e-12);
    }
  }
}

/// What flows into a wide interval is what is in it later: d/dt of the integral of u is F_l - F_r.
TEST(RiemannSolution, conserves_mass_momentum_and_energy) {
  const Euler<1> gas{};
  for (const Tube& tube : toro_tubes) {
    const RiemannSolution solution(gas.eos, tube.left, tube.right);
    const double reach = 50.0;
    const int n = 100000;
    Euler<1>::State change{0.0, {{0.0}}, 0.0};
    for (int i = 0; i < n; ++i) {
      const double speed = reach * ((i + 0.5) / n * 2.0 - 1.0);
      const auto u = gas.to_conserved(solution.at(speed));
      const auto before = gas.to_conserved(speed < 0 ? tube.left : tube.right);
      const double width = 2.0 * reach / n;
      change.rho += width * (u.rho - before.rho);
      change.mom += width * (u.mom - before.mom);
      change.energy += width * (u.energy - before.energy);
    }
    const auto f_l = gas.flux(tube.left, 0), f_r = gas.flux(tube.right, 0);
    // Each of up to three jumps is misplaced by up to half a sample of width 1e-3.
    const double misplaced = 3 * 0.5e-3;
    const auto star = gas.to_conserved(solution.at(solution.star_velocity() - 1e-9));
    const auto other = gas.to_conserved(solution.at(solution.star_velocity() + 1e-9));
    EXPECT_NEAR(change.rho, f_l.rho - f_r.rho, misplaced * std::max(star.rho, other.rho));
    EXPECT_NEAR(change.mom[0], f_l.mom[0] - f_r.mom[0],
                misplaced * std::max(std::abs(star.mom[0]), std::abs(other.mom[0])) + 1e-3);
    EXPECT_NEAR(change.energy, f_l.energy - f_r.energy,
                misplaced * std::max({star.energy, other.energy, 1e3}));
  }
}

TEST(RiemannSolution, a_weak_shock_obeys_the_jump_conditions) {
  const W left{1.0, {{0.0}}, 2.0}, right{1.0, {{0.0}}, 1.0};
  const RiemannSolution solution(GammaLaw{1.4}, left, right);
  const W behind = solution.at(solution.star_velocity() + 1e-9);
  ASSERT_LT(behind.p, 1.5);

  const double mass_flux = behind.rho * behind.vel[0];
  const double shock = mass_flux / (behind.rho - right.rho);
  EXPECT_NEAR(shock * mass_flux, mass_flux * behind.vel[0] + behind.p - right.p, 1e-12);
  EXPECT_EQ(solution.at(shock + 1e-9), right);
  EXPECT_EQ(solution.at(shock - 1e-9), behind);
}

TEST(RiemannSolution, of_water_obeys_the_jump_conditions_and_the_invariants_of_its_fan) {
  const Euler<1, StiffenedGas> water{{.gamma = 4.4, .p_infinity = 6e8}};
  const W left{1000.0, {{0.0}}, 1e9}, right{1000.0, {{0.0}}, 1e5};
  const RiemannSolution solution(water.eos, left, right);
  const double contact = solution.star_velocity();
  EXPECT_GT(solution.star_pressure(), right.p);
  EXPECT_LT(solution.star_pressure(), left.p);

  const W behind = solution.at(contact * (1 + 1e-9));
  const double shock = behind.rho * behind.vel[0] / (behind.rho - right.rho);
  const auto change = [](const auto& a, const auto& b, std::size_t c) {
    return numerics::component(a, c) - numerics::component(b, c);
  };
  for (std::size_t c = 0; c < 3; ++c) {
    const double moved = shock * change(water.to_conserved(behind), water.to_conserved(right), c);
    EXPECT_NEAR(change(water.flux(behind, 0), water.flux(right, 0), c) / moved, 1.0, 1e-9);
  }
  EXPECT_EQ(solution.at(shock * (1 - 1e-9)), behind);
  EXPECT_NEAR(solution.at(shock * (1 + 1e-9)).p, right.p, 1e-6);

  // In the fan v + 2 c / (gamma - 1) and (p + p_infinity) / rho^gamma are those of the left.
  const auto invariants = [&](const W& w) {
    return std::array{w.vel[0] + 2.0 / 3.4 * water.sound_speed(w),
                      (w.p + 6e8) * std::pow(w.rho / 1000.0, -4.4)};
  };
  const double head = -water.sound_speed(left);
  const double tail = contact - water.sound_speed(solution.at(contact * (1 - 1e-9)));
  for (const double part : {0.1, 0.5, 0.9}) {
    const double speed = head + part * (tail - head);
    const W w = solution.at(speed);
    EXPECT_NEAR(w.vel[0] - water.sound_speed(w), speed, 1e-9 * std::abs(head));
    for (const std::size_t k : {0u, 1u})
      EXPECT_NEAR(invariants(w)[k] / invariants(left)[k], 1.0, 1e-12);
  }
}

TEST(RiemannSolution, mirrored_states_give_the_mirrored_solution) {
  const Tube& sod = toro_tubes[0];
  const RiemannSolution solution(GammaLaw{1.4}, sod.left, sod.right);
  const RiemannSolution mirrored(GammaLaw{1.4}, sod.right, sod.left);
  for (int i = -200; i <= 200; ++i) {
    const double speed = 0.01 * i + 1e-4;
    EXPECT_NEAR(solution.at(speed).rho, mirrored.at(-speed).rho, 1e-12);
  }
}

}  // namespace
}  // namespace thalweg::hydro
