// SPDX-License-Identifier: MIT
#include <thalweg/hydro/gravity.hpp>

#include <vector>

#include <gtest/gtest.h>

namespace thalweg::hydro {
namespace {

constexpr Euler<2>::State moving{.rho = 2.0, .mom = {{1.0, -3.0}}, .energy = 10.0};

TEST(Gravity, accelerates_and_leaves_density_and_inner_energy_alone) {
  const Gravity<2> gravity{{{0.5, -2.0}}};
  const auto u = gravity(moving, 0.25);

  EXPECT_EQ(u.rho, 2.0);
  EXPECT_EQ(u.mom, (Vec<2>{{1.25, -4.0}}));
  EXPECT_NEAR(Euler<2>{}.pressure(u), Euler<2>{}.pressure(moving), 1e-15);
}

TEST(Gravity, twice_for_half_as_long_is_the_same) {
  const Gravity<2> gravity{{{0.5, -2.0}}};
  const auto once = gravity(moving, 0.5);
  const auto twice = gravity(gravity(moving, 0.25), 0.25);

  EXPECT_EQ(twice.mom, once.mom);
  EXPECT_NEAR(twice.energy, once.energy, 1e-14);
}

TEST(Gravity, acts_on_the_cells_of_a_region_and_no_others) {
  const Gravity<2> gravity{{{0.0, -1.0}}};
  const Box<2> box = Box<2>::cube(4);
  std::vector<double> values(View<double, 2>::size_of(box, 4));
  const View<double, 2> cells(values.data(), box, 4);
  for_each(box, [&](const Index<2>& i) {
    numerics::store(moving, cells.at(0, i), cells.component_stride());
  });

  const Box<2> region{{{1, 1}}, {{4, 3}}};
  gravity(cells, region, 0.5);

  for_each(box, [&](const Index<2>& i) {
    EXPECT_EQ(numerics::load<Euler<2>::State>(cells.at(0, i), cells.component_stride()),
              region.contains(i) ? gravity(moving, 0.5) : moving);
  });
}

}  // namespace
}  // namespace thalweg::hydro
