// SPDX-License-Identifier: MIT
#include <thalweg/numerics/wall_leak.hpp>

#include <cmath>
#include <optional>

#include <gtest/gtest.h>

#include <thalweg/core/vec.hpp>

namespace thalweg::numerics {
namespace {

struct GasAndDust {
  double rho;
  Vec<2> mom;
  double dust;
  Vec<2> dust_mom;
};

/// Two fluids, of which ConservationLaw knows the momentum of the first.
template <class Self>
struct TwoFluids : ConservationLaw<Self, 2, GasAndDust> {
  GasAndDust flux(GasAndDust w, int axis) const {
    GasAndDust f{w.mom[axis], (w.mom[axis] / w.rho) * w.mom, w.dust_mom[axis],
                 (w.dust_mom[axis] / w.dust) * w.dust_mom};
    f.mom[axis] += 2.0 * w.rho;
    return f;
  }
  Speeds speeds(GasAndDust, int) const { return {-2, 2}; }
};
struct Leaking : TwoFluids<Leaking> {};
struct Closed : TwoFluids<Closed> {
  GasAndDust mirror(GasAndDust u, int axis) const {
    u.mom[axis] = -u.mom[axis];
    u.dust_mom[axis] = -u.dust_mom[axis];
    return u;
  }
};
static_assert(MirrorsMomentumAlone<Leaking> && !MirrorsMomentumAlone<Closed>);

TEST(LeakThroughWalls, names_what_the_mirror_of_a_law_does_not_turn) {
  for (const int axis : {0, 1}) EXPECT_EQ(leak_through_walls(Leaking{}, axis), 3u);
}

struct Gas {
  double rho;
  Vec<3> mom;
  double energy;
  double bed;
};

/// A gas with a coefficient, whose made-up flux is none, and which asks for a pressure.
struct IdealGas : ConservationLaw<IdealGas, 3, Gas> {
  static constexpr int n_coefficients = 1;
  double kinetic(Gas u) const { return 0.5 * dot(u.mom, u.mom) / u.rho; }
  bool admissible(Gas u) const { return u.rho > 0 && u.energy > kinetic(u); }
  Gas flux(Gas w, int axis) const {
    const double p = 0.4 * (w.energy - kinetic(w)), v = w.mom[axis] / w.rho;
    return {w.mom[axis], v * w.mom + p * Vec<3>::unit(axis), v * (w.energy + p), 7.0};
  }
  Speeds speeds(Gas, int) const { return {-2, 2}; }
};

TEST(LeakThroughWalls, is_none_of_a_gas) {
  static_assert(MirrorsMomentumAlone<IdealGas>);
  for (const int axis : {0, 1, 2}) EXPECT_EQ(leak_through_walls(IdealGas{}, axis), std::nullopt);
}

struct Waves {
  double h;
  Vec<1> mom;
  double k;
};

/// Waves with something that does not flow, but for rounding.
struct Rounded : ConservationLaw<Rounded, 1, Waves> {
  Waves flux(Waves w, int axis) const {
    return {w.mom[axis], w.h * Vec<1>::unit(axis), std::sqrt(w.k) * std::sqrt(w.k) - w.k};
  }
  Speeds speeds(Waves, int) const { return {-1, 1}; }
};

TEST(LeakThroughWalls, is_none_of_a_flux_that_is_rounding) {
  static_assert(MirrorsMomentumAlone<Rounded>);
  ASSERT_NE(Rounded{}.flux({1, {}, 1.25}, 0).k, 0.0) << "of a state that is tried";
  EXPECT_EQ(leak_through_walls(Rounded{}, 0), std::nullopt);
}

/// No state is one that is tried here.
struct Picky : TwoFluids<Picky> {
  bool admissible(GasAndDust u) const { return u.rho > 1e20; }
};

TEST(LeakThroughWalls, is_not_looked_for_in_states_that_are_none) {
  EXPECT_EQ(leak_through_walls(Picky{}, 0), std::nullopt);
}

}  // namespace
}  // namespace thalweg::numerics
