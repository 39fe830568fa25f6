// SPDX-License-Identifier: MIT
#include <thalweg/numerics/detail/planes.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

namespace thalweg::numerics::detail {
namespace {

/// Numbers that tell all cells and components apart.
template <int D>
double number_of(int component, const Index<D>& cell) {
  double number = component;
  for (int a = 0; a < D; ++a) number = 100 * number + cell[a];
  return number;
}

template <int D>
TwoPlanes<D> take_planes(const Box<D>& box, std::vector<std::byte>& bytes) {
  Scratch counting;
  TwoPlanes<D>(box, 2, counting);
  bytes.resize(counting.n_bytes());
  Scratch scratch(bytes);
  return {box, 2, scratch};
}

/// Set the planes of a box one by one, and read what was set in each and in the one before.
template <int D>
void expect_last_two_kept(const Box<D>& box) {
  std::vector<std::byte> bytes;
  const TwoPlanes<D> planes = take_planes(box, bytes);
  const auto visit = [&](int plane, auto&& f) {
    for_each(in_plane(box, plane), [&](const Index<D>& cell) {
      for (int c = 0; c < 2; ++c) f(*planes.at(c, cell), number_of(c, cell));
    });
  };
  for_each_plane(box, [&](int plane) {
    visit(plane, [](double& here, double number) { here = number; });
    for (const int p : {plane - 1, plane})
      visit(p, [](double here, double number) { EXPECT_EQ(here, number); });
  });
}

TEST(Planes, APlaneAndTheOneBeforeAreKept) {
  expect_last_two_kept<1>({{{-2}}, {{5}}});
  expect_last_two_kept<2>({{{-1, -3}}, {{4, 4}}});
  expect_last_two_kept<3>({{{-1, 2, -3}}, {{4, 5, 3}}});
}

TEST(Planes, ThoseOfABoxAreAllOfIt) {
  const Box<3> box{{{0, 0, -1}}, {{2, 3, 2}}};
  std::vector<int> planes;
  std::int64_t n_cells = 0;
  for_each_plane(box, [&](int plane) {
    planes.push_back(plane);
    n_cells += in_plane(box, plane).n_cells();
  });
  EXPECT_EQ(planes, (std::vector{-1, 0, 1}));
  EXPECT_EQ(n_cells, box.n_cells());
  EXPECT_TRUE(in_plane(box, 2).is_empty());
}

TEST(Planes, InOneDimensionAllIsOnePlane) {
  const Box<1> box{{{-3}}, {{9}}};
  int n = 0;
  for_each_plane(box, [&](int plane) {
    ++n;
    EXPECT_EQ(in_plane(box, plane), box);
  });
  EXPECT_EQ(n, 1);
}

TEST(Planes, TwoTakeTheMemoryOfTwo) {
  std::vector<std::byte> two, many;
  take_planes<3>({{{0, 0, 0}}, {{8, 8, 2}}}, two);
  take_planes<3>({{{0, 0, 0}}, {{8, 8, 40}}}, many);
  EXPECT_EQ(two.size(), many.size());
}

}  // namespace
}  // namespace thalweg::numerics::detail
