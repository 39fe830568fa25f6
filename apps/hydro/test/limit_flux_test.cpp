// SPDX-License-Identifier: MIT
#include <thalweg/numerics/detail/limit_flux.hpp>

#include <gtest/gtest.h>

#include <thalweg/hydro/euler.hpp>

#include "random_state.hpp"

namespace thalweg::hydro {
namespace {

/// u - weight (flux - F(u)): what is left of a state when so much leaves it.
template <class Gas>
typename Gas::State left_of(const Gas& gas, typename Gas::Primitive w, double weight,
                            typename Gas::State flux, int axis) {
  return numerics::map_components(
      [=](double u, double f, double own) { return u - weight * (f - own); }, gas.to_conserved(w),
      flux, gas.flux(w, axis));
}

template <class State>
const double* numbers_of(const State& state) {
  return reinterpret_cast<const double*>(&state);
}

/// Whether what the limiter says of random fluxes is so; the number of good ones.
template <class Gas>
int count_good(const Gas& gas, int n) {
  constexpr double weight = 0.3;
  SplitMix64 random(5);
  int n_good = 0;
  for (int i = 0; i < n; ++i) {
    const int axis = i % 3;
    const auto below = test::random_primitive<3>(random), above = test::random_primitive<3>(random);
    const auto u_below = gas.to_conserved(below), u_above = gas.to_conserved(above);
    const auto flux = gas.flux(test::random_primitive<3>(random), axis);
    const numerics::detail::FaceRow<Gas> row{.system = gas,
                                             .below = {numbers_of(u_below), numbers_of(below)},
                                             .above = {numbers_of(u_above), numbers_of(above)},
                                             .u_stride = 1,
                                             .w_stride = 1,
                                             .weight = weight};
    const bool is_good = gas.passes_floor(left_of(gas, below, weight, flux, axis), below) &&
                         gas.passes_floor(left_of(gas, above, -weight, flux, axis), above);
    EXPECT_EQ(row.is_good(0, flux, axis), is_good) << i;
    n_good += is_good ? 1 : 0;
  }
  return n_good;
}

TEST(LimitFlux, asks_what_is_left_on_both_sides_of_a_face) {
  constexpr int n = 3000;
  const StiffenedGas stiff{.gamma = 1.4, .p_infinity = 0.05};
  for (const int n_good :
       {count_good(Euler<3>{}, n), count_good(Euler<3, StiffenedGas>{.eos = stiff}, n)}) {
    EXPECT_GT(n_good, n / 20);
    EXPECT_LT(n_good, n - n / 20);
  }
}

}  // namespace
}  // namespace thalweg::hydro
