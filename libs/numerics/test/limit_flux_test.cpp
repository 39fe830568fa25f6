// SPDX-License-Identifier: MIT
#include <thalweg/numerics/detail/limit_flux.hpp>

#include <gtest/gtest.h>

#include <thalweg/core/random.hpp>
#include <thalweg/numerics/carrying_system.hpp>
#include <thalweg/numerics/conservation_law.hpp>

namespace thalweg::numerics {
namespace {

struct Dyed {
  double rho;
  Vec<2> vel;
  double dye;  ///< mass per volume
};

/// A gas at velocities that stay, with a dye; fluxes without tension have a mark.
struct DyedGas : ConservationLaw<DyedGas, 2, Dyed> {
  static constexpr int density_at = 0, velocity_at = 1, n_carried = 1;
  static constexpr Dyed mark{77, {}, 0};

  constexpr bool has_bounded_shares() const { return true; }
  constexpr bool admissible(Dyed u) const { return u.rho > 0; }
  constexpr Dyed flux(Dyed u, int axis) const {
    return {u.vel[axis] * u.rho, {}, u.vel[axis] * u.dye};
  }
  constexpr Speeds speeds(Dyed, int) const { return {-1, 1}; }
  constexpr Dyed without_tension(Dyed, Dyed, Dyed, int) const { return mark; }
};
static_assert(CarryingSystem<DyedGas>);

const double* numbers_of(const Dyed& u) {
  return &u.rho;
}

detail::FaceRow<DyedGas> face_between(const Dyed& l, const Dyed& r, double weight) {
  return {.system = {},
          .below = {numbers_of(l), numbers_of(l)},
          .above = {numbers_of(r), numbers_of(r)},
          .u_stride = 1,
          .w_stride = 1,
          .weight = weight};
}

/// Whether a face state has no less than no dye and no more than its density.
/// @param scale  of the fluxes out of the cell
bool is_within(const Dyed& u, int axis, double scale, double mass, double dye) {
  const double rest = u.dye - scale * (dye - u.vel[axis] * u.dye);
  constexpr double rounding = 1e-13;
  return rest >= -rounding && rest <= u.rho - scale * (mass - u.vel[axis] * u.rho) + rounding;
}

TEST(LimitFlux, keeps_what_is_carried_within_the_density_on_both_sides_of_a_face_if_it_can) {
  constexpr double weight = 0.3;
  SplitMix64 random(5);
  const auto between = [&](double lo, double hi) { return lo + (hi - lo) * random.uniform(); };
  const auto gas = [&] {
    const double rho = between(0.1, 1.1);
    return Dyed{
        rho, {{between(-2, 2), between(-2, 2)}}, rho * 0.25 * static_cast<double>(random.below(5))};
  };
  int n_changed = 0, n_upwind = 0;
  for (int i = 0; i < 3000; ++i) {
    const int axis = i % 2;
    const Dyed l = gas(), r = gas();
    const double mass = between(-2, 2), asked = between(-2, 2);
    Dyed flux{mass, {}, asked};

    detail::limit_carried_row(face_between(l, r, weight), axis, 1, &flux.rho, 1);

    n_changed += flux.dye != asked;
    if (is_within(l, axis, weight, mass, flux.dye) && is_within(r, axis, -weight, mass, flux.dye))
      continue;
    ++n_upwind;  // no flux is good
    EXPECT_NEAR(flux.dye, mass * (mass > 0 ? l.dye / l.rho : r.dye / r.rho), 1e-14) << i;
  }
  EXPECT_GT(n_changed, 1000);
  EXPECT_GT(n_upwind, 20);
  EXPECT_LT(n_upwind, 1000);
}

TEST(LimitFlux, is_without_tension_only_where_that_of_first_order_is_no_good) {
  const auto limited = [](double weight) {
    const Dyed thick{2, {}, 0}, thin{1, {}, 0};
    return face_between(thick, thin, weight).limited(0, {1e6, {}, 0}, 0).rho;
  };
  EXPECT_EQ(limited(0.3), 0.5);
  EXPECT_EQ(limited(10), DyedGas::mark.rho);  // 2 - 10 * 0.5 is no density
}

}  // namespace
}  // namespace thalweg::numerics
