// SPDX-License-Identifier: MIT
#include <thalweg/exchange/emit/fill.hpp>
#include <thalweg/exchange/emit/gather.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/exchange/emit/testing/blocks.hpp>

namespace thalweg::exchange {
namespace {

using mesh::testing::Case;
using testing::Blocks;
using testing::boundaries;
using testing::few_cases;
using testing::holder;
using testing::keys_of;
using testing::n_components;
using testing::n_ghosts;
using testing::on_virtual_ranks;
using testing::prolonged;
using testing::random_value;
using testing::Tracers;
using testing::VirtualRank;
using testing::wrapped;

/// A value of a cell now and before the last step, and at a moment between.
template <class Value>
auto at_moment(const Value& value, double theta) {
  return [=](int level, const auto& cell, int c) {
    const double before = value(level, cell, c, 0);
    const double now = value(level, cell, c, 1);
    return theta == 0.0 ? before : theta == 1.0 ? now : before + theta * (now - before);
  };
}

/// Fill the ghost cells of each level of a random forest, and look at each one inside the domain:
/// look(level, cell, where it is inside the domain, whether its level has it, the cell's values).
/// Gives of how many blocks there were arrays.
template <int D, class Value, class Look>
std::set<std::size_t> fill_and_look(const Case<D>& c, int n_ranks, double theta, const Value& value,
                                    const Look& look, const field::JoinRule& rule = {}) {
  const auto keys = keys_of(c);
  std::set<std::size_t> array_sizes;
  on_virtual_ranks(n_ranks, [&](VirtualRank& self) {
    const auto forest = mesh::testing::random_forest(c, self.rank(), n_ranks, self.collectives());
    const auto neighbours = mesh::find_neighbour_info(forest, self.collectives());
    const auto& geometry = forest.geometry;
    const BoundaryContext<Tracers<D>> boundary{{geometry, boundaries(geometry)}};
    Blocks<D> blocks(forest, n_ghosts, rule);
    array_sizes.merge(blocks.array_sizes());
    blocks.fill(at_moment(value, 1.0), at_moment(value, 0.0));

    for (int l = 0; l < forest.n_levels(); ++l) {
      const PlanOptions options{l, n_ghosts, 2};
      auto recorder = self.recorder();
      const auto level = blocks.bind(recorder, l);
      const auto ghost = plan_ghost(forest, neighbours, options);
      if (l == 0) {
        emit_fill(recorder, boundary, level, ghost, {});
      } else {
        const auto coarser = blocks.bind(recorder, l - 1);
        const auto plan = plan_coarse_ghosts(forest, neighbours, options);
        emit_fill(recorder, boundary, level, ghost, {{coarser, plan, theta}});
      }
      self.run(std::move(recorder));
    }

    for (int l = 0; l < forest.n_levels(); ++l)
      for (std::size_t b = 0; b < blocks.cells(l).size(); ++b) {
        const auto& view = blocks.cells(l).view(b);
        for_each(view.box(), [&](const Index<D>& i) {
          const auto inside = wrapped(geometry, l, i);
          if (inside)
            look(
                geometry, l, i, *inside, keys.contains(holder(geometry, l, *inside)),
                numerics::load<typename Tracers<D>::State>(view.at(0, i), view.component_stride()));
          else
            EXPECT_TRUE(std::isfinite(view[0, i]) && std::isfinite(view[1, i]));
        });
      }
  });
  return array_sizes;
}

/// Expect the bits that one cell at a time gives, with random numbers everywhere, and arrays of one
/// block, and of joined ones of all numbers where they are joined.
template <int D>
void expect_filled(int n_ranks, double theta, const field::JoinRule& rule = {}) {
  std::int64_t n_prolonged = 0;
  std::set<std::size_t> array_sizes;
  for (const Case<D>& c : few_cases<D>()) {
    SCOPED_TRACE(::testing::Message() << c << ", " << n_ranks << " ranks, theta " << theta);
    std::int64_t n_wrong = 0;
    array_sizes.merge(fill_and_look(
        c, n_ranks, theta, random_value<D>,
        [&](const auto& geometry, int level, const Index<D>& cell, const Index<D>& inside,
            bool has_level, const auto& u) {
          typename Tracers<D>::State expected;
          if (has_level) {
            expected = {random_value(level, inside, 0, 1), random_value(level, inside, 1, 1)};
          } else {
            expected = prolonged(geometry, level, cell, at_moment(random_value<D>, theta));
            ++n_prolonged;
          }
          n_wrong += u.a != expected.a || u.b != expected.b;
        },
        rule));
    EXPECT_EQ(n_wrong, 0);
  }
  EXPECT_GT(n_prolonged, 0);
  EXPECT_EQ(array_sizes.size(), rule.levels == field::JoinLevels::none ? 1u : D + 1u);
}

TEST(EmitFill, sets_every_ghost_cell_as_one_cell_at_a_time_does_1d) {
  for (const int n_ranks : {1, 3})
    for (const double theta : {0.0, 0.25, 0.5, 1.0}) expect_filled<1>(n_ranks, theta);
}
TEST(EmitFill, sets_every_ghost_cell_as_one_cell_at_a_time_does_2d) {
  for (const int n_ranks : {1, 3})
    for (const double theta : {0.0, 0.5, 1.0}) expect_filled<2>(n_ranks, theta);
}
TEST(EmitFill, sets_every_ghost_cell_as_one_cell_at_a_time_does_3d) {
  for (const int n_ranks : {1, 3}) expect_filled<3>(n_ranks, 0.5);
}

TEST(EmitFill, sets_every_ghost_cell_of_joined_blocks_as_one_cell_at_a_time_does) {
  const field::JoinRule joins{.levels = field::JoinLevels::all};
  for (const int n_ranks : {1, 2, 3}) {
    expect_filled<1>(n_ranks, 0.25, joins);
    expect_filled<2>(n_ranks, 0.5, joins);
    expect_filled<3>(n_ranks, 1.0, joins);
  }
}

/// Expect the ghost cells in reach to have the bits that they have where all are filled.
template <int D>
void expect_same_within(const GhostReach& reach, const Case<D>& c, int n_ranks,
                        const field::JoinRule& rule = {}) {
  std::vector<std::int64_t> n_seen(static_cast<std::size_t>(n_ranks));
  on_virtual_ranks(n_ranks, [&](VirtualRank& self) {
    const auto forest = mesh::testing::random_forest(c, self.rank(), n_ranks, self.collectives());
    const auto neighbours = mesh::find_neighbour_info(forest, self.collectives());
    const BoundaryContext<Tracers<D>> boundary{{forest.geometry, boundaries(forest.geometry)}};
    Blocks<D> all(forest), some(forest, n_ghosts, rule);
    for (Blocks<D>* const blocks : {&all, &some}) {
      blocks->fill(at_moment(random_value<D>, 1.0), at_moment(random_value<D>, 0.0));
      for (int l = 0; l < forest.n_levels(); ++l) {
        const PlanOptions options{l, n_ghosts, 2};
        auto recorder = self.recorder();
        const auto level = blocks->bind(recorder, l);
        auto ghost = plan_ghost(forest, neighbours, options);
        if (blocks == &some) ghost = within_reach(ghost, forest.geometry, reach);
        if (l == 0) {
          emit_fill(recorder, boundary, level, ghost, {});
        } else {
          const auto coarser = blocks->bind(recorder, l - 1);
          const auto plan = plan_coarse_ghosts(forest, neighbours, options);
          emit_fill(recorder, boundary, level, ghost, {{coarser, plan, 0.5}});
        }
        self.run(std::move(recorder));
      }
    }
    std::int64_t n_wrong = 0;
    for (int l = 0; l < forest.n_levels(); ++l)
      for (std::size_t b = 0; b < all.cells(l).size(); ++b) {
        const Box<D> valid = forest.geometry.cells(all.cells(l).keys()[b]);
        for_each(valid.grown(reach.layers), [&](const Index<D>& i) {
          int n_outside = 0;
          for (int a = 0; a < D; ++a) n_outside += i[a] < valid.lo[a] || i[a] >= valid.hi[a];
          if (n_outside > 1 && !reach.with_corners) return;
          ++n_seen[self.rank()()];
          for (int k = 0; k < 2; ++k)
            n_wrong += some.cells(l).view(b)[k, i] != all.cells(l).view(b)[k, i];
        });
      }
    EXPECT_EQ(n_wrong, 0);
  });
  EXPECT_GT(std::accumulate(n_seen.begin(), n_seen.end(), std::int64_t{0}), 0);
}

TEST(EmitFill, of_some_ghost_cells_gives_them_the_same_bits) {
  for (const GhostReach& reach : {GhostReach{1, false}, {n_ghosts, false}, {1, true}})
    for (const int n_ranks : {1, 2, 3}) {
      for (const auto& c : few_cases<2>()) expect_same_within<2>(reach, c, n_ranks);
      for (const auto& c : few_cases<3>()) expect_same_within<3>(reach, c, n_ranks);
      const field::JoinRule joins{.levels = field::JoinLevels::all};
      for (const auto& c : few_cases<2>()) expect_same_within<2>(reach, c, n_ranks, joins);
      for (const auto& c : few_cases<3>()) expect_same_within<3>(reach, c, n_ranks, joins);
    }
}

/// Expect a function that is linear in space and time to come out exactly.
template <int D>
void expect_linear(double theta) {
  for (const Case<D>& c : few_cases<D>()) {
    SCOPED_TRACE(::testing::Message() << c << ", theta " << theta);
    const mesh::Geometry<D> geometry(c.geometry);
    const auto linear = [&](int level, const Index<D>& cell, int component, double time) {
      double value = 2.0 + component + 0.5 * time;
      const auto x = geometry.centre(level, cell);
      for (int a = 0; a < D; ++a)
        if (!geometry.is_periodic(a)) value += (0.3 + 0.1 * a) * x[a];
      return value;
    };
    double largest = 0;
    fill_and_look(
        c, 3, theta, linear,
        [&](const auto&, int level, const Index<D>& cell, const Index<D>& inside, bool has_level,
            const auto& u) {
          // Slopes are cut at walls, where the mirror image is no part of the line.
          const auto coarse = floor_div(cell, geometry.ratio(level > 0 ? level - 1 : 0));
          for (int a = 0; a < D && !has_level; ++a)
            if (!geometry.is_periodic(a) &&
                (coarse[a] == 0 || coarse[a] == geometry.domain_cells(level - 1).hi[a] - 1))
              return;
          const double time = has_level ? 1.0 : theta;
          largest = std::max({largest, std::abs(u.a - linear(level, inside, 0, time)),
                              std::abs(u.b - linear(level, inside, 1, time))});
        });
    EXPECT_LT(largest, 1e-14);
  }
}

TEST(EmitFill, is_exact_for_what_is_linear_in_space_and_time) {
  for (const double theta : {0.0, 0.5, 1.0}) {
    expect_linear<1>(theta);
    expect_linear<2>(theta);
  }
  expect_linear<3>(0.75);
}

TEST(EmitFill, needs_the_saved_state_before_the_end_of_the_step) {
  flow::Recorder recorder(Rank{0}, 1);
  LevelData<1> coarser{0, {}};
  coarser.blocks.push_back({.key = {0, 0},
                            .valid = Box<1>::cube(8),
                            .cells = {},
                            .interior = recorder.datum("interior"),
                            .ghosts = recorder.datum("ghosts")});
  const Copy<1> copy{{0, 0}, {1, 0}, Box<1>::cube(1), {}};
  std::vector<flow::Access> accesses;

  const FromTime<1> between{coarser, 0.5};
  const FromTime<1> at_the_end{coarser, 1.0};
  EXPECT_THROW(between(copy, accesses), ContractViolation);
  EXPECT_NO_THROW(at_the_end(copy, accesses));
}

TEST(ScratchBytesProlong, is_enough_for_any_patch) {
  for (const int ratio : {2, 4}) {
    mesh::Geometry<2>::Config config;
    config.block_cells = 8;
    config.ratio = ratio;
    const mesh::Geometry<2> geometry(config);
    for (const int reach : {0, 1, 2}) {
      numerics::Scratch patch;
      // The largest: all ghost cells of a block, their footprint.
      patch.take(Box<2>::cube(8).grown(n_ghosts).coarsened(ratio).grown(reach), n_components);

      EXPECT_GE(scratch_bytes_prolong<Tracers<2>>(geometry, n_ghosts, reach), patch.n_bytes());
    }
  }
}

}  // namespace
}  // namespace thalweg::exchange
