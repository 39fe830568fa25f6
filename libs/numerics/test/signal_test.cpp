// SPDX-License-Identifier: MIT
#include <thalweg/numerics/signal.hpp>

#include <gtest/gtest.h>

#include <limits>

#include "advection.hpp"
#include "owned.hpp"

namespace thalweg::numerics {
namespace {

/// A system whose state is its speed along y.
struct Speedy : test::Advection<2> {
  double max_speed(Primitive w, int axis) const { return axis == 1 ? w.q : 0.5; }
};

TEST(MaxSignal, is_the_fastest_crossing_of_a_cell_along_any_axis) {
  const test::Advection<2> system{.velocity = {{3.0, -8.0}}};
  const test::Owned<2> u(Box<2>::cube(3), 1);

  EXPECT_EQ(max_signal(system, u(), Box<2>::cube(3), Vec<2>{{0.5, 2.0}}), 6.0);
}

TEST(MaxSignal, finds_the_one_fast_cell_and_looks_at_valid_cells_only) {
  const Box<2> valid{{{1, 1}}, {{8, 6}}};
  for_each(valid, [&](const Index<2>& fast) {
    test::Owned<2> u(valid.grown(1), 1);
    u.fill([&](int, const Index<2>& i) {
      return !valid.contains(i) ? 100.0 : i == fast ? 4.0 : 1.0;
    });

    EXPECT_EQ(max_signal(Speedy{}, u(), valid, Vec<2>{{1.0, 0.5}}), 8.0);
  });
}

TEST(MaxSignal, is_infinite_if_any_valid_state_is_inadmissible_where_that_is_asked_for) {
  const Box<2> valid{{{1, 1}}, {{10, 6}}};
  const Vec<2> dx{{1.0, 0.5}};
  test::Owned<2> u(valid.grown(1), 1);
  const auto signal_with = [&](const Index<2>& cell, double value) {
    u.fill([&](int, const Index<2>& i) { return i == cell ? value : 1.0; });
    return max_signal_if_admissible(Speedy{}, u(), valid, dx);
  };

  EXPECT_EQ(signal_with({{3, 3}}, 4.0), 8.0);
  EXPECT_EQ(signal_with({{0, 3}}, -1.0), 2.0) << "a ghost cell";
  for (const double bad : {-1.0, std::numeric_limits<double>::quiet_NaN()})
    for_each(valid, [&](const Index<2>& cell) {
      EXPECT_EQ(signal_with(cell, bad), std::numeric_limits<double>::infinity());
      EXPECT_LE(max_signal(Speedy{}, u(), valid, dx), 2.0) << "passes over what is bad";
    });
}

}  // namespace
}  // namespace thalweg::numerics
