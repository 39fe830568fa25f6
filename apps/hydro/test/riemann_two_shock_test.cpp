// SPDX-License-Identifier: MIT
#include <thalweg/hydro/riemann_two_shock.hpp>

#include <cmath>

#include <gtest/gtest.h>

#include <thalweg/hydro/riemann_exact.hpp>
#include <thalweg/hydro/riemann_solution.hpp>
#include <thalweg/hydro/scalar_gas.hpp>
#include <thalweg/numerics/scheme.hpp>
#include <thalweg/numerics/transverse.hpp>

#include "mirrored.hpp"
#include "random_state.hpp"

namespace thalweg::hydro {
namespace {

static_assert(numerics::RiemannSolver<RiemannTwoShock, Euler<3>>);
static_assert(numerics::FaceSolver<RiemannTwoShock, Euler<3>> &&
              numerics::FaceSolver<RiemannExact, Euler<3>> &&
              numerics::FaceSolver<RiemannWithScalars<RiemannTwoShock>, ScalarGas<3, 2>> &&
              !numerics::FaceSolver<numerics::RiemannHllc, Euler<3>>);

using State = Euler<1>::State;
using Primitive = Euler<1>::Primitive;
constexpr Euler<1> gas{};

State two_shock(const Primitive& l, const Primitive& r) {
  return RiemannTwoShock::flux(gas, l, r, 0);
}
State exact(const Primitive& l, const Primitive& r) {
  return gas.flux(RiemannSolution(gas.eos, l, r).at(0.0), 0);
}
double distance(const State& a, const State& b) {
  return std::abs(a.rho - b.rho) + std::abs(a.mom[0] - b.mom[0]) + std::abs(a.energy - b.energy);
}

TEST(RiemannTwoShock, agrees_with_the_exact_solution_to_second_order_in_the_jump) {
  const auto error = [](double jump) {
    const Primitive l{.rho = 1.0, .vel = {{0.3}}, .p = 1.0};
    const Primitive r{.rho = 1.0 - jump, .vel = {{0.3 - 0.4 * jump}}, .p = 1.0 + 0.7 * jump};
    return distance(two_shock(l, r), exact(l, r));
  };
  EXPECT_GT(error(0.02) / error(0.01), 3.5);
  EXPECT_LT(error(0.01), 1e-4);
}

TEST(RiemannTwoShock, takes_the_upwind_flux_of_supersonic_flow) {
  const Primitive l{.rho = 1.0, .vel = {{5.0}}, .p = 1.0};
  const Primitive r{.rho = 0.9, .vel = {{5.1}}, .p = 0.8};
  EXPECT_LT(distance(two_shock(l, r), gas.flux(l, 0)), 1e-14);
}

TEST(RiemannTwoShock, keeps_a_contact_at_rest) {
  const Primitive l{.rho = 1.0, .vel = {{0.0}}, .p = 0.7};
  const Primitive r{.rho = 0.1, .vel = {{0.0}}, .p = 0.7};
  const State f = two_shock(l, r);
  EXPECT_EQ(f.rho, 0.0);
  EXPECT_NEAR(f.mom[0], 0.7, 1e-15);
  EXPECT_EQ(f.energy, 0.0);
}

TEST(RiemannTwoShock, mirrors_to_the_bit) {
  SplitMix64 random(5);
  for (int n = 0; n < 1000; ++n) {
    const Primitive l = test::random_primitive<1>(random);
    const Primitive r = n % 4 == 0 ? test::mirrored(l, 0)  // a symmetric collision
                                   : test::random_primitive<1>(random);
    test::expect_mirrored_flux<RiemannTwoShock>(gas, l, r, 0);
  }
}

TEST(RiemannTwoShock, is_finite_where_streams_tear_a_vacuum) {
  const Primitive l{.rho = 1.0, .vel = {{-20.0}}, .p = 0.4};
  const Primitive r{.rho = 1.0, .vel = {{20.0}}, .p = 0.4};
  EXPECT_TRUE(std::isfinite(two_shock(l, r).energy));
}

}  // namespace
}  // namespace thalweg::hydro
