// SPDX-License-Identifier: MIT
// Steps without subcycling: all levels together, in nested mode and on leaves.
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <utility>

#include <gtest/gtest.h>

#include <thalweg/core/hash.hpp>
#include <thalweg/flow/graph.hpp>
#include <thalweg/mesh/leaf_nested.hpp>
#include <thalweg/mesh/testing/random_leaves.hpp>
#include <thalweg/numerics/runge_kutta.hpp>
#include <thalweg/numerics/update_runge_kutta.hpp>

#include "stream.hpp"

namespace thalweg::step {
namespace {

using exchange::testing::on_virtual_ranks;
using exchange::testing::random_value;
using exchange::testing::Tracers;
using exchange::testing::TracerScheme;
using exchange::testing::VirtualRank;
using testing::periodic_box;
using testing::Stream;

template <int D>
using Lines = numerics::RungeKutta<Tracers<D>, numerics::PlmVanLeer, numerics::RiemannHlle>;

/// Leaves in a periodic box, all of them of level 1 or on levels 0 to 2 at random.
mesh::Forest<2> leaves(VirtualRank& self, int n_adaptations) {
  mesh::testing::LeafCase<2> c;
  c.rules.geometry = mesh::Geometry<2>(periodic_box<2>(2));
  c.first_level = n_adaptations == 0 ? 1 : 0;
  c.n_adaptations = n_adaptations;
  c.seed = 3;
  auto collectives = self.collectives();
  return mesh::nested_of(mesh::testing::random_leaves(c, self.rank(), self.n_ranks(), collectives),
                         collectives);
}

/// A number that differs where any cell of any rank does in a bit.
template <int D, class Scheme>
std::uint64_t fingerprint(const Stream<D, Scheme>& stream) {
  std::uint64_t sum = 0;
  for (const auto& level : stream.state.cells)
    for (std::size_t b = 0; b < level.size(); ++b) {
      const auto& key = level.keys()[b];
      std::uint64_t h = hash_number(key.code, static_cast<std::uint64_t>(key.level));
      for_each(stream.mesh.forest.geometry.cells(key), [&](const Index<D>& i) {
        for (int c = 0; c < 2; ++c)
          h = hash_number(std::bit_cast<std::uint64_t>(level.view(b)[c, i]), h);
      });
      sum += h;
    }
  return flow::all_reduce(stream.self.transport(), sum, std::plus<std::uint64_t>{});
}

template <class Scheme>
void expect_as_alone() {
  on_virtual_ranks(2, [](VirtualRank& self) {
    const TimeSettings time{.max_steps = 3, .cfl = 0.4, .subcycle = false};
    Stream<2, Scheme> stream(self, leaves(self, 0), time);
    ASSERT_EQ(stream.mesh.n_levels(), 2);
    stream.prepare();
    auto box = periodic_box<2>(0);
    box.root_blocks *= 2;
    Stream<2, Scheme> alone(self, box, time);
    for (std::size_t b = 0; b < alone.state.cells[0].size(); ++b)
      for_each(alone.mesh.forest.geometry.cells(alone.state.cells[0].keys()[b]),
               [&](const Index<2>& i) {
                 for (int c = 0; c < 2; ++c)
                   alone.state.cells[0].view(b)[c, i] = random_value(1, i, c, 0);
               });
    alone.prepare();
    EXPECT_EQ(stream.time_state.dt, 0.4 / 64);

    EXPECT_EQ(stream.step(10), 3u);
    EXPECT_EQ(alone.step(10), 3u);

    EXPECT_EQ(stream.time_state, alone.time_state);
    for (std::size_t b = 0; b < stream.state.cells[1].size(); ++b) {
      const auto& key = stream.state.cells[1].keys()[b];
      const auto other = alone.state.cells[0].find({0, key.code});
      ASSERT_TRUE(other.has_value());
      for_each(stream.mesh.forest.geometry.cells(key), [&](const Index<2>& i) {
        for (int c = 0; c < 2; ++c)
          EXPECT_EQ((stream.state.cells[1].view(b)[c, i]),
                    (alone.state.cells[0].view(*other)[c, i]));
      });
    }
  });
}

TEST(Together, a_level_that_covers_all_does_what_it_does_alone) {
  expect_as_alone<TracerScheme<2>>();
}
TEST(Together, a_level_that_covers_all_does_what_it_does_alone_in_each_of_several_stages) {
  expect_as_alone<Lines<2>>();
}

TEST(Together, blocks_that_finer_ones_cover_are_not_advanced) {
  on_virtual_ranks(1, [](VirtualRank& self) {
    Stream<2> stream(self, leaves(self, 3), {.subcycle = false});
    auto recorder = self.recorder();
    const auto levels = bind(recorder, stream.mesh, stream.state, 1);
    StepRecorder<2> step(recorder, stream.settings, stream.mesh, levels, stream.time_state);
    step.record_step(stream.observer);
    const auto graph = flow::capture(std::move(recorder), flow::Model::dataflow);

    std::set<mesh::Key<2>> expected;
    for (const auto& set : stream.mesh.forest.levels)
      for (const auto& key : set.keys)
        if (!stream.mesh.is_covered(key)) expected.insert(key);
    std::set<mesh::Key<2>> advanced;
    for (const auto& node : graph.nodes())
      if (graph.names()[node.name] == "advance") advanced.insert({node.level, node.block});
    EXPECT_EQ(advanced, expected);
  });
}

/// What grows everywhere alike stays alike, to the bit: no block may see others as they were
/// before.
template <class Scheme>
void expect_uniform_growth() {
  on_virtual_ranks(3, [](VirtualRank& self) {
    Stream<2, Scheme> stream(self, leaves(self, 3),
                             {.max_steps = 3, .cfl = 0.3, .subcycle = false});
    stream.settings.source = [](const View<double, 2>& cells, const Box<2>& region,
                                const SourceStep& step) {
      for_each(region, [&](const Index<2>& i) {
        for (int c = 0; c < 2; ++c) cells[c, i] += 64 * step.dt;
      });
    };
    const auto for_each_cell = [&](const auto& f) {
      for (const auto& level : stream.state.cells)
        for (std::size_t b = 0; b < level.size(); ++b)
          for_each(stream.mesh.forest.geometry.cells(level.keys()[b]),
                   [&](const Index<2>& i) { f(level.view(b)[0, i], level.view(b)[1, i]); });
    };
    for_each_cell([](double& u, double& v) { u = v = 1.5; });
    stream.prepare();

    EXPECT_EQ(stream.step(10), 3u);

    std::optional<double> expected;
    for_each_cell([&](double u, double v) {
      if (!expected) expected = u;
      EXPECT_EQ(u, *expected);
      EXPECT_EQ(v, *expected);
    });
    EXPECT_GT(*expected, 1.6);
  });
}

TEST(Together, what_grows_everywhere_alike_stays_alike) {
  expect_uniform_growth<TracerScheme<2>>();
  expect_uniform_growth<Lines<2>>();
}

/// Take some steps; the sum must stay, and all cells be the same on any number of ranks.
template <class Scheme>
void expect_conserved(const std::function<mesh::Forest<2>(VirtualRank&)>& make_forest) {
  std::optional<std::uint64_t> expected;
  for (const int n_ranks : {1, 2, 3})
    on_virtual_ranks(n_ranks, [&](VirtualRank& self) {
      Stream<2, Scheme> stream(self, make_forest(self),
                               {.max_steps = 10, .cfl = 0.3, .subcycle = false});
      ASSERT_EQ(stream.mesh.n_levels(), 3);
      std::int64_t n_covered = 0;
      for (int l = 0; l < 3; ++l) n_covered += stream.mesh.n_covered(l);
      n_covered = flow::all_reduce(self.transport(), n_covered, std::plus<std::int64_t>{});
      EXPECT_GT(n_covered, 0);
      EXPECT_LT(n_covered,
                stream.mesh.forest.level(0).n_global + stream.mesh.forest.level(1).n_global)
          << "some coarse blocks are advanced, too";
      stream.prepare();
      EXPECT_EQ(stream.time_state.dt, 0.3 / 128) << "the finest level's";
      const double before = stream.total();

      EXPECT_EQ(stream.step(100), 10u);

      EXPECT_NEAR(stream.total() / before, 1.0, 1e-14);
      const std::uint64_t print = fingerprint(stream);
      if (!expected) expected = print;
      EXPECT_EQ(print, *expected) << n_ranks << " ranks";
    });
}

TEST(Together, leaves_conserve_on_any_number_of_ranks) {
  expect_conserved<TracerScheme<2>>([](VirtualRank& self) { return leaves(self, 3); });
}
TEST(Together, leaves_conserve_in_several_stages) {
  expect_conserved<Lines<2>>([](VirtualRank& self) { return leaves(self, 3); });
}
TEST(Together, nested_blocks_conserve) {
  expect_conserved<TracerScheme<2>>([](VirtualRank& self) {
    return mesh::testing::random_forest<2>({periodic_box<2>(2), 12}, self.rank(), self.n_ranks(),
                                           self.collectives());
  });
}

}  // namespace
}  // namespace thalweg::step
