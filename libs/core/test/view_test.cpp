// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <concepts>
#include <numeric>
#include <thalweg/core/view.hpp>
#include <vector>

namespace thalweg {
namespace {

static_assert(std::convertible_to<View<double, 2>, View<const double, 2>>);
static_assert(!std::convertible_to<View<const double, 2>, View<double, 2>>);

TEST(View, component_is_slowest_then_the_last_axis_and_x_is_contiguous) {
  const Box<3> box{{{-1, 2, 5}}, {{3, 5, 7}}};  // 4 x 3 x 2 cells
  std::vector<int> data(View<int, 3>::size_of(box, 2));
  std::iota(data.begin(), data.end(), 0);
  const View<int, 3> view(data.data(), box, 2);

  int expected = 0;
  for (int c = 0; c < 2; ++c)
    for_each(box, [&](const Index<3>& i) { EXPECT_EQ((view[c, i]), expected++); });

  EXPECT_EQ(view.size(), 48u);
  EXPECT_EQ(view.stride(0), 1);
  EXPECT_EQ(view.stride(1), 4);
  EXPECT_EQ(view.stride(2), 12);
  EXPECT_EQ(view.component_stride(), 24);
  EXPECT_EQ(view.offset(box.lo), 0);
  EXPECT_EQ(view.at(1, box.lo), data.data() + 24);
}

TEST(View, part_has_the_same_memory_and_no_other_cells) {
  const Box<2> box{{{-1, 2}}, {{4, 6}}};
  std::vector<int> data(View<int, 2>::size_of(box, 2));
  std::iota(data.begin(), data.end(), 0);
  const View<int, 2> view(data.data(), box, 2);
  const Box<2> inner{{{1, 3}}, {{3, 5}}};

  const View<const int, 2> part = view.part(inner);

  EXPECT_EQ(part.box(), inner);
  EXPECT_EQ(part.size(), 8u);
  EXPECT_EQ(part.data(), part.at(0, inner.lo));
  EXPECT_EQ(part.component_stride(), view.component_stride());
  for (int c = 0; c < 2; ++c)
    for_each(inner, [&](const Index<2>& i) { EXPECT_EQ(part.at(c, i), view.at(c, i)); });
  EXPECT_EQ(part.part(inner.grown(0)).at(1, inner.lo), view.at(1, inner.lo));
}

TEST(View, writing_goes_to_the_data_it_does_not_own) {
  std::vector<double> data(4, 0.0);
  const View<double, 1> view(data.data(), Box<1>{{{10}}, {{14}}}, 1);

  view[0, {{12}}] = 7;

  EXPECT_EQ(data, (std::vector<double>{0, 0, 7, 0}));
  const View<const double, 1> reading = view;
  EXPECT_EQ((reading[0, {{12}}]), 7);
}

#ifdef THALWEG_CONTRACTS
TEST(View, cells_and_components_outside_are_bugs) {
  std::vector<double> data(8, 0.0);
  const View<double, 2> view(data.data(), Box<2>::cube(2), 2);

  EXPECT_THROW(view.at(2, {{0, 0}}), ContractViolation);
  EXPECT_THROW(view.at(-1, {{0, 0}}), ContractViolation);
  EXPECT_THROW(view.at(0, {{0, 2}}), ContractViolation);
}
#endif

}  // namespace
}  // namespace thalweg
