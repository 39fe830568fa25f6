// SPDX-License-Identifier: MIT
#include <thalweg/numerics/balanced_walls.hpp>

#include <cmath>

#include <gtest/gtest.h>

#include <thalweg/core/random.hpp>

#include "layered_gas.hpp"
#include "owned.hpp"

namespace thalweg::numerics {
namespace {

constexpr Box<2> domain = Box<2>::cube(6);
constexpr Vec<2> wall_dx{{0.1, 0.2}};

/// A gas at rest in columns along an axis, of any densities, between walls.
void fill_columns(const test::LayeredGas<2>& gas, int axis, const View<double, 2>& u,
                  double p_below) {
  SplitMix64 random(1);
  for_each(domain, [&](const Index<2>& i) {
    u[0, i] = 0.5 + random.uniform();
    u[1, i] = u[2, i] = 0;
  });
  for_each(domain, [&](const Index<2>& i) {
    u[3, i] = p_below;
    for (int k = 1; k <= i[axis]; ++k) {
      Index<2> at = i, before = i;
      at[axis] = k;
      before[axis] = k - 1;
      u[3, i] += 0.5 * wall_dx[axis] * gas.gravity[axis] * (u[0, at] + u[0, before]);
    }
  });
}

Boundaries<2> walls_across(int axis) {
  Boundaries<2> kinds{Boundary::outflow, Boundary::outflow, Boundary::outflow, Boundary::outflow};
  const auto lower = static_cast<std::size_t>(2 * axis);
  kinds[lower] = kinds[lower + 1] = Boundary::reflecting;
  return kinds;
}

TEST(WallsOf, a_block_are_the_reflecting_sides_of_the_domain_that_it_touches) {
  auto kinds = walls_across(1);
  EXPECT_EQ(walls_of(domain, domain, kinds), (Walls<2>{false, false, true, true}));
  EXPECT_EQ(walls_of({{{0, 0}}, {{6, 3}}}, domain, kinds), (Walls<2>{false, false, true, false}));
  EXPECT_EQ(walls_of({{{0, 3}}, {{3, 6}}}, domain, kinds), (Walls<2>{false, false, false, true}));
  kinds[3] = Boundary::outflow;
  EXPECT_EQ(walls_of(domain, domain, kinds), (Walls<2>{false, false, true, false}));
}

TEST(BalanceWalls, continues_the_pressure_of_a_gas_at_rest_on_both_sides_of_each_axis) {
  for (const int axis : {0, 1}) {
    const auto gas = test::layered_gas(-3.0 * Vec<2>::unit(axis));
    test::Owned<2> u(domain.grown(3), 4);
    fill_columns(gas, axis, u(), 10.0);
    fill_boundaries(gas, u(), domain, walls_across(axis));
    balance_walls(gas, u(), domain, walls_across(axis), wall_dx);

    for_each(domain.grown(axis, 3), [&](const Index<2>& i) {
      if (i[axis] > domain.lo[axis] - 3) {
        EXPECT_NEAR(test::imbalance(gas, u(), i, axis, wall_dx[axis]), 0.0, 1e-14);
      }
    });
  }
}

TEST(BalanceWalls, leaves_other_sides_and_pressures_that_would_be_none) {
  const auto gas = test::layered_gas({{0.0, -3.0}});
  test::Owned<2> u(domain.grown(3), 4), mirrored(domain.grown(3), 4);
  for (const auto* cells : {&u, &mirrored}) {
    fill_columns(gas, 1, (*cells)(), 4.0);  // which is too little for three cells more
    fill_boundaries(gas, (*cells)(), domain, walls_across(1));
  }
  balance_walls(gas, u(), domain, walls_across(1), wall_dx);

  int n_left = 0;
  for_each(domain.grown(3), [&](const Index<2>& i) {
    EXPECT_GT((u[3, i]), 0.0);
    if (i[1] >= domain.lo[1] && i[1] < domain.hi[1]) {
      EXPECT_EQ((u[3, i]), (mirrored[3, i]));
    }
    n_left += i[1] >= domain.hi[1] && u[3, i] == mirrored[3, i];
  });
  EXPECT_GT(n_left, 0);
}

}  // namespace
}  // namespace thalweg::numerics
