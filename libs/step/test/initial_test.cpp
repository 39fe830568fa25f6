// SPDX-License-Identifier: MIT
#include <thalweg/step/initial.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/exchange/emit/testing/blocks.hpp>
#include <thalweg/step/equations.hpp>
#include <thalweg/step/state.hpp>

namespace thalweg::step {
namespace {

using exchange::testing::on_virtual_ranks;
using exchange::testing::Tracers;
using exchange::testing::VirtualRank;
using TracerPair = Tracers<2>::State;

constexpr PlanSettings three_ghosts{.n_ghosts = 3, .max_comm_tasks = 2};

TEST(RecordInitial, sets_the_cells_of_all_levels_and_no_ghost_cell) {
  on_virtual_ranks(2, [](VirtualRank& self) {
    const Mesh<2> mesh = make_mesh(mesh::testing::random_forest(mesh::testing::cases<2>()[2],
                                                                self.rank(), 2, self.collectives()),
                                   three_ghosts, self.collectives());
    const auto& geometry = mesh.forest.geometry;
    Pools pools{field::LevelField<2>::array_pools(geometry.block_cells(), 3, 2),
                field::LevelField<2>::array_pools(geometry.block_cells(), 0, 2)};
    const State<2> state = make_state(mesh, 3, 2, pools);
    const auto count = [&](const auto& is_right) {
      std::int64_t n_wrong = 0;
      for (std::size_t l = 0; l < state.cells.size(); ++l)
        for (std::size_t b = 0; b < state.cells[l].size(); ++b) {
          const auto& view = state.cells[l].view(b);
          const auto valid = geometry.cells(state.cells[l].keys()[b]);
          for_each(view.box(), [&](const Index<2>& i) {
            n_wrong += is_right(static_cast<int>(l), view, i, valid.contains(i)) ? 0 : 1;
          });
        }
      return n_wrong;
    };
    count([](int, const auto& view, const Index<2>& i, bool) {
      view[0, i] = view[1, i] = -1.0;
      return true;
    });
    auto recorder = self.recorder();
    const auto levels = bind(recorder, mesh, state, 1);

    const InitialState<TracerPair, 2> initial = [](const numerics::CellContext<2>& cell) {
      return TracerPair{3.0 + cell.centre[0], 1.0 + cell.time + cell.level};
    };
    std::vector<int> n_checked(3, 0);
    const CheckCells<2> check = [&](const View<const double, 2>& cells, const Box<2>& valid,
                                    int level) {
      ++n_checked[static_cast<std::size_t>(level)];
      EXPECT_EQ((cells[1, valid.lo]), 1.5 + level);  // it is set
      return true;
    };
    record_initial<2>(recorder, geometry, levels, initial, check, 0.5);
    self.run(std::move(recorder));
    for (std::size_t l = 0; l < state.cells.size(); ++l)
      EXPECT_EQ(n_checked[l], std::ssize(state.cells[l].keys()));

    EXPECT_EQ(count([&](int level, const auto& view, const Index<2>& i, bool is_inside) {
                if (!is_inside) return view[0, i] == -1.0 && view[1, i] == -1.0;
                return view[0, i] == 3.0 + geometry.centre(level, i)[0] &&
                       view[1, i] == 1.5 + level;
              }),
              0);
  });
}

/// What is said of a block of 4 x 4 cells, all of them (1, 1) but one.
std::string objection(const TracerPair& bad, std::vector<std::string> component_names = {}) {
  const Box<2> valid = Box<2>::cube(4);
  std::vector<double> values(View<double, 2>::size_of(valid, 2), 1.0);
  const View<double, 2> cells(values.data(), valid, 2);
  numerics::store(bad, cells.at(0, {{2, 3}}), cells.component_stride());
  const auto equations = equations_of(exchange::testing::TracerScheme<2>{},
                                      {mesh::Geometry<2>(mesh::Geometry<2>::Config{}), {}},
                                      std::move(component_names));
  return objection_to_initial<2>(*equations, cells, valid, 5).value_or("");
}

TEST(ObjectionToInitial, names_the_cell_that_is_no_state_of_the_system_or_not_finite) {
  EXPECT_EQ(objection({1.0, 2.0}), "");
  for (const TracerPair& bad :
       {TracerPair{-1.0, 2.0}, TracerPair{1.0, std::numeric_limits<double>::infinity()},
        TracerPair{std::numeric_limits<double>::quiet_NaN(), 1.0}}) {
    const auto message = objection(bad);
    for (const char* part : {"initial state", "cell (2, 3) on level 5"})
      EXPECT_NE(message.find(part), std::string::npos) << message;
    EXPECT_EQ(message.find("nan"), std::string::npos) << message;
  }
}

TEST(ObjectionToInitial, names_the_components_that_have_names) {
  EXPECT_NE(objection({-1.0, 2.0}).find("would be (-1, 2)"), std::string::npos);
  EXPECT_NE(objection({-1.0, 2.0}, {"dye", "ink"}).find("would be (dye -1, ink 2)"),
            std::string::npos);
}

}  // namespace
}  // namespace thalweg::step
