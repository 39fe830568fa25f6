// SPDX-License-Identifier: MIT
#include <thalweg/hydro/eos.hpp>

#include <cmath>

#include <gtest/gtest.h>

#include <thalweg/hydro/euler.hpp>
#include <thalweg/hydro/riemann_exact.hpp>
#include <thalweg/hydro/riemann_lhllc.hpp>
#include <thalweg/hydro/riemann_two_shock.hpp>
#include <thalweg/numerics/riemann_hllc.hpp>
#include <thalweg/numerics/riemann_hlle.hpp>
#include <thalweg/numerics/riemann_llf.hpp>
#include <thalweg/numerics/riemann_roe.hpp>
#include <thalweg/numerics/scheme.hpp>

#include "noble_abel.hpp"
#include "random_state.hpp"

namespace thalweg::hydro {
namespace {

using test::NobleAbel;

template <EquationOfState Eos>
Eos example();
template <>
GammaLaw example() {
  return {.gamma = 1.3};
}
template <>
StiffenedGas example() {
  return {.gamma = 4.4, .p_infinity = 6.0};
}
template <>
NobleAbel example() {
  return {.gamma = 1.3, .covolume = 0.4};
}

template <class Eos>
class AnyEos : public testing::Test {
 protected:
  // The rate of a quantity f(rho, p) with the density along an isentrope, on which the inner energy
  // per unit mass changes by p d rho / rho^2.
  template <class F>
  double along_isentrope(double rho, double p, F f) const {
    const double rho_e = eos.inner_energy(rho, p);
    const auto at = [&](double h) {
      const double changed = (rho_e / rho + p * h / (rho * (rho + h))) * (rho + h);
      return f(rho + h, eos.pressure(rho + h, changed));
    };
    const double h = 1e-5 * rho;
    return (at(h) - at(-h)) / (2.0 * h);
  }
  template <class Check>
  void for_states(Check check) const {
    for (const double rho : {0.2, 1.0, 1.9})
      for (const double above : {1e-2, 1.0, 30.0}) check(rho, above + eos.least_pressure());
  }

  const Eos eos = example<Eos>();
};
using All = testing::Types<GammaLaw, StiffenedGas, NobleAbel>;
TYPED_TEST_SUITE(AnyEos, All);

TYPED_TEST(AnyEos, inner_energy_is_the_inverse_of_the_pressure) {
  this->for_states([&](double rho, double p) {
    EXPECT_NEAR(this->eos.pressure(rho, this->eos.inner_energy(rho, p)), p, 1e-12);
  });
}

TYPED_TEST(AnyEos, bulk_modulus_is_the_stiffness_along_an_isentrope) {
  this->for_states([&](double rho, double p) {
    const double modulus =
        rho * this->along_isentrope(rho, p, [](double, double pressure) { return pressure; });
    EXPECT_NEAR(this->eos.bulk_modulus(rho, p) / modulus, 1.0, 1e-6);
  });
}

TYPED_TEST(AnyEos, steepening_is_the_fundamental_derivative) {
  this->for_states([&](double rho, double p) {
    const auto sound = [&](double at_rho, double at_p) {
      return std::sqrt(this->eos.bulk_modulus(at_rho, at_p) / at_rho);
    };
    const double rate = this->along_isentrope(rho, p, sound);
    EXPECT_NEAR(this->eos.steepening(rho, p), 1.0 + rho / sound(rho, p) * rate, 1e-5);
  });
}

TYPED_TEST(AnyEos, the_excess_over_the_least_pressure_is_what_the_names_say) {
  this->for_states([&](double rho, double p) {
    const double excess = p - this->eos.least_pressure();
    const double rho2_e = rho * this->eos.inner_energy(rho, p);
    EXPECT_NEAR(this->eos.excess_times_rho(rho, rho2_e), rho * excess, 1e-11);
  });
}

// What a general equation of state can be solved with.
using Covolume = Euler<2, NobleAbel>;
static_assert(numerics::ContactSystem<Covolume> && numerics::CharacteristicSystem<Covolume> &&
              numerics::ShockSystem<Covolume>);
static_assert(numerics::RiemannSolver<numerics::RiemannHllc, Covolume> &&
              numerics::RiemannSolver<RiemannLhllc, Covolume> &&
              numerics::RiemannSolver<RiemannTwoShock, Covolume>);
static_assert(!numerics::RoeSystem<Covolume> && !numerics::RiemannSolver<RiemannExact, Covolume>);

template <class Solver>
class SolverOfShiftedGas : public testing::Test {};
using Solvers = testing::Types<numerics::RiemannHllc, numerics::RiemannHlle, numerics::RiemannLlf,
                               numerics::RiemannRoe, RiemannExact, RiemannTwoShock, RiemannLhllc>;
TYPED_TEST_SUITE(SolverOfShiftedGas, Solvers);

TYPED_TEST(SolverOfShiftedGas, has_the_bits_of_the_gamma_law_where_nothing_is_shifted) {
  SplitMix64 random(21);
  for (int n = 0; n < 300; ++n) {
    const auto l = test::random_primitive<3>(random), r = test::random_primitive<3>(random);
    for (int axis = 0; axis < 3; ++axis)
      EXPECT_EQ(TypeParam::flux(Euler<3, StiffenedGas>{}, l, r, axis),
                TypeParam::flux(Euler<3>{}, l, r, axis));
  }
}

TYPED_TEST(SolverOfShiftedGas, differs_by_the_shift_in_the_flux_of_momentum_alone) {
  constexpr double shift = 3.0;
  constexpr double rounding = 2e-11;  // of the shift, multiplied where a thin fan is at the face
  const Euler<3> ideal{};
  const Euler<3, StiffenedGas> stiffened{{.gamma = 1.4, .p_infinity = shift}};
  const auto shifted = [](GasPrimitive<3> w) {
    w.p -= shift;  // most are under tension then
    return w;
  };
  SplitMix64 random(22);
  for (int n = 0; n < 300; ++n) {
    const auto l = test::random_primitive<3>(random), r = test::random_primitive<3>(random);
    for (int axis = 0; axis < 3; ++axis) {
      const auto f = TypeParam::flux(ideal, l, r, axis);
      const auto g = TypeParam::flux(stiffened, shifted(l), shifted(r), axis);
      EXPECT_NEAR(g.rho, f.rho, rounding);
      EXPECT_NEAR(g.energy, f.energy, rounding);
      for (int a = 0; a < 3; ++a)
        EXPECT_NEAR(g.mom[a], f.mom[a] - (a == axis ? shift : 0.0), rounding);
    }
  }
}

TEST(StiffenedGas, is_admissible_under_tension_down_to_its_least_pressure) {
  const Euler<1, StiffenedGas> gas{{.gamma = 4.4, .p_infinity = 6.0}};
  const auto state = [&](double p) { return gas.to_conserved({1.0, {{2.0}}, p}); };
  EXPECT_TRUE(gas.admissible(state(-5.9)));
  EXPECT_FALSE(gas.admissible(state(-6.1)));
  EXPECT_TRUE(gas.admissible(GasPrimitive<1>{1.0, {{2.0}}, -5.9}));
  EXPECT_FALSE(gas.admissible(GasPrimitive<1>{1.0, {{2.0}}, -6.1}));
  EXPECT_FALSE(gas.admissible(GasPrimitive<1>{-1.0, {{2.0}}, 1.0}));
  // A thousandth of what is above the least pressure is kept, not of the pressure.
  const GasPrimitive<1> reference{1.0, {{2.0}}, 0.0};
  EXPECT_TRUE(gas.passes_floor(state(-5.99), reference));
  EXPECT_FALSE(gas.passes_floor(state(-5.999), reference));
}

}  // namespace
}  // namespace thalweg::hydro
