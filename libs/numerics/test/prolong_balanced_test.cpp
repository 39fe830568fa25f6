// SPDX-License-Identifier: MIT
#include <thalweg/numerics/prolong_balanced.hpp>

#include <cmath>

#include <gtest/gtest.h>

#include "layered_gas.hpp"
#include "owned.hpp"

namespace thalweg::numerics {
namespace {

constexpr Box<2> coarse_cells{{{-2, -4}}, {{6, 8}}};
constexpr Box<2> read_cells{{{0, -2}}, {{4, 6}}};  // those with two more on each side
constexpr Vec<2> coarse_dx{{0.2, 0.1}};
constexpr auto gas = test::layered_gas({{0.0, -3.0}});

/// A gas at rest of these densities by height.
template <class Density>
void fill_at_rest(const View<double, 2>& u, const Density& density) {
  for_each(u.box(), [&](const Index<2>& i) {
    u[0, i] = density(i[1]);
    u[1, i] = u[2, i] = 0;
    u[3, i] = 20.0;
    for (int k = u.box().lo[1] + 1; k <= i[1]; ++k)
      u[3, i] += 0.5 * coarse_dx[1] * gas.gravity[1] * (density(k - 1) + density(k));
  });
}

double layers(int height) {
  return height < 2 ? 1.0 : 5.0;
}
double linear(int height) {
  return 3.0 - 0.25 * height;
}

/// The greatest imbalance of fine cells that are made of a gas at rest.
double imbalance_of_fine(ProlongOrder order, int ratio, double (*density)(int)) {
  test::Owned<2> coarse(coarse_cells, 4), fine(read_cells.refined(ratio), 4);
  fill_at_rest(coarse(), density);
  prolong_balanced(gas, {order}, coarse(), fine(), fine().box(), ratio, coarse_dx);
  double largest = 0;
  for_each(fine().box(), [&](const Index<2>& i) {
    EXPECT_EQ((fine[2, i]), 0.0);
    if (i[1] > fine().box().lo[1])
      largest =
          std::max(largest, std::abs(test::imbalance(gas, fine(), i, 1, coarse_dx[1] / ratio)));
  });
  return largest;
}

TEST(ProlongBalanced, keeps_layers_at_rest_at_rest_by_any_rule) {
  for (const auto order : {ProlongOrder::constant, ProlongOrder::linear, ProlongOrder::parabolic})
    for (const int ratio : {2, 4}) EXPECT_LT(imbalance_of_fine(order, ratio, layers), 2e-14);
}

TEST(ProlongBalanced, keeps_a_linear_density_at_rest_at_rest) {
  for (const auto order : {ProlongOrder::linear, ProlongOrder::parabolic})
    EXPECT_LT(imbalance_of_fine(order, 2, linear), 2e-14);
}

TEST(ProlongBalanced, gives_children_of_any_gas_at_rest_the_weight_between_them_alone) {
  const auto jagged = [](int height) { return height % 2 == 0 ? 1.0 : 4.0 + 0.5 * height; };
  for (const auto order : {ProlongOrder::linear, ProlongOrder::parabolic})
    for (const int ratio : {2, 4}) {
      test::Owned<2> coarse(coarse_cells, 4), fine(read_cells.refined(ratio), 4);
      fill_at_rest(coarse(), jagged);
      prolong_balanced(gas, {order}, coarse(), fine(), fine().box(), ratio, coarse_dx);
      for_each(fine().box(), [&](const Index<2>& i) {
        const Index<2> cell = floor_div(i, ratio);
        const double above = coarse_dx[1] * ((i[1] - cell[1] * ratio + 0.5) / ratio - 0.5);
        EXPECT_NEAR((fine[3, i]), (coarse[3, cell] + gas.gravity[1] * coarse[0, cell] * above),
                    2e-14);
      });
    }
}

/// A gas that moves and is in no balance.
void fill_any(const test::Owned<2>& u) {
  for_each(u().box(), [&](const Index<2>& i) {
    u()[0, i] = 1.0 + 0.5 * std::sin(i[0] + 0.7 * i[1]);
    u()[1, i] = std::cos(1.3 * i[0]);
    u()[2, i] = std::sin(0.4 * i[1]);
    u()[3, i] = 2.0 + std::cos(0.9 * i[0] - 0.3 * i[1]);
  });
}

TEST(ProlongBalanced, is_conservative_and_gives_parts_the_bits_of_the_whole) {
  for (const auto order : {ProlongOrder::linear, ProlongOrder::parabolic}) {
    test::Owned<2> coarse(coarse_cells, 4), fine(read_cells.refined(2), 4);
    fill_any(coarse);
    prolong_balanced(gas, {order}, coarse(), fine(), fine().box(), 2, coarse_dx);
    for_each(read_cells, [&](const Index<2>& cell) {
      double sum = 0;
      for_each(Box<2>{cell, cell + Index<2>::filled(1)}.refined(2),
               [&](const Index<2>& i) { sum += fine[3, i]; });
      EXPECT_NEAR(sum / 4, (coarse[3, cell]), 1e-14);
    });

    const Box<2> odd{{{1, -1}}, {{6, 5}}};
    test::Owned<2> part(odd, 4);
    prolong_balanced(gas, {order}, coarse(), part(), odd, 2, coarse_dx);
    for_each(odd, [&](const Index<2>& i) { EXPECT_EQ((part[3, i]), (fine[3, i])); });
  }
}

TEST(ProlongBalanced, interpolates_as_prolong_does_where_a_child_would_be_inadmissible) {
  constexpr auto heavy = test::layered_gas({{0.0, -300.0}});
  test::Owned<2> coarse(coarse_cells, 4), fine(read_cells.refined(2), 4),
      plain(read_cells.refined(2), 4);
  fill_any(coarse);
  prolong_balanced(heavy, {}, coarse(), fine(), fine().box(), 2, coarse_dx);
  prolong(heavy, {}, coarse(), plain(), plain().box(), 2);
  for_each(fine().box(), [&](const Index<2>& i) { EXPECT_EQ((fine[3, i]), (plain[3, i])); });
}

}  // namespace
}  // namespace thalweg::numerics
