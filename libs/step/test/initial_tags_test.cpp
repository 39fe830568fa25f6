// SPDX-License-Identifier: MIT
#include <thalweg/step/initial_tags.hpp>

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/exchange/emit/testing/blocks.hpp>
#include <thalweg/step/fill_levels.hpp>
#include <thalweg/step/regrid.hpp>
#include <thalweg/step/state.hpp>

namespace thalweg::step {
namespace {

using exchange::testing::on_virtual_ranks;
using exchange::testing::Tracers;
using exchange::testing::VirtualRank;

constexpr int n_ghosts = exchange::testing::TracerScheme<1>::n_ghosts;
constexpr double start = 0.25;

/// A random mesh on one rank, its equations and its initial state, which differs from cell to cell.
template <int D>
struct Start {
  explicit Start(VirtualRank& self, const mesh::testing::Case<D>& c)
      : mesh(make_mesh(mesh::testing::random_forest(c, self.rank(), 1, self.collectives()),
                       {.n_ghosts = n_ghosts}, self.collectives())),
        equations(equations_of(
            exchange::testing::TracerScheme<D>{},
            {mesh.forest.geometry, exchange::testing::boundaries(mesh.forest.geometry)})) {}

  exchange::FillContext<D> boundary() const {
    return equations->boundary({[] { return start; }});
  }
  InitialCells<D> cells() const { return {mesh, boundary(), *equations, initial, check, start}; }

  Mesh<D> mesh;
  std::shared_ptr<const Equations<D>> equations;
  CheckCells<D> check = [this](const auto& cells, const auto& valid, int level) {
    return !objection_to_initial<D>(*equations, cells, valid, level);
  };
  SetCells<D> initial =
      InitialState<typename Tracers<D>::State, D>([](const numerics::CellContext<D>& cell) {
        double sum = cell.level + cell.time;
        for (int a = 0; a < D; ++a) sum += (a + 1) * std::sin(37 * cell.centre[a]);
        return typename Tracers<D>::State{10 + sum, 2 + std::cos(5 * sum)};
      });
};

template <int D>
void expect_the_bits_of_a_fill() {
  for (const auto& c : exchange::testing::few_cases<D>())
    on_virtual_ranks(1, [&](VirtualRank& self) {
      const Start<D> problem(self, c);
      const auto& geometry = problem.mesh.forest.geometry;
      Pools pools{field::LevelField<D>::array_pools(geometry.block_cells(), n_ghosts, 2),
                  field::LevelField<D>::array_pools(geometry.block_cells(), 0, 2)};
      const State<D> state = make_state(problem.mesh, n_ghosts, 2, pools);
      auto recorder = self.recorder();
      const auto levels = bind(recorder, problem.mesh, state, 1);
      record_initial<D>(recorder, geometry, levels, problem.initial, problem.check, start);
      record_fill(recorder, problem.boundary(), problem.mesh, levels);
      self.run(std::move(recorder));

      const auto initial = problem.cells();
      std::int64_t n_wrong = 0, n = 0;
      for (const auto& of_level : state.cells)
        for (std::size_t b = 0; b < of_level.size(); ++b) {
          const auto& filled = of_level.view(b);
          std::vector<double> values(filled.size(), std::numeric_limits<double>::quiet_NaN());
          ASSERT_EQ(filled.box(), initial.with_ghosts(of_level.keys()[b]));
          EXPECT_TRUE(initial.set(of_level.keys()[b], {values.data(), filled.box(), 2}));
          for (std::size_t i = 0; i < values.size(); ++i, ++n)
            n_wrong += std::bit_cast<std::uint64_t>(values[i]) !=
                       std::bit_cast<std::uint64_t>(filled.data()[i]);
        }
      EXPECT_EQ(n_wrong, 0) << "of " << n << ", seed " << c.seed;
      EXPECT_GT(n, 0);
    });
}

TEST(InitialCells, are_those_of_a_mesh_that_was_set_and_filled) {
  expect_the_bits_of_a_fill<1>();
  expect_the_bits_of_a_fill<2>();
  expect_the_bits_of_a_fill<3>();
}

TEST(InitialCells, say_where_they_are_no_state_and_ask_no_tags_there) {
  on_virtual_ranks(1, [](VirtualRank& self) {
    Start<2> problem(self, mesh::testing::cases<2>()[2]);
    problem.initial = InitialState<Tracers<2>::State, 2>(
        [](const auto&) { return Tracers<2>::State{-1.0, 1.0}; });
    const auto initial = problem.cells();
    const auto key = problem.mesh.forest.level(0).keys.front();
    std::vector<double> values(View<double, 2>::size_of(initial.with_ghosts(key), 2));
    EXPECT_FALSE(initial.set(key, {values.data(), initial.with_ghosts(key), 2}));

    const SetTags<2> tag = [](const auto&, const auto&, const auto&, const auto&) {
      ADD_FAILURE() << "what is to be seen there?";
    };
    std::vector<std::vector<mesh::Key<2>>> wanted;
    auto recorder = self.recorder();
    record_wanted_at_start(recorder, initial, tag, 1, 1, 0, wanted);
    self.run(std::move(recorder));
    EXPECT_TRUE(merged_keys(wanted).empty());
  });
}

TEST(RecordWantedAtStart, asks_for_what_the_tags_of_a_filled_mesh_ask_for) {
  on_virtual_ranks(1, [](VirtualRank& self) {
    const Start<2> problem(self, mesh::testing::cases<2>()[2]);
    const auto& geometry = problem.mesh.forest.geometry;
    const SetTags<2> tag = RefinementTags<Tracers<2>::State, 2>(
        [](const auto&, const auto& here) { return here(0, +1).a - here(1, -1).a > 1.5; });
    Pools pools{field::LevelField<2>::array_pools(geometry.block_cells(), n_ghosts, 2),
                field::LevelField<2>::array_pools(geometry.block_cells(), 0, 2)};
    const State<2> state = make_state(problem.mesh, n_ghosts, 2, pools);
    auto recorder = self.recorder();
    const auto levels = bind(recorder, problem.mesh, state, 1);
    record_initial<2>(recorder, geometry, levels, problem.initial, problem.check, start);
    const auto tags = record_tags(recorder, problem.boundary(), problem.mesh, levels, tag, start);
    self.run(std::move(recorder));

    std::vector<std::vector<mesh::Key<2>>> all;
    const auto initial = problem.cells();
    for (int l = 0; l < std::min(problem.mesh.n_levels(), geometry.max_level()); ++l) {
      std::vector<std::vector<mesh::Key<2>>> of_blocks;
      auto without_cells = self.recorder();
      record_wanted_at_start(without_cells, initial, tag, 1, 1, l, of_blocks);
      self.run(std::move(without_cells));
      all.push_back(merged_keys(of_blocks));
    }
    const auto wanted = merged_keys(all);

    EXPECT_EQ(wanted, wanted_blocks(problem.mesh.forest, tags, 1));
    EXPECT_FALSE(wanted.empty());
  });
}

}  // namespace
}  // namespace thalweg::step
