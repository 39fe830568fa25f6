// SPDX-License-Identifier: MIT
#include <thalweg/numerics/prolong_parabolic.hpp>

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <thalweg/core/random.hpp>

#include "advection.hpp"
#include "owned.hpp"
#include "prolong_cases.hpp"

namespace thalweg::numerics {
namespace {

template <class Case_>
class ProlongParabolic : public testing::Test {};
TYPED_TEST_SUITE(ProlongParabolic, test::ProlongCases);

/// Coarse cells set by f, and the fine ones of [-2, 2)^D made of them.
template <int D, int ratio>
struct Made {
  Box<D> cells{Index<D>::filled(-2), Index<D>::filled(2)};
  test::Owned<D> coarse{cells.grown(2), 1};
  test::Owned<D> fine{cells.refined(ratio), 1};

  template <class F>
  explicit Made(F f, SlopeLimiter limiter = SlopeLimiter::monotonised_central) {
    coarse.fill([&](int, const Index<D>& i) { return f(i); });
    prolong_parabolic(test::Advection<D>{}, coarse(), fine(), fine().box(), ratio, limiter);
  }
};

/// 12 times the mean of a quadratic function over a cell of width h; exact in a double.
template <int D>
double quadratic(const Index<D>& i, double h) {
  double q = 12000;
  for (int a = 0; a < D; ++a) {
    const double x = (i[a] + 0.5) * h;
    q += 12 * (a + 1) * x + (2 - a) * (12 * x * x + h * h);
    for (int b = a + 1; b < D; ++b) q += 12 * (a + b) * x * (i[b] + 0.5) * h;
  }
  return q;
}

TYPED_TEST(ProlongParabolic, keeps_a_uniform_state_to_the_bit) {
  constexpr int D = TypeParam::dim, r = TypeParam::ratio;
  const Made<D, r> made([](const Index<D>&) { return 0.1; });
  for_each(made.fine().box(), [&](const Index<D>& i) { EXPECT_EQ((made.fine[0, i]), 0.1); });
}

TYPED_TEST(ProlongParabolic, is_exact_on_a_quadratic_function) {
  constexpr int D = TypeParam::dim, r = TypeParam::ratio;
  const Made<D, r> made([](const Index<D>& i) { return quadratic(i, 1.0); });
  for_each(made.fine().box(),
           [&](const Index<D>& i) { EXPECT_EQ((made.fine[0, i]), quadratic(i, 1.0 / r)); });
}

TYPED_TEST(ProlongParabolic, keeps_the_mean_and_cut_regions_give_the_same_bits) {
  constexpr int D = TypeParam::dim, r = TypeParam::ratio;
  SplitMix64 random(7);
  const Made<D, r> made([&](const Index<D>&) { return 0.01 + random.uniform(); });
  for_each(made.cells, [&](const Index<D>& cell) {
    double sum = 0;
    for_each(Box<D>{cell, cell + Index<D>::filled(1)}.refined(r), [&](const Index<D>& child) {
      EXPECT_GT((made.fine[0, child]), 0.0);
      sum += made.fine[0, child];
    });
    constexpr double rounding = 64 * 1.2e-16;  // of the sum of up to 64 numbers of size 1
    EXPECT_NEAR(sum / std::pow(r, D), (made.coarse[0, cell]), rounding);
  });
  const Box<D> cut{Index<D>::filled(-3), Index<D>::filled(4)};
  test::Owned<D> part(cut, 1);
  prolong_parabolic(test::Advection<D>{}, made.coarse(), part(), cut, r);
  for_each(cut, [&](const Index<D>& i) { EXPECT_EQ((part[0, i]), (made.fine[0, i])); });
}

TYPED_TEST(ProlongParabolic, gives_mirrored_cells_mirrored_children_to_the_bit) {
  constexpr int D = TypeParam::dim, r = TypeParam::ratio;
  for (const double jump : {0.0, 1.0}) {  // of smooth data nothing is shrunk
    SplitMix64 random(7);
    const auto bowl = [&](const Index<D>& i) {
      double distance = 0.1;
      for (int a = 0; a < D; ++a) distance += (a + 1) * (i[a] + 0.3) * (i[a] + 0.3);
      return 0.01 + distance * (0.1 + jump * random.uniform());
    };
    const Made<D, r> made(bowl);
    for (int a = 0; a < D; ++a) {
      const auto mirrored = [a](Index<D> i) {
        i[a] = -1 - i[a];
        return i;
      };
      const Made<D, r> other([&](const Index<D>& i) { return made.coarse[0, mirrored(i)]; });
      int n_different = 0;
      for_each(made.fine().box(), [&](const Index<D>& i) {
        n_different += other.fine[0, mirrored(i)] != made.fine[0, i];
      });
      EXPECT_EQ(n_different, 0) << "along " << a << ", jumps of " << jump;
    }
  }
}

TYPED_TEST(ProlongParabolic, makes_nothing_beyond_the_two_sides_of_a_jump) {
  constexpr int D = TypeParam::dim, r = TypeParam::ratio;
  for (int place = -4; place <= 4; ++place) {
    const Made<D, r> made([&](const Index<D>& i) {
      int sum = 0;
      for (int a = 0; a < D; ++a) sum += i[a];
      return sum < place ? 1.0 : 10.0;
    });
    for_each(made.fine().box(), [&](const Index<D>& i) {
      EXPECT_GE((made.fine[0, i]), 1.0 - 1e-15);
      EXPECT_LE((made.fine[0, i]), 10.0 + 1e-14);
    });
  }
}

TYPED_TEST(ProlongParabolic, makes_nothing_beyond_either_end_of_a_steep_ramp) {
  constexpr int D = TypeParam::dim, r = TypeParam::ratio;
  // Along a diagonal of three axes children in quarters pass both ends, one by more.
  for (int place = -4; place <= 4; ++place) {
    const Made<D, r> made([&](const Index<D>& i) {
      double sum = -place;
      for (int a = 0; a < D; ++a) sum += i[a];
      return 10 + std::clamp(sum, -1.0, 0.9);
    });
    for_each(made.fine().box(), [&](const Index<D>& i) {
      EXPECT_GE((made.fine[0, i]), 9 - 1e-14);
      EXPECT_LE((made.fine[0, i]), 10.9 + 1e-14);
    });
  }
}

TYPED_TEST(ProlongParabolic, is_linear_where_a_child_would_be_inadmissible) {
  constexpr int D = TypeParam::dim, r = TypeParam::ratio;
  // A parabola that is smooth, and below zero in children of cells 0 and 1 along x; the limiters
  // differ in cell 0.
  const auto steep = [](const Index<D>& i) { return 2 * (i[0] - 0.6) * (i[0] - 0.6) - 0.2; };
  constexpr SlopeLimiter limiter = SlopeLimiter::minmod;
  const Made<D, r> made(steep, limiter);
  const test::Advection<D> system;
  test::Owned<D> linear(made.fine().box(), 1);
  prolong_linear(system, made.coarse(), linear(), made.fine().box(), r, limiter);
  for_each(made.fine().box(), [&](const Index<D>& i) {
    EXPECT_GT((made.fine[0, i]), 0.0);
    if (i[0] >= 0 && i[0] < 2 * r) {
      EXPECT_EQ((made.fine[0, i]), (linear[0, i]));
    }
  });
  const Box<D> cut{Index<D>::filled(-3), Index<D>::filled(4)};
  test::Owned<D> around(made.fine().box().grown(2), 1);
  around.fill([](int, const Index<D>&) { return 7.0; });
  prolong_parabolic(system, made.coarse(), around(), cut, r, limiter);
  for_each(around().box(), [&](const Index<D>& i) {
    EXPECT_EQ((around[0, i]), (cut.contains(i) ? made.fine[0, i] : 7.0));
  });
}

TEST(IsSmooth, is_what_keeps_its_sign_and_changes_by_no_more_than_a_factor_of_two) {
  EXPECT_TRUE(detail::is_smooth(1.0, 2.0));
  EXPECT_TRUE(detail::is_smooth(-2.0, -1.0));
  EXPECT_FALSE(detail::is_smooth(1.0, 2.5));
  EXPECT_FALSE(detail::is_smooth(2.5, 1.0));
  EXPECT_FALSE(detail::is_smooth(1.0, -1.0));
}

TEST(ProlongParabolicOrder, is_third_where_the_function_is_smooth_at_extrema_too) {
  const auto error = [](int n) {
    const double h = 2 * M_PI / n;
    const auto mean = [](int i, double width) {
      return 2.0 - (std::cos((i + 1) * width) - std::cos(i * width)) / width;
    };
    test::Owned<1> coarse(Box<1>{{-2}, {n + 2}}, 1);
    coarse.fill([&](int, const Index<1>& i) { return mean(i[0], h); });
    test::Owned<1> fine(Box<1>::cube(4 * n), 1);
    prolong_parabolic(test::Advection<1>{}, coarse(), fine(), fine().box(), 4);
    double largest = 0;
    for (int i = 0; i < 4 * n; ++i)
      largest = std::max(largest, std::abs(fine[0, Index<1>{{i}}] - mean(i, h / 4)));
    return largest;
  };
  EXPECT_GT(error(32) / error(64), 7.5);
  EXPECT_GT(error(64) / error(128), 7.5);
}

}  // namespace
}  // namespace thalweg::numerics
