// SPDX-License-Identifier: MIT
#include <thalweg/numerics/prolong.hpp>

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <thalweg/core/random.hpp>
#include <thalweg/numerics/ratio.hpp>

#include "advection.hpp"
#include "layered_gas.hpp"
#include "owned.hpp"
#include "prolong_cases.hpp"

namespace thalweg::numerics {
namespace {

template <class Case_>
class ProlongLinear : public testing::Test {};
TYPED_TEST_SUITE(ProlongLinear, test::ProlongCases);

/// Coarse cells around the coarse box [-2, 2)^D, set by f.
template <int D, class F>
void fill(test::Owned<D>& coarse, F f) {
  coarse.fill([&](int, const Index<D>& i) { return f(i); });
}

TYPED_TEST(ProlongLinear, keeps_a_uniform_state_to_the_bit) {
  constexpr int D = TypeParam::dim, r = TypeParam::ratio;
  const Box<D> cells{Index<D>::filled(-2), Index<D>::filled(2)};
  test::Owned<D> coarse(cells.grown(1), 1), fine(cells.refined(r), 1);
  fill(coarse, [](const Index<D>&) { return 0.1; });

  prolong_linear(test::Advection<D>{}, coarse(), fine(), cells.refined(r), r);

  for_each(cells.refined(r), [&](const Index<D>& i) { EXPECT_EQ((fine[0, i]), 0.1); });
}

TYPED_TEST(ProlongLinear, is_exact_on_a_linear_function) {
  constexpr int D = TypeParam::dim, r = TypeParam::ratio;
  const Box<D> cells{Index<D>::filled(-2), Index<D>::filled(2)};
  test::Owned<D> coarse(cells.grown(1), 1), fine(cells.refined(r), 1);
  const auto linear = [](const Index<D>& i, double h) {
    double q = 50.0;
    for (int a = 0; a < D; ++a) q += (a + 1) * (i[a] + 0.5) * h;
    return q;
  };
  fill(coarse, [&](const Index<D>& i) { return linear(i, 1.0); });

  prolong_linear(test::Advection<D>{}, coarse(), fine(), cells.refined(r), r);

  for_each(cells.refined(r),
           [&](const Index<D>& i) { EXPECT_DOUBLE_EQ((fine[0, i]), linear(i, 1.0 / r)); });
}

TYPED_TEST(ProlongLinear, keeps_the_mean_and_cut_regions_give_the_same_bits) {
  constexpr int D = TypeParam::dim, r = TypeParam::ratio;
  const Box<D> cells{Index<D>::filled(-2), Index<D>::filled(2)};
  test::Owned<D> coarse(cells.grown(1), 1), fine(cells.refined(r), 1);
  SplitMix64 random(7);
  fill(coarse, [&](const Index<D>&) { return 0.01 + random.uniform(); });

  prolong_linear(test::Advection<D>{}, coarse(), fine(), cells.refined(r), r);

  for_each(cells, [&](const Index<D>& cell) {
    double sum = 0;
    for_each(Box<D>{cell, cell + Index<D>::filled(1)}.refined(r), [&](const Index<D>& child) {
      EXPECT_GT((fine[0, child]), 0.0);
      sum += fine[0, child];
    });
    constexpr double rounding = 64 * 1.2e-16;  // of the sum of up to 64 numbers of size 1
    EXPECT_NEAR(sum / std::pow(r, D), (coarse[0, cell]), rounding);
  });
  const Box<D> cut{Index<D>::filled(-3), Index<D>::filled(4)};
  test::Owned<D> part(cut, 1);
  prolong_linear(test::Advection<D>{}, coarse(), part(), cut, r);
  for_each(cut, [&](const Index<D>& i) { EXPECT_EQ((part[0, i]), (fine[0, i])); });
}

TEST(ProlongLinearRegion, reads_the_cells_it_says_but_for_corners) {
  const Box<2> region{{{-3, 1}}, {{0, 4}}};
  const Box<2> needed = region.coarsened(2).grown(1);
  test::Owned<2> coarse(needed, 1), fine(region, 1);
  coarse.fill([&](int, const Index<2>& i) {
    const bool is_corner = !needed.grown(0, -1).contains(i) && !needed.grown(1, -1).contains(i);
    return is_corner ? std::nan("") : 1.0 + i[0] * i[0];
  });

  prolong_linear(test::Advection<2>{}, coarse(), fine(), region, 2);

  for_each(region, [&](const Index<2>& i) { EXPECT_FALSE(std::isnan(fine[0, i])); });
}

TEST(ProlongLinearRegion, is_flat_where_a_child_would_be_inadmissible) {
  // Slopes of 0.8 along both axes: the corner child of the middle cell would be 0.5 - 0.4 - 0.4
  // / 2.
  const Box<2> cell = Box<2>::cube(1);
  test::Owned<2> coarse(cell.grown(1), 1), fine(cell.refined(4), 1);
  coarse.fill([](int, const Index<2>& i) { return 0.5 + 0.8 * i[0] + 0.8 * i[1]; });

  prolong_linear(test::Advection<2>{}, coarse(), fine(), cell.refined(4), 4);

  for_each(cell.refined(4), [&](const Index<2>& i) { EXPECT_EQ((fine[0, i]), 0.5); });
}

TEST(ProlongLinearRegion, has_the_same_bits_wherever_along_x_it_is_cut) {
  // Rows are gone through in pieces, and a row may be longer than one.
  const Box<2> cells{{{-3, 0}}, {{80, 3}}};
  test::Owned<2> coarse(cells.grown(1), 1), fine(cells.refined(2), 1);
  SplitMix64 random(3);
  coarse.fill([&](int, const Index<2>&) { return 0.01 + random.uniform(); });

  prolong_linear(test::Advection<2>{}, coarse(), fine(), cells.refined(2), 2);

  for (int lo = cells.refined(2).lo[0]; lo < cells.refined(2).hi[0]; lo += 7) {
    Box<2> cut = cells.refined(2);
    cut.lo[0] = lo;
    cut.hi[0] = std::min(lo + 7, cut.hi[0]);
    test::Owned<2> part(cut, 1);
    prolong_linear(test::Advection<2>{}, coarse(), part(), cut, 2);
    for_each(cut, [&](const Index<2>& i) { EXPECT_EQ((part[0, i]), (fine[0, i])); });
  }
}

TEST(ProlongLinearRegion, is_flat_in_single_cells_of_a_row) {
  // In cell 17 slopes are 0.8 along both axes, as above; elsewhere they do no harm.
  const Box<2> cells{{{0, 0}}, {{40, 1}}};
  test::Owned<2> coarse(cells.grown(1), 1), fine(cells.refined(4), 1);
  coarse.fill([](int, const Index<2>& i) {
    return std::abs(i[0] - 17) > 1 ? 10.0 + i[0] : 0.5 + 0.8 * (i[0] - 17) + 0.8 * i[1];
  });

  prolong_linear(test::Advection<2>{}, coarse(), fine(), cells.refined(4), 4);

  for_each(Box<2>{{{17, 0}}, {{18, 1}}}.refined(4),
           [&](const Index<2>& i) { EXPECT_EQ((fine[0, i]), 0.5); });
  for (const int cell : {5, 33}) {
    const Index<2> first{{4 * cell, 0}};
    EXPECT_EQ((fine[0, first]), 10.0 + cell - 0.375);
  }
}

TEST(ProlongLinearRegion, limits_slopes_along_each_axis_as_it_is_told) {
  const Box<3> cell = Box<3>::cube(1);
  for (int a = 0; a < 3; ++a) {
    test::Owned<3> coarse(cell.grown(1), 1), fine(cell.refined(2), 1);
    fill(coarse, [a](const Index<3>& i) { return i[a] < 0 ? 9.0 : i[a] > 0 ? 13.0 : 10.0; });

    prolong_linear(test::Advection<3>{}, coarse(), fine(), fine().box(), 2, SlopeLimiter::minmod);

    for_each(fine().box(), [&](const Index<3>& i) {
      EXPECT_EQ((fine[0, i]), i[a] == 0 ? 9.75 : 10.25) << "along " << a;
    });
  }
}

TEST(ProlongLinearRegion, has_the_same_bits_in_regions_that_are_thin_along_any_axes) {
  constexpr int r = 2, n = test::LayeredGas<3>::n_components;
  const Box<3> cells{{{-2, 0, 1}}, {{6, 7, 36}}};
  test::Owned<3> coarse(cells.grown(1), n), fine(cells.refined(r), n);
  SplitMix64 random(11);
  // Pressures that differ so much that some children would not be admissible: cells are flat there.
  coarse.fill([&](int c, const Index<3>&) { return random.uniform() + (c < n - 1 ? -0.5 : 0.01); });
  const auto prolong = [&](const View<double, 3>& to, const Box<3>& region) {
    prolong_linear(test::LayeredGas<3>{}, coarse(), to, region, r);
  };

  prolong(fine(), fine().box());

  for (int thin = 1; thin < 8; ++thin) {
    Box<3> part = fine().box();
    for (int a = 0; a < 3; ++a)
      if ((thin >> a & 1) != 0) {
        part.lo[a] += 3;
        part.hi[a] = part.lo[a] + 2;
      }
    test::Owned<3> of_part(fine().box(), n);
    prolong(of_part(), part);
    for (int c = 0; c < n; ++c)
      for_each(fine().box(), [&](const Index<3>& i) {
        if (part.contains(i))
          EXPECT_EQ((of_part[c, i]), (fine[c, i])) << "thin along " << thin;
        else
          EXPECT_TRUE(std::isnan(of_part[c, i])) << "thin along " << thin;
      });
  }
}

TEST(SlopeMonotonisedCentral, is_bounded_by_twice_each_difference) {
  EXPECT_EQ(slope_monotonised_central(0.0, 1.0, 2.0), 1.0);
  EXPECT_EQ(slope_monotonised_central(0.0, 1.0, 10.0), 2.0);
  EXPECT_EQ(slope_monotonised_central(10.0, 1.0, 0.0), -2.0);
  EXPECT_EQ(slope_monotonised_central(0.0, 1.0, 0.0), 0.0);
}

}  // namespace
}  // namespace thalweg::numerics
