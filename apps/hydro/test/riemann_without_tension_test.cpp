// SPDX-License-Identifier: MIT
#include <thalweg/hydro/riemann_without_tension.hpp>

#include <algorithm>

#include <gtest/gtest.h>

#include <thalweg/core/random.hpp>
#include <thalweg/numerics/riemann_hlle.hpp>
#include <thalweg/numerics/riemann_llf.hpp>

#include "expect_near.hpp"
#include "random_state.hpp"

namespace thalweg::hydro {
namespace {

template <class Mean>
class RiemannTension : public testing::Test {};
using Means = testing::Types<numerics::RiemannHlle, numerics::RiemannLlf>;
TYPED_TEST_SUITE(RiemannTension, Means);

TYPED_TEST(RiemannTension, is_not_there_where_gas_is_torn_apart) {
  const Euler<3> gas{};  // the speed of sound is 0.75
  for (const double speed : {5.0, 20.0, 1000.0}) {
    const GasPrimitive<3> l{.rho = 1.0, .vel = {{-speed, 1.0, 0.0}}, .p = 0.4};
    const GasPrimitive<3> r{.rho = 1.0, .vel = {{speed, 1.0, 0.0}}, .p = 0.4};
    EXPECT_LT(TypeParam::flux(gas, l, r, 0).mom[0], -1.0);  // so the test can tell
    const GasState<3> f = RiemannWithoutTension<TypeParam>::flux(gas, l, r, 0);
    EXPECT_NEAR(f.mom[0], 0, 1e-12 * speed * speed) << speed;
    EXPECT_EQ(f.rho, 0) << speed;
    EXPECT_EQ(f.energy, 0) << speed;
  }
  // A liquid bears some.
  const Euler<1, StiffenedGas> water{{.gamma = 4.4, .p_infinity = 2.0}};
  const GasPrimitive<1> l{1.0, {{-20.0}}, 0.4}, r{1.0, {{20.0}}, 0.4};
  EXPECT_NEAR(RiemannWithoutTension<TypeParam>::flux(water, l, r, 0).mom[0], -2.0, 1e-12);
}

TYPED_TEST(RiemannTension, is_the_same_in_any_frame) {
  // What a stream adds to the correction is the work of the same force.
  const Euler<1> gas{};
  const auto correction = [&](double stream) {
    const GasPrimitive<1> l{1.0, {{stream - 8.0}}, 0.4}, r{0.5, {{stream + 9.0}}, 0.3};
    const auto with = RiemannWithoutTension<TypeParam>::flux(gas, l, r, 0);
    const auto without = TypeParam::flux(gas, l, r, 0);
    return GasState<1>{with.rho - without.rho, with.mom - without.mom,
                       with.energy - without.energy};
  };
  const auto at_rest = correction(0), moving = correction(3);
  EXPECT_GT(at_rest.mom[0], 1);
  EXPECT_EQ(at_rest.rho, 0);
  EXPECT_NEAR(moving.mom[0], at_rest.mom[0], 1e-12);
  EXPECT_NEAR(moving.energy, at_rest.energy + 3 * at_rest.mom[0], 1e-11);
}

TYPED_TEST(RiemannTension, leaves_all_other_states_their_bits) {
  const Euler<3> gas{};
  SplitMix64 random(1);
  int n_same = 0;
  for (int n = 0; n < 1000; ++n) {
    const auto l = test::random_primitive<3>(random), r = test::random_primitive<3>(random);
    const int axis = n % 3;
    // Gas that meets has none, nor is there any on a side that all waves leave.
    const auto s = gas.riemann_speeds(l, r, axis);
    if (r.vel[axis] > l.vel[axis] && std::min(-s.lo, s.hi) > 0) continue;
    ++n_same;
    EXPECT_EQ(RiemannWithoutTension<TypeParam>::flux(gas, l, r, axis),
              TypeParam::flux(gas, l, r, axis));
  }
  EXPECT_GT(n_same, 300);
}

}  // namespace
}  // namespace thalweg::hydro
