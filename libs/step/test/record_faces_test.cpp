// SPDX-License-Identifier: MIT
// A field on faces through steps and regrids of random forests.
#include <thalweg/step/record_faces.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/exchange/emit/testing/blocks.hpp>
#include <thalweg/step/face_equations.hpp>
#include <thalweg/step/record_step.hpp>
#include <thalweg/step/regrid.hpp>

namespace thalweg::step {
namespace {

using exchange::testing::on_virtual_ranks;
using exchange::testing::VirtualRank;

struct Seen {
  double x, y, divergence;
};

/// A field that decays by itself: e is a potential of it, as no physics has it, but any e will do.
struct Rotation : numerics::FaceLaw<Rotation, Seen> {
  double electric_field(const numerics::ConstFaceViews<2>& b, const Index<2>& i) const {
    return b[0][0, i] - b[0][0, i - Index<2>::unit(1)] + 2 * b[1][0, i - Index<2>::unit(0)];
  }
  Seen cell(const numerics::ConstFaceViews<2>& b, const Index<2>& i, const Vec<2>& dx) const {
    const Vec<2> mean = numerics::mean_over_cell<2>(b, i);
    return {mean[0], mean[1], numerics::divergence<2>(b, i, dx)};
  }
  numerics::Speeds speeds(Seen, int) const { return {-1, 1}; }
};
using Scheme = numerics::ConstrainedTransport<Rotation>;

const std::vector<field::Field> fields{
    {.name = "b", .place = field::Place::faces, .n_ghosts = Scheme::n_ghosts_of_faces},
    {.name = "e", .role = field::Role::derived, .place = field::Place::nodes}};

/// What is kept of a run on one rank, and of where it is.
struct World {
  VirtualRank& self;
  PlanSettings plan_settings{
      .n_ghosts = 1, .max_comm_tasks = 3, .points = field::point_arrays(fields, 2)};
  Mesh<2> mesh;
  Pools pools;
  State<2> state;
  StepSettings<2> settings;
  TimeState time_state{.dt = 0.01};

  World(VirtualRank& rank, mesh::Forest<2> forest)
      : self(rank),
        mesh(make_mesh(std::move(forest), plan_settings, self.collectives())),
        settings{equations_of(Scheme{}, {mesh.forest.geometry, {}}), {.subcycle = false}} {
    pools.cells.push_back(pool(1, 3, {}));
    pools.saved.push_back(pool(0, 3, {}));
    for (const auto& points : mesh.points)
      pools.points.push_back(pool(points.n_ghosts, 1, points.centring<2>()));
    state = make_state(mesh, 1, 3, pools, Saved::none);
  }
  field::BlockPool pool(int n_ghosts, int n_components, const Centring<2>& centring) const {
    return field::BlockPool(field::LevelField<2>::block_size(mesh.forest.geometry.block_cells(),
                                                             n_ghosts, n_components, centring));
  }
  /// Record by f(step recorder) and run.
  template <class Record>
  void run(const Record& record, StepBackup<2>* backup = nullptr) {
    auto recorder = self.recorder();
    const auto levels = bind(recorder, mesh, state, 1);
    StepRecorder<2> step(recorder, settings, mesh, levels, time_state,
                         bind_points(recorder, mesh, state, 1), backup);
    record(step);
    self.run(std::move(recorder));
  }
  void step(StepBackup<2>* backup = nullptr) {
    struct {
      StepSums sample() const { return {}; }
      void report(const TimeState&, const StepSums&) {}
    } silent;
    run([&](auto& recorder) { recorder.record_step(silent); }, backup);
  }
  void start() {
    run([](auto& step) {
      step.record_initial_faces(InitialPotential([](const numerics::CellContext<2>& node) {
        return std::sin(2 * node.centre[0]) + node.centre[0] * node.centre[1];
      }));
      step.record_restriction();
    });
  }
  void regrid(mesh::Forest<2> forest) {
    Mesh<2> next = make_mesh(std::move(forest), plan_settings, self.collectives());
    State<2> state_of_next = make_state(next, 1, 3, pools, state, Saved::none);
    auto recorder = self.recorder();
    record_move(recorder, settings.equations->boundary({}), mesh, state, next, state_of_next, 1,
                plan_settings, {}, 0.0, self.collectives());
    self.run(std::move(recorder));
    mesh = std::move(next);
    state = std::move(state_of_next);
    run([](auto& step) { step.record_restriction(); });
  }
  /// The largest divergence, in what one face that is wrong by 1 would give.
  double divergence() const {
    double most = 0;
    for (std::size_t l = 0; l < state.cells.size(); ++l)
      for (std::size_t b = 0; b < state.cells[l].size(); ++b)
        for_each(mesh.forest.geometry.cells(state.cells[l].keys()[b]), [&](const Index<2>& i) {
          most = std::max(most, std::abs(state.cells[l].view(b)[2, i]) *
                                    mesh.forest.geometry.cell_size(static_cast<int>(l))[0]);
        });
    return most;
  }
  /// Every face of a block with its level, for who compares.
  std::vector<std::pair<std::pair<int, Index<2>>, double>> faces(std::size_t axis) const {
    std::vector<std::pair<std::pair<int, Index<2>>, double>> all;
    for (std::size_t l = 0; l < state.points[axis].size(); ++l)
      for (std::size_t b = 0; b < state.points[axis][l].size(); ++b) {
        const auto& level = state.points[axis][l];
        for_each(Centring<2>::face(static_cast<int>(axis))
                     .points(mesh.forest.geometry.cells(level.keys()[b])),
                 [&](const Index<2>& i) {
                   all.push_back({{static_cast<int>(l), i}, level.view(b)[0, i]});
                 });
      }
    return all;
  }
};

mesh::testing::Case<2> periodic_case() {
  mesh::Geometry<2>::Config config;
  config.root_blocks = {{4, 3}};
  config.block_cells = 8;
  config.max_level = 2;
  config.periodic = {{true, true}};
  return {config, 12};
}

mesh::Forest<2> random_forest(VirtualRank& self) {
  return mesh::testing::random_forest<2>(periodic_case(), self.rank(), self.n_ranks(),
                                         self.collectives());
}

/// All faces after two steps and a regrid, each with its place; every rank's parts together.
std::vector<std::pair<std::pair<int, Index<2>>, double>> faces_on(int n_ranks) {
  std::vector<std::pair<std::pair<int, Index<2>>, double>> all;
  on_virtual_ranks(n_ranks, [&](VirtualRank& self) {
    World world(self, random_forest(self));
    world.start();
    EXPECT_LT(world.divergence(), 1e-13);
    world.step();
    EXPECT_LT(world.divergence(), 1e-13);
    world.regrid(mesh::regrid<2>(
        world.mesh.forest, mesh::testing::random_wanted(world.mesh.forest, 7), self.collectives()));
    EXPECT_LT(world.divergence(), 1e-13);
    world.step();
    EXPECT_LT(world.divergence(), 1e-13);
    for (const std::size_t axis : {0, 1}) {
      const auto mine = world.faces(axis);
      all.insert(all.end(), mine.begin(), mine.end());
    }
  });
  return all;
}

TEST(RecordFaces, keep_a_field_free_of_divergence_through_steps_and_a_regrid_on_any_ranks) {
  const auto sorted = [](auto all) {
    std::ranges::sort(all, {}, [](const auto& face) {
      return std::tuple(face.first.first, face.first.second.at, face.second);
    });
    return all;
  };
  const auto alone = sorted(faces_on(1));
  EXPECT_GT(alone.size(), 3000u);
  for (const int n_ranks : {2, 3, 40}) EXPECT_TRUE(sorted(faces_on(n_ranks)) == alone) << n_ranks;
}

TEST(RecordFaces, are_what_they_were_after_a_step_that_was_rejected) {
  for (const int n_ranks : {1, 2, 3, 40})
    on_virtual_ranks(n_ranks, [](VirtualRank& self) {
      World world(self, random_forest(self)), other(self, random_forest(self));
      StepBackup<2> backup(world.mesh.forest.geometry.block_cells(), 3, world.mesh.points);
      backup.set_mesh(world.mesh, world.state, Saved::none, world.settings.time);
      for (World* both : {&world, &other}) {
        both->start();
        both->step();
      }
      const auto faces = std::pair(world.faces(0), world.faces(1));

      world.time_state.dt = 10;
      world.step(&backup);
      EXPECT_TRUE(world.time_state.is_rejected);
      backup.put_back(world.state);
      world.time_state = other.time_state;
      world.run([](auto& step) { step.record_restriction(); });

      EXPECT_EQ(std::pair(world.faces(0), world.faces(1)), faces);
      EXPECT_LT(world.divergence(), 1e-13);
      world.step(&backup);
      other.step();
      EXPECT_FALSE(world.time_state.is_rejected);
      EXPECT_EQ(world.faces(0), other.faces(0));
      EXPECT_EQ(world.faces(1), other.faces(1));
    });
}

TEST(RecordFaces, move_what_was_kept_to_the_bit_and_cells_follow_from_faces) {
  on_virtual_ranks(3, [](VirtualRank& self) {
    World world(self, random_forest(self));
    world.start();
    const auto before = world.mesh.forest;
    auto old_faces = world.faces(0);
    world.regrid(mesh::regrid<2>(before, {}, self.collectives()));  // level 0 alone is left
    EXPECT_EQ(world.mesh.n_levels(), 1);
    for (std::size_t b = 0; b < world.state.cells[0].size(); ++b) {
      const auto& x = world.state.points[0][0].view(b);
      for_each(world.mesh.forest.geometry.cells(world.state.cells[0].keys()[b]),
               [&](const Index<2>& i) {
                 EXPECT_EQ((world.state.cells[0].view(b)[0, i]),
                           0.5 * (x[0, i] + x[0, i + Index<2>::unit(0)]));
               });
    }
    int n_found = 0;
    for (const auto& [place, value] : world.faces(0))
      for (const auto& [old_place, old_value] : old_faces)
        if (place == old_place) {
          EXPECT_EQ(value, old_value);
          ++n_found;
        }
    EXPECT_GT(n_found, 0);
  });
}

}  // namespace
}  // namespace thalweg::step
