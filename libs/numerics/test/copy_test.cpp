// SPDX-License-Identifier: MIT
#include <thalweg/numerics/copy.hpp>

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/core/random.hpp>

#include "owned.hpp"

namespace thalweg::numerics {
namespace {

double number_of_cell(int c, const Index<2>& i) {
  return 1000.0 * c + 10.0 * i[1] + i[0];
}

TEST(CopyCells, takes_each_cell_from_its_shifted_place_and_touches_no_other) {
  test::Owned<2> from(Box<2>::cube(8), 2), to(Box<2>::cube(4), 2);
  from.fill(number_of_cell);
  to.fill([](int, const Index<2>&) { return -1.0; });
  const Box<2> region{{{1, 2}}, {{3, 4}}};
  const Index<2> shift{{4, 3}};

  copy_cells(from(), to(), region, shift);

  for (int c = 0; c < 2; ++c)
    for_each(Box<2>::cube(4), [&](const Index<2>& i) {
      EXPECT_EQ((to[c, i]), region.contains(i) ? number_of_cell(c, i + shift) : -1.0);
    });
}

/// Copy regions of all widths from one view to another of another shape.
template <int D>
void expect_copies_of_all_widths() {
  const auto value = [](int c, const Index<D>& i) {
    double v = 1e6 * c;
    for (int a = 0; a < D; ++a) v = 20 * v + i[a];
    return v;
  };
  for (int width = 0; width <= 7; ++width) {
    test::Owned<D> from(Box<D>::cube(12), 3), to(Box<D>::cube(9), 3);
    from.fill(value);
    to.fill([](int, const Index<D>&) { return -1.0; });
    Box<D> region{Index<D>::filled(1), Index<D>::filled(4)};
    region.hi[0] = 1 + width;
    const Index<D> shift = Index<D>::filled(2) + Index<D>::unit(D - 1);

    copy_cells(from(), to(), region, shift);

    for (int c = 0; c < 3; ++c)
      for_each(Box<D>::cube(9), [&](const Index<D>& i) {
        EXPECT_EQ((to[c, i]), region.contains(i) ? value(c, i + shift) : -1.0) << "width " << width;
      });
  }
}

TEST(CopyCells, copies_rows_of_all_widths_1d) {
  expect_copies_of_all_widths<1>();
}
TEST(CopyCells, copies_rows_of_all_widths_2d) {
  expect_copies_of_all_widths<2>();
}
TEST(CopyCells, copies_rows_of_all_widths_3d) {
  expect_copies_of_all_widths<3>();
}

TEST(InterpolateCells, is_linear_in_time_and_exact_at_the_start) {
  test::Owned<2> before(Box<2>::cube(2), 1), after(Box<2>::cube(2), 1), to(Box<2>::cube(2), 1);
  before.fill([](int, const Index<2>&) { return 0.1; });
  after.fill([](int, const Index<2>&) { return 0.5; });

  interpolate_cells(before(), after(), 0.25, to(), Box<2>::cube(2));
  EXPECT_DOUBLE_EQ((to[0, Index<2>{}]), 0.2);
  interpolate_cells(before(), after(), 0.0, to(), Box<2>::cube(2));
  EXPECT_EQ((to[0, Index<2>{}]), 0.1);
  interpolate_cells(before(), before(), 0.3, to(), Box<2>::cube(2));
  EXPECT_EQ((to[0, Index<2>{}]), 0.1);
}

/// Rows of all widths, between arrays of different shapes.
template <int D>
void expect_interpolates_rows_of_all_widths() {
  constexpr int n_components = 2;
  const auto shift = Index<D>::unit(D - 1);
  for (int width = 1; width <= 20; ++width) {
    Box<D> region = Box<D>::cube(3);
    region.hi[0] = width;
    test::Owned<D> before(region.shifted(shift).grown(2), n_components);
    test::Owned<D> after(region.shifted(shift).grown(1), n_components);
    test::Owned<D> to(region.grown(3), n_components);
    SplitMix64 random(5);
    const auto any = [&](int, const Index<D>&) { return random.uniform(); };
    before.fill(any);
    after.fill(any);

    interpolate_cells<D>(before(), after(), 0.75, to(), region, shift);

    for (int c = 0; c < n_components; ++c)
      for_each(to().box(), [&](const Index<D>& i) {
        if (!region.contains(i)) {
          EXPECT_TRUE(std::isnan(to[c, i])) << width;
          return;
        }
        const double a = before[c, i + shift], b = after[c, i + shift];
        EXPECT_EQ((to[c, i]), a + 0.75 * (b - a)) << width;
      });
  }
}

TEST(InterpolateCells, interpolates_rows_of_all_widths_1d) {
  expect_interpolates_rows_of_all_widths<1>();
}
TEST(InterpolateCells, interpolates_rows_of_all_widths_2d) {
  expect_interpolates_rows_of_all_widths<2>();
}
TEST(InterpolateCells, interpolates_rows_of_all_widths_3d) {
  expect_interpolates_rows_of_all_widths<3>();
}

}  // namespace
}  // namespace thalweg::numerics
