// SPDX-License-Identifier: MIT
#include <thalweg/numerics/prolong_points.hpp>

#include <gtest/gtest.h>

#include <thalweg/core/random.hpp>
#include <thalweg/numerics/restrict_points.hpp>

#include "owned.hpp"

namespace thalweg::numerics {
namespace {

/// Where a point lies, in half cells of a level.
double place(bool is_between, int i) {
  return is_between ? 2.0 * i : 2.0 * i + 1;
}

// A function linear in space, or multilinear, is met exactly: all numbers here fit into a double.
template <int D>
void expect_exact(const Centring<D>& centring, int ratio, bool has_products) {
  const auto value = [&](const Index<D>& i, int parts) {
    double product = 1;
    double sum = 3;
    for (int a = 0; a < D; ++a) {
      const double x = place(centring.between[a], i[a]) / parts;
      product *= x - 5 - a;
      sum += (2 * a - 1.5) * x;
    }
    return has_products ? sum + product : sum;
  };
  const Box<D> region{Index<D>::filled(-5), Index<D>::filled(7)};
  test::Owned<D> coarse(centring.coarsened(region, ratio, 1), 1), fine(region, 1);
  coarse.fill([&](int, const Index<D>& i) { return value(i, 1); });

  prolong_points(centring, coarse(), fine(), region, ratio);

  int n_wrong = 0;
  for_each(region, [&](const Index<D>& i) { n_wrong += fine[0, i] != value(i, ratio); });
  EXPECT_EQ(n_wrong, 0) << D << "D ratio " << ratio;
}

template <int D>
void expect_exact_for_all_centrings() {
  for (const int ratio : {2, 4}) {
    expect_exact(Centring<D>::node(), ratio, true);
    for_each(Box<D>::cube(2), [&](const Index<D>& bits) {
      Centring<D> centring;
      for (int a = 0; a < D; ++a) centring.between[a] = bits[a] != 0;
      expect_exact(centring, ratio, false);
    });
  }
}

TEST(ProlongPoints, is_exact_for_linear_functions_at_all_points_and_multilinear_ones_at_nodes) {
  expect_exact_for_all_centrings<1>();
  expect_exact_for_all_centrings<2>();
  expect_exact_for_all_centrings<3>();
}

TEST(ProlongPoints, keeps_the_value_of_each_coarse_point_and_makes_no_new_extremum) {
  for (const auto& centring : {Centring<2>::node(), Centring<2>::face(1)}) {
    const Box<2> region = centring.points(Box<2>::cube(8));
    test::Owned<2> coarse(centring.coarsened(region, 4, 1), 1), fine(region, 1);
    test::Owned<2> back(centring.covered(region, 4), 1);
    SplitMix64 random(7);
    coarse.fill([&](int, const Index<2>&) { return random.uniform(); });

    prolong_points(centring, coarse(), fine(), region, 4);
    restrict_points(centring, fine(), back(), back().box(), {}, 4);

    for_each(back().box(),
             [&](const Index<2>& i) { EXPECT_NEAR((back[0, i]), (coarse[0, i]), 1e-15); });
    for_each(region, [&](const Index<2>& i) {
      EXPECT_GE((fine[0, i]), 0.0);
      EXPECT_LE((fine[0, i]), 1.0);
    });
  }
}

TEST(ProlongPoints, a_uniform_field_stays_the_same_to_the_bit) {
  const auto faces = Centring<3>::face(0);
  const Box<3> region = Box<3>::cube(5).shifted({{-3, 2, 1}});
  test::Owned<3> coarse(faces.coarsened(region, 4, 1), 1), fine(region, 1);
  coarse.fill([](int, const Index<3>&) { return 0.1; });

  prolong_points(faces, coarse(), fine(), region, 4);

  for_each(region, [&](const Index<3>& i) { EXPECT_EQ((fine[0, i]), 0.1); });
}

TEST(ProlongPoints, a_region_may_be_cut_anywhere) {
  const auto faces = Centring<2>::face(0);
  const Box<2> region{{{-3, 2}}, {{6, 9}}};
  test::Owned<2> coarse(faces.coarsened(region, 2, 1), 1), whole(region, 1);
  SplitMix64 random(5);
  coarse.fill([&](int, const Index<2>&) { return random.uniform(); });
  prolong_points(faces, coarse(), whole(), region, 2);

  for_each(region, [&](const Index<2>& i) {
    const Box<2> one{i, i + Index<2>::filled(1)};
    test::Owned<2> needed(faces.coarsened(one, 2, 1), 1), part(one, 1);
    needed.fill([&](int, const Index<2>& k) { return coarse[0, k]; });
    prolong_points(faces, needed(), part(), one, 2);
    EXPECT_EQ((part[0, i]), (whole[0, i]));
  });
}

}  // namespace
}  // namespace thalweg::numerics
