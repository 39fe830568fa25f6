// SPDX-License-Identifier: MIT
#include <thalweg/exchange/emit/outside_states.hpp>

#include <array>
#include <vector>

#include <gtest/gtest.h>

#include "../../../numerics/test/advection.hpp"

namespace thalweg::exchange {
namespace {

using Advection = numerics::test::Advection<2>;

TEST(OutsideStates, are_asked_for_each_cell_of_a_row_by_place_size_time_and_mirror_image) {
  const mesh::Geometry<2> geometry({.root_blocks = {2, 2}, .block_cells = 8, .max_level = 1});
  const OutsideStates<Advection> states = [&](const numerics::BoundaryCell<Advection>& cell) {
    EXPECT_EQ(cell.level, 1);
    EXPECT_EQ(cell.dx, geometry.cell_size(1));
    return Advection::State{1000.0 * cell.face + 100.0 * cell.time + 10.0 * cell.inside.q +
                            cell.centre[0]};
  };
  const std::array<double, 3> inside{0.3, 0.2, 0.1};
  std::array<double, 3> outside{};
  const SetOutside<2>& set = states;

  // Along x the images lie the other way round.
  set(geometry, 1, 0.5, {0, Index<2>{{-3, 4}}, 3, &inside[2], -1, outside.data(), 1});

  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(outside[static_cast<std::size_t>(i)],
              50.0 + 10.0 * inside[static_cast<std::size_t>(2 - i)] +
                  geometry.centre(1, Index<2>{{i - 3, 4}})[0]);
}

TEST(OutsideStates, may_be_set_a_row_at_a_time) {
  std::vector<int> n_cells;
  const OutsideStates<Advection> states =
      SetOutside<2>([&](const auto&, int, double, const auto& row) { n_cells.push_back(row.n); });
  const mesh::Geometry<2> geometry({.root_blocks = {2, 2}, .block_cells = 8});
  const SetOutside<2>& set = states;

  set(geometry, 0, 0.0, {0, {}, 5, nullptr, 0, nullptr, 1});

  EXPECT_EQ(n_cells, std::vector{5});
  EXPECT_TRUE(states);
  EXPECT_FALSE(OutsideStates<Advection>());
}

}  // namespace
}  // namespace thalweg::exchange
