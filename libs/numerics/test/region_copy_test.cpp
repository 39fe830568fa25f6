// SPDX-License-Identifier: MIT
#include <thalweg/numerics/region_copy.hpp>

#include <array>

#include <gtest/gtest.h>

#include "owned.hpp"

namespace thalweg::numerics {
namespace {

template <int D>
double number(int c, const Index<D>& i) {
  double v = 1 + c;
  for (int a = 0; a < D; ++a) v = 64 * v + i[a];
  return v;
}

/// Two regions beside each other along x, of two sources that lie elsewhere, in all widths.
template <int D>
void expect_both_regions() {
  constexpr int n_components = 2;
  for (int width = 1; width <= 33; ++width) {
    SCOPED_TRACE(width);
    Box<D> cells = Box<D>::cube(5);
    cells.hi[0] = 2 * width + 2;
    test::Owned<D> first(cells, n_components), second(cells.grown(1), n_components);
    test::Owned<D> to(cells, n_components);
    first.fill(number<D>);
    second.fill([](int c, const Index<D>& i) { return -number(c, i); });
    to.fill([](int, const Index<D>&) { return 0.0; });
    Box<D> left = Box<D>::cube(4);
    left.lo[D - 1] = 1;
    left.lo[0] = 1;
    left.hi[0] = 1 + width;
    const Box<D> right = left.shifted(width * Index<D>::unit(0));
    const Index<D> back = -width * Index<D>::unit(0);
    const Index<D> up = Index<D>::unit(D - 1);

    const std::array copies{find_region<D>(first(), to(), left),
                            find_region<D>(second(), to(), right, back + up)};
    copy_regions<D>(copies, to());

    int n_wrong = 0;
    for (int c = 0; c < n_components; ++c)
      for_each(cells, [&](const Index<D>& i) {
        const double expected = left.contains(i)    ? number(c, i)
                                : right.contains(i) ? -number(c, i + back + up)
                                                    : 0.0;
        n_wrong += to[c, i] != expected;
      });
    EXPECT_EQ(n_wrong, 0);
  }
}

TEST(CopyRegions, brings_each_region_from_its_own_source_1d) {
  expect_both_regions<1>();
}
TEST(CopyRegions, brings_each_region_from_its_own_source_2d) {
  expect_both_regions<2>();
}
TEST(CopyRegions, brings_each_region_from_its_own_source_3d) {
  expect_both_regions<3>();
}

TEST(FindRegion, needs_no_memory_where_cells_will_go) {
  test::Owned<1> from(Box<1>::cube(4), 1), to(Box<1>::cube(3), 1);
  from.fill(number<1>);
  const View<double, 1> shape(nullptr, Box<1>::cube(3), 1);

  const auto copy = find_region<1>(from(), shape, Box<1>::cube(3), {{1}});
  copy_regions<1>({&copy, 1}, to());

  for (int i = 0; i < 3; ++i) EXPECT_EQ((to[0, {{i}}]), (from[0, {{i + 1}}]));
}

TEST(FindRegion, refuses_cells_that_one_of_the_views_lacks) {
  test::Owned<1> from(Box<1>::cube(4), 1), to(Box<1>::cube(6), 1), other(Box<1>::cube(6), 2);

  EXPECT_THROW(find_region<1>(from(), to(), Box<1>::cube(5)), ContractViolation);
  EXPECT_THROW(find_region<1>(to(), from(), Box<1>::cube(5)), ContractViolation);
  EXPECT_THROW(find_region<1>(from(), other(), Box<1>::cube(2)), ContractViolation);
}

}  // namespace
}  // namespace thalweg::numerics
