// SPDX-License-Identifier: MIT
#include <thalweg/numerics/cell_context.hpp>

#include <functional>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "owned.hpp"

namespace thalweg::numerics {
namespace {

struct State {
  double a;
  double b;
};

TEST(StateStencil, reads_the_cell_and_those_around_along_axes_and_at_offsets) {
  test::Owned<3> cells(Box<3>::cube(5), 2);
  cells.fill([](int c, const Index<3>& i) { return 1000 * c + 100 * i[0] + 10 * i[1] + i[2]; });
  const StateStencil<State, 3> here(cells(), {{2, 1, 3}}, 3);

  EXPECT_EQ(here().a, 213);
  EXPECT_EQ(here().b, 1213);
  EXPECT_EQ(here(0, -2).a, 13);
  EXPECT_EQ(here(1, +3).b, 1243);
  EXPECT_EQ(here(2, 0).a, 213);
  EXPECT_EQ(here({{1, -1, -3}}).b, 1300);
}

TEST(StateStencil, reaches_as_far_as_there_are_ghost_cells_and_says_so_beyond) {
  test::Owned<2> cells(Box<2>::cube(9), 1);
  const StateStencil<State, 2> here(cells(), {{4, 4}}, 2);
  EXPECT_NO_THROW(here(1, -2));
  EXPECT_NO_THROW(here({{2, -2}}));
  for (const auto& read : {std::function<void()>([&] { here(0, 3); }),
                           std::function<void()>([&] { here({{0, -3}}); })})
    try {
      read();
      ADD_FAILURE() << "3 cells away were read";
    } catch (const std::out_of_range& error) {
      EXPECT_NE(std::string(error.what()).find("3 cells away (there are 2 layers"),
                std::string::npos)
          << error.what();
    }
}

TEST(StateStencil, of_a_function_of_its_cell_alone_says_what_to_declare) {
  test::Owned<1> cells(Box<1>::cube(3), 1);
  const StateStencil<State, 1> here(cells(), {{1}}, 0);
  try {
    here(0, -1);
    ADD_FAILURE() << "a neighbour was read";
  } catch (const std::out_of_range& error) {
    const std::string said = error.what();
    EXPECT_NE(said.find("1 cells away (it is declared to read no other cell"), std::string::npos)
        << said;
    EXPECT_NE(said.find("Reads::neighbours"), std::string::npos) << said;
  }
}

TEST(CellContext, of_a_place_and_a_size_is_on_level_0_at_time_0) {
  const CellContext<2> cell{{{0.5, 1.5}}, {{0.1, 0.2}}};
  EXPECT_EQ(cell.level, 0);
  EXPECT_EQ(cell.time, 0.0);
}

}  // namespace
}  // namespace thalweg::numerics
