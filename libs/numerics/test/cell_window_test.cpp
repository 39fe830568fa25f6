// SPDX-License-Identifier: MIT
#include <thalweg/numerics/cell_window.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "advection.hpp"
#include "owned.hpp"

namespace thalweg::numerics {
namespace {

template <int D>
int n_axes_outside(const Box<D>& region, const Index<D>& i) {
  int n = 0;
  for (int a = 0; a < D; ++a) n += i[a] < region.lo[a] || i[a] >= region.hi[a];
  return n;
}

/// See all cells around all cells of a region whose rows take two pieces; where nobody may look
/// there is no number.
template <int D>
void expect_all_around(Around around) {
  using State = typename test::Advection<D>::State;
  Box<D> region;
  for (int a = 0; a < D; ++a) {
    region.lo[a] = a - 2;
    region.hi[a] = region.lo[a] + (a == 0 ? CellWindow<D>::width + 3 : 3 + a);
  }
  const int n_most = around == Around::faces ? 1 : 2;
  const auto field = [](const Index<D>& i) {
    double value = 3.0;
    for (int a = 0; a < D; ++a) value = 100 * value + i[a];
    return value;
  };
  test::Owned<D> u(region.grown(2), 1);
  u.fill([&](int, const Index<D>& i) {
    const bool is_seen = region.grown(1).contains(i) && n_axes_outside(region, i) <= n_most;
    return is_seen ? field(i) : std::numeric_limits<double>::quiet_NaN();
  });
  int n_cells = 0;
  const auto look = [&](const Index<D>& first, int n, const CellWindow<D>& window) {
    ASSERT_LE(n, CellWindow<D>::width);
    n_cells += n;
    for_each(Box<D>::cube(3), [&](Index<D> offset) {
      int distance = 0;
      for (int a = 0; a < D; ++a) distance += std::abs(--offset[a]);
      if (distance > n_most) return;
      for (int i = 0; i < n; ++i) {
        Index<D> cell = first + offset;
        cell[0] += i;
        EXPECT_EQ(window.at(offset)[i], field(cell));
        EXPECT_EQ(window.at(offset)[i + window.stride], -field(cell));
      }
    });
  };
  const auto numbers = [](State s) {
    if (std::isnan(s.q)) ADD_FAILURE() << "of a cell that nobody looks at";
    return std::array{s.q, -s.q};
  };
  for_each_window<State>(u(), region, around, numbers, look);
  EXPECT_EQ(n_cells, region.n_cells());
}

TEST(CellWindow, has_the_cells_that_share_a_face) {
  expect_all_around<1>(Around::faces);
  expect_all_around<2>(Around::faces);
  expect_all_around<3>(Around::faces);
}

TEST(CellWindow, has_the_cells_that_share_an_edge_where_they_are_asked_for) {
  expect_all_around<1>(Around::edges);
  expect_all_around<2>(Around::edges);
  expect_all_around<3>(Around::edges);
}

TEST(CellWindow, looks_at_nothing_where_there_is_no_cell) {
  const test::Owned<2> u(Box<2>::cube(4), 1);
  const auto numbers = [](test::Advection<2>::State) -> std::array<double, 1> {
    ADD_FAILURE() << "of which cell?";
    return {};
  };
  for (const Box<2>& none : {Box<2>{{{1, 1}}, {{3, 1}}}, Box<2>{{{1, 1}}, {{1, 3}}}})
    for_each_window<test::Advection<2>::State>(
        u(), none, Around::edges, numbers,
        [](const auto&, int, const auto&) { ADD_FAILURE() << "of which row?"; });
}

TEST(TagRow, tags_where_a_number_is_above_0_and_leaves_other_tags) {
  std::vector<std::uint8_t> tags(12, 0);
  tags[3] = 1;
  detail::tag_row(tags.data(), 11, [](int i) { return i == 7 ? 0.5 : i == 8 ? -0.5 : 0.0; });
  for (std::size_t i = 0; i < tags.size(); ++i) EXPECT_EQ(tags[i], i == 3 || i == 7 ? 1 : 0) << i;
}

}  // namespace
}  // namespace thalweg::numerics
