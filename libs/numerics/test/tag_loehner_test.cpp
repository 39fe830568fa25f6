// SPDX-License-Identifier: MIT
#include <thalweg/numerics/tag_loehner.hpp>

#include <array>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "advection.hpp"
#include "tagged.hpp"

namespace thalweg::numerics {
namespace {

template <int D, class F>
std::vector<Index<D>> tagged(F f, const Loehner& rule) {
  using State = typename test::Advection<D>::State;
  return test::tagged<D>(f, [=](const auto& u, const auto& tags, const Box<D>& region) {
    tag_loehner<State>(u, tags, region, rule, [](State s) { return std::array{s.q}; });
  });
}

/// The estimate in a cell of a field, found by bisection of the threshold from which it is tagged.
template <int D, class F>
double estimate(F f, const Index<D>& cell, double filter) {
  double lo = 0, hi = 2;
  for (int n = 0; n < 50; ++n) {
    const double middle = 0.5 * (lo + hi);
    const auto tags = tagged<D>(f, {middle, filter});
    (std::ranges::find(tags, cell) != tags.end() ? lo : hi) = middle;
  }
  return lo;
}

TEST(TagLoehner, has_the_estimate_of_its_equation_in_one_dimension) {
  const auto f = [](const Index<1>& i) { return std::sin(0.7 * i[0]); };
  for (const double filter : {0.0, 0.01, 0.2})
    for (int i = 0; i < 8; ++i) {
      const double l = f({{i - 1}}), c = f({{i}}), r = f({{i + 1}});
      const double exact =
          std::abs(r - 2 * c + l) / (std::abs(r - c) + std::abs(c - l) +
                                     filter * (std::abs(r) + 2 * std::abs(c) + std::abs(l)));
      EXPECT_NEAR(estimate<1>(f, {{i}}, filter), exact, 1e-12) << "cell " << i;
    }
}

TEST(TagLoehner, takes_mixed_differences_as_well) {
  // Of x y: the mixed difference is 1; first ones are (x, y) and on either side along the other
  // axis |x +- 1|, |y +- 1|.
  const auto f = [](const Index<2>& i) { return double(i[0]) * i[1]; };
  for (const double filter : {0.0, 0.1})
    for (int x = 0; x < 8; x += 3)
      for (int y = 0; y < 8; y += 2) {
        // Of |x y| the filter adds what the same cells have in all.
        const double sum_x = std::abs(x + 1) + std::abs(x - 1);
        const double sum_y = std::abs(y + 1) + std::abs(y - 1);
        const double in_x = 2.0 * y + filter * (sum_x + 2 * x) * y;
        const double in_y = 2.0 * x + filter * (sum_y + 2 * y) * x;
        const double along_x = 0.5 * sum_y + 0.25 * filter * sum_x * sum_y;
        const double along_y = 0.5 * sum_x + 0.25 * filter * sum_x * sum_y;
        const double slope = in_x * in_x + in_y * in_y + along_x * along_x + along_y * along_y;
        EXPECT_NEAR(estimate<2>(f, {{x, y}}, filter), std::sqrt(2.0 / slope), 1e-12)
            << x << " " << y << ", filter " << filter;
      }
}

template <int D>
void expect_jump(double expected) {
  for (int axis = 0; axis < D; ++axis)
    for (const double height : {1e-9, 1.0, 1e9}) {
      const auto f = [&](const Index<D>& i) { return i[axis] < 4 ? 0.0 : height; };
      Index<D> beside = Index<D>::filled(2);
      for (const int i : {3, 4}) {
        beside[axis] = i;
        EXPECT_NEAR(estimate<D>(f, beside, 0.0), expected, 1e-12) << "axis " << axis;
      }
      beside[axis] = 5;
      EXPECT_EQ(estimate<D>(f, beside, 0.01), 0.0);
    }
}

TEST(TagLoehner, sees_a_jump_of_any_height_along_any_axis_1d) {
  expect_jump<1>(1.0);
}
TEST(TagLoehner, sees_a_jump_of_any_height_along_any_axis_2d) {
  expect_jump<2>(std::sqrt(1.0 / 1.25));
}
TEST(TagLoehner, sees_a_jump_of_any_height_along_any_axis_3d) {
  expect_jump<3>(std::sqrt(1.0 / 1.5));
}

TEST(TagLoehner, leaves_what_is_linear_or_below_the_filter) {
  const auto line = [](const Index<2>& i) { return 3.0 * i[0] - 5.0 * i[1]; };
  EXPECT_TRUE(tagged<2>(line, {1e-6, 0.0}).empty());
  EXPECT_TRUE(tagged<2>([](const Index<2>&) { return 0.0; }, {0.0, 0.0}).empty());
  const auto ripple = [](const Index<2>& i) { return 1.0 + ((i[0] + i[1]) % 2 != 0 ? 1e-3 : 0.0); };
  EXPECT_EQ(tagged<2>(ripple, {0.5, 0.0}).size(), 64u);
  EXPECT_TRUE(tagged<2>(ripple, {0.5, 0.01}).empty());
}

TEST(TagLoehner, is_the_same_however_the_cells_are_cut_into_blocks) {
  using State = test::Advection<2>::State;
  const auto f = [](const Index<2>& i) { return std::sin(1.3 * i[0] + 0.8 * i[1] * i[1]); };
  const auto whole = tagged<2>(f, {0.7, 0.01});
  EXPECT_GT(whole.size(), 8u);
  EXPECT_LT(whole.size(), 56u);
  EXPECT_EQ(whole, test::tagged<2>(f, [](const auto& u, const auto& tags, const Box<2>& region) {
              for (const auto& part : test::quarters(region))
                tag_loehner<State>(u, tags, part, {0.7, 0.01},
                                   [](State s) { return std::array{s.q}; });
            }));
}

}  // namespace
}  // namespace thalweg::numerics
