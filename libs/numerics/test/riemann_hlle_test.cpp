// SPDX-License-Identifier: MIT
#include <thalweg/numerics/riemann_hlle.hpp>

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "advection.hpp"

namespace thalweg::numerics {
namespace {

TEST(RiemannHlle, takes_the_upwind_flux_of_advection) {
  const test::Advection<2> system{.velocity = {{3.0, -2.0}}};

  EXPECT_DOUBLE_EQ(RiemannHlle::flux(system, {5.0}, {7.0}, 0).q, 15.0);
  EXPECT_DOUBLE_EQ(RiemannHlle::flux(system, {5.0}, {7.0}, 1).q, -14.0);
}

TEST(RiemannHlle, is_finite_where_nothing_moves) {
  const test::Advection<1> system{.velocity = {{0.0}}};

  EXPECT_EQ(RiemannHlle::flux(system, {5.0}, {7.0}, 0).q, 0.0);
}

/// Cars: f = u (1 - u), whose signals rest where most cars pass.
struct Traffic {
  static constexpr int dim = 1;
  static constexpr int n_components = 1;
  struct State {
    double u;
  };
  using Primitive = State;

  Primitive to_primitive(State w) const { return w; }
  State to_conserved(Primitive w) const { return w; }
  State flux(Primitive w, int) const { return {w.u * (1 - w.u)}; }
  Speeds riemann_speeds(Primitive l, Primitive r, int) const {
    return {std::min(1 - 2 * l.u, 1 - 2 * r.u), std::max(1 - 2 * l.u, 1 - 2 * r.u)};
  }
  double max_speed(Primitive w, int) const { return std::abs(1 - 2 * w.u); }
  bool admissible(State) const { return true; }
  bool passes_floor(State, Primitive) const { return true; }
  State mirror(State w, int) const { return w; }
};

TEST(RiemannHlle, is_the_flux_where_no_signal_moves) {
  EXPECT_EQ(RiemannHlle::flux(Traffic{}, {0.5}, {0.5}, 0).u, 0.25);
}

}  // namespace
}  // namespace thalweg::numerics
