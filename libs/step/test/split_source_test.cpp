// SPDX-License-Identifier: MIT
#include <thalweg/step/split_source.hpp>

#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/exchange/emit/testing/tracers.hpp>
#include <thalweg/mesh/geometry.hpp>
#include <thalweg/numerics/boundary.hpp>
#include <thalweg/numerics/ctu.hpp>
#include <thalweg/numerics/riemann_hlle.hpp>
#include <thalweg/numerics/update_ctu.hpp>

#include "stream.hpp"

namespace thalweg::step {
namespace {

using exchange::testing::Tracers;

// The lower end of the domain, which is a wall that doubles the first component.
const mesh::Geometry<1> walled{{.root_blocks = {{4}}, .block_cells = 8}};
const Box<1> block_of_8 = Box<1>::cube(8);
const exchange::FillContext<1> wall = exchange::BoundaryContext<Tracers<1>>{
    {walled, {numerics::Boundary::reflecting, numerics::Boundary::outflow}}};

/// du/dt = time at the start of each part.
void add_time_of_part(const View<double, 1>& cells, const Box<1>& region, const SourceStep& step) {
  for_each(region, [&](const Index<1>& i) {
    for (int c = 0; c < 2; ++c) cells[c, i] += step.dt * step.time;
  });
}
const SourceTerms<1> timed = add_time_of_part;
const SplitSource<1> split{timed, wall, {0, 3.0, 0.5}};  // for a step of one

struct Fours {
  std::vector<double> numbers =
      std::vector<double>(View<double, 1>::size_of(block_of_8.grown(1), 2), 4);
  View<double, 1> view{numbers.data(), block_of_8.grown(1), 2};
};

TEST(SplitSource, acts_for_half_a_step_before_and_half_after) {
  Fours cells;

  split.act_before(cells.view, block_of_8.grown(1));
  EXPECT_EQ((cells.view[0, {{3}}]), 4 + 0.5 * 3.0);
  EXPECT_EQ((cells.view[0, {{8}}]), 4 + 0.5 * 3.0);         // a ghost cell within the domain
  EXPECT_EQ((cells.view[0, {{-1}}]), 2 * (4 + 0.5 * 3.0));  // the mirror image, as it is now
  split.act_after(cells.view, block_of_8);

  EXPECT_EQ((cells.view[1, {{3}}]), 4 + 0.5 * 3.0 + 0.5 * 3.5);
  EXPECT_EQ((cells.view[1, {{8}}]), 4 + 0.5 * 3.0);
}

TEST(SplitSource, finds_the_start_of_the_scheme_once_more) {
  Fours cells, start;
  std::vector<std::byte> scratch(SplitSource<1>::scratch_bytes(block_of_8, 2));

  split.act_before(cells.view, block_of_8.grown(1));
  const View<const double, 1> found = split.start_of_scheme(start.view, scratch);

  for_each(block_of_8.grown(1), [&](const Index<1>& i) {
    for (int c = 0; c < 2; ++c) {
      EXPECT_EQ((found[c, i]), (cells.view[c, i])) << i[0];
      EXPECT_EQ((start.view[c, i]), 4.0);
    }
  });
}

/// Tracers that go where one wave does.
struct TracedTracers : Tracers<1> {
  static constexpr int n_waves = 1;
  double wave_speed(State, int, int axis) const { return velocity[axis]; }
  State wave_part(State, State dw, int, int) const { return dw; }
};

/// What a step leaves, where a source doubles all cells in either half of it or there is none.
std::vector<double> after_doubling_in_halves(exchange::testing::VirtualRank& self, bool doubles) {
  using InOneStage = numerics::Ctu<TracedTracers, numerics::PpmClassic, numerics::RiemannHlle>;
  testing::Stream<1> stream(self, testing::periodic_box<1>(0), {.max_steps = 1, .cfl = 0.3});
  stream.settings.equations = equations_of(
      InOneStage{},
      {stream.mesh.forest.geometry, {numerics::Boundary::periodic, numerics::Boundary::periodic}});
  stream.prepare();
  if (doubles)
    stream.settings.source = [](const View<double, 1>& cells, const Box<1>& region,
                                const SourceStep&) {
      for_each(region, [&](const Index<1>& i) {
        for (int c = 0; c < 2; ++c) cells[c, i] *= 2;
      });
    };
  EXPECT_EQ(stream.step(1), 1u);
  return stream.values();
}

TEST(SplitSource, acts_on_all_ghost_cells_that_the_scheme_reads) {
  exchange::testing::on_virtual_ranks(2, [](exchange::testing::VirtualRank& self) {
    auto expected = after_doubling_in_halves(self, false);
    for (double& u : expected) u *= 4;  // to the bit, as all is linear in scale
    EXPECT_EQ(after_doubling_in_halves(self, true), expected);
  });
}

}  // namespace
}  // namespace thalweg::step
