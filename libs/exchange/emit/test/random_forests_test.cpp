// SPDX-License-Identifier: MIT
// Ghost cells of many small random forests against an oracle that knows whole levels.
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/exchange/emit/fill.hpp>
#include <thalweg/exchange/emit/testing/dense_oracle.hpp>
#include <thalweg/mesh/testing/ranks.hpp>

namespace thalweg::exchange {
namespace {

using testing::Blocks;
using testing::boundaries;
using testing::DenseOracle;
using testing::n_components;
using testing::Tracers;
using testing::Values;

/// A small domain with a forest, ghost cells, values and a moment that a seed chooses.
template <int D>
struct World {
  mesh::testing::Case<D> forest;
  int width = 1;  ///< of the ghost cells
  Values<D> values;
  double theta = 0;  ///< of the moment within the coarser level's step
  numerics::Prolongation rule;

  explicit World(std::uint64_t seed) {
    SplitMix64 random(hash_number(seed, D));
    const auto below = [&](int n) {
      return static_cast<int>(random.below(static_cast<std::uint64_t>(n)));
    };
    forest.seed = seed;
    forest.partitioner = static_cast<mesh::Partitioner>(seed / 3 % 4);  // on any number of ranks
    auto& geometry = forest.geometry;
    geometry.ratio = below(D == 2 ? 4 : 16) == 0 ? 4 : 2;
    geometry.max_level = 1 + below(8) / (D == 2 ? 5 : 7);
    if (D == 2 && geometry.ratio == 2) geometry.max_level += below(8) / 7;
    if (geometry.max_level > 1 && below(2) == 0) {
      std::vector<std::int64_t> each;
      for (int l = 0; l < geometry.max_level; ++l) each.push_back(below(3) == 0 ? 4 : 2);
      geometry.ratio = mesh::Ratios(each);
    }
    for (int a = 0; a < D; ++a) {
      geometry.root_blocks[a] = 1 + (D == 2 ? below(3) : below(4) / 3);
      geometry.periodic[a] = below(2) == 0;
      geometry.block_cells[a] = below(6) == 0 ? 12 : 8;
    }
    width = below(64) == 0 ? 8 : 1 + below(8) / (D == 2 ? 4 : 5);
    theta = 0.25 * below(5);
    rule.order = static_cast<numerics::ProlongOrder>(1 + below(3));
    if (below(2) == 0) rule.limiter = numerics::SlopeLimiter::minmod;
    values.is_polynomial = below(2) == 0;
    values.ratio = geometry.ratio;
    values.seed = seed;
    for (std::size_t c = 0; c < 2; ++c) {
      values.drift[c] = below(9) - 4;
      // Of the degree that the rule is exact for.
      for (int a = 0; a < D; ++a) {
        if (rule.order >= numerics::ProlongOrder::linear) values.slope[c][a] = below(15) - 7;
        if (rule.order == numerics::ProlongOrder::parabolic) values.bend[c][a] = below(7) - 3;
      }
      if (rule.order == numerics::ProlongOrder::parabolic) values.twist[c] = below(7) - 3;
    }
    for (int a = 0; a < D; ++a)
      values.goes_around[static_cast<std::size_t>(a)] = geometry.periodic[a] && below(2) == 0;
  }
};

/// How many ghost cells of which kind have been looked at.
struct Seen {
  std::int64_t copied = 0;
  std::int64_t prolonged = 0;
  std::int64_t corners = 0;                ///< prolonged, outside the block along all axes
  std::array<std::int64_t, 3> exact{};     ///< prolonged, and only the polynomial will do; by order
  std::array<std::int64_t, 3> periodic{};  ///< of these, looking across a periodic end
  std::int64_t outside = 0;
  std::int64_t idle_ranks = 0;    ///< without a block
  std::int64_t single_ranks = 0;  ///< with one of level 0
  std::int64_t wrong = 0;

  Seen& operator+=(const Seen& more) {
    for (const auto count : counts) this->*count += more.*count;
    wrong += more.wrong;
    for (std::size_t order = 0; order < 3; ++order) {
      exact[order] += more.exact[order];
      periodic[order] += more.periodic[order];
    }
    return *this;
  }
  /// All but those by order, and those that must not be.
  static constexpr std::array counts{&Seen::copied,  &Seen::prolonged,  &Seen::corners,
                                     &Seen::outside, &Seen::idle_ranks, &Seen::single_ranks};
};

/// Look at all ghost cells of a block after they were filled.
template <int D>
void look(const World<D>& world, const Surroundings<Tracers<D>>& around,
          const DenseOracle<D>& oracle, int level, const View<double, D>& cells, Seen& seen) {
  const Index<D> n = around.geometry.domain_cells(level).hi;
  const Box<D> valid = cells.box().grown(-world.width);
  for_each(cells.box(), [&](const Index<D>& i) {
    if (valid.contains(i)) return;
    Index<D> inside = i;
    Index<D> mirrored = i;
    double factor = 1;
    for (int a = 0; a < D; ++a) {
      if (i[a] >= 0 && i[a] < n[a]) continue;
      const bool is_above = i[a] >= n[a];
      const auto kind = around.boundaries[static_cast<std::size_t>(2 * a + is_above)];
      if (kind == numerics::Boundary::periodic) {
        inside[a] = (i[a] + 8 * n[a]) % n[a];
      } else if (kind == numerics::Boundary::outflow) {
        mirrored[a] = is_above ? n[a] - 1 : 0;
      } else {
        mirrored[a] = (is_above ? 2 * n[a] : 0) - 1 - i[a];
        factor *= a + 2;
      }
    }
    const double u = cells[0, i];
    const double v = cells[1, i];
    if (mirrored != i) {
      ++seen.outside;
      seen.wrong += u != factor * cells[0, mirrored] || v != cells[1, mirrored];
      return;
    }
    const auto expect = [&](const typename DenseOracle<D>::Both& expected) {
      seen.wrong += expected != typename DenseOracle<D>::Both{u, v};
    };
    if (oracle.has(level, inside)) {
      ++seen.copied;
      expect(oracle.expected(level, inside));
      return;
    }
    ++seen.prolonged;
    bool is_corner = true;
    for (int a = 0; a < D; ++a)
      is_corner = is_corner && (i[a] < valid.lo[a] || i[a] >= valid.hi[a]);
    seen.corners += is_corner;
    const auto looks = oracle.looks(level, inside);
    if (world.values.is_polynomial && looks != DenseOracle<D>::Looks::across) {
      const auto order = static_cast<std::size_t>(world.rule.order) - 1;
      ++seen.exact[order];
      seen.periodic[order] += looks == DenseOracle<D>::Looks::around;
      const auto polynomial = [&](int c) {
        const double before = world.values(level, inside, c, 0);
        return before + world.theta * (world.values(level, inside, c, 1) - before);
      };
      expect({polynomial(0), polynomial(1)});
    } else {
      expect(oracle.expected(level, inside));
    }
  });
}

/// Fill the ghost cells of a level by the plans' copies alone, as the tasks would, one block after
/// the other.
template <int D>
void fill_directly(const Surroundings<Tracers<D>>& around, const LevelData<D>& level,
                   const GhostPlan<D>& ghost, const LevelData<D>& coarser,
                   const CoarsePlan<D>* coarse, double theta, std::vector<std::byte>& scratch) {
  const auto shared = std::make_shared<const Surroundings<Tracers<D>>>(around);
  flow::Recorder lists(Rank{0}, 1);
  std::vector<flow::Access> accesses;
  Gatherer ghosts(lists, ghost.transfers, {}, FromInterior<D>{level});
  for (const auto& block : level.blocks) {
    ghosts(block.key, block.cells, accesses)(block.cells);
    const auto patches = coarse == nullptr
                             ? std::span<const CoarsePatch<D>>{}
                             : with_destination(coarse->patches, block.key, &CoarsePatch<D>::fine);
    if (!patches.empty()) {
      Gatherer cells(lists, coarse->transfers, {}, FromTime<D>{coarser, theta});
      prolong_patch(lists, *coarse, patches.front(), shared, cells, accesses)(block.cells, scratch);
    }
    numerics::fill_boundaries(around.system, block.cells, around.geometry.domain_cells(level.level),
                              around.boundaries);
  }
}

/// Fill the ghost cells of all levels of a world, and look at each cell of this rank.
template <int D, class Exchange, class Fill>
Seen fill_and_look(const World<D>& world, const mesh::Forest<D>& forest,
                   const std::set<mesh::Key<D>>& keys, Exchange&& exchange, const Fill& fill) {
  const auto near = mesh::find_neighbourhoods(forest, exchange);
  const Surroundings<Tracers<D>> around{
      forest.geometry, boundaries(forest.geometry), {}, world.rule};
  Blocks<D> blocks(forest, world.width);
  const auto at = [&](int time) {
    return [&world, time](int level, const Index<D>& cell, int c) {
      return world.values(level, cell, c, time);
    };
  };
  blocks.fill(at(1), at(0));
  for (int l = 0; l < forest.n_levels(); ++l) {
    const PlanOptions options{l, world.width, 2, world.rule.reach()};
    std::optional<CoarsePlan<D>> coarse;
    if (l > 0) coarse = plan_coarse_ghosts(forest, near, options);
    fill(around, blocks, l, plan_ghost(forest, near, options), coarse);
  }
  const DenseOracle<D> oracle(forest.geometry, keys, world.values, world.theta, world.rule);
  Seen seen;
  for (int l = 0; l < forest.n_levels(); ++l)
    for (std::size_t b = 0; b < blocks.cells(l).size(); ++b)
      look(world, around, oracle, l, blocks.cells(l).view(b), seen);
  std::size_t n_blocks = 0;
  for (int l = 0; l < forest.n_levels(); ++l) n_blocks += blocks.cells(l).size();
  seen.idle_ranks = n_blocks == 0;
  seen.single_ranks = blocks.cells(0).size() == 1;
  return seen;
}

/// On one rank and without tasks: fast enough for thousands.
template <int D>
Seen see_copies(std::uint64_t seed) {
  const World<D> world(seed);
  mesh::testing::OneRank alone;
  const auto forest = mesh::testing::random_forest(world.forest, Rank{0}, 1, alone);
  std::vector<std::byte> scratch(
      scratch_bytes_prolong<Tracers<D>>(forest.geometry, world.width, world.rule.reach()));
  return fill_and_look(
      world, forest, mesh::testing::all_keys<D>({forest}), alone,
      [&](const auto& around, auto& blocks, int l, const auto& ghost, const auto& coarse) {
        flow::Recorder recorder(Rank{0}, 1);  // gives names to data, no more
        const auto level = blocks.bind(recorder, l);
        LevelData<D> coarser;
        if (coarse) coarser = blocks.bind(recorder, l - 1);
        fill_directly(around, level, ghost, coarser, coarse ? &*coarse : nullptr, world.theta,
                      scratch);
      });
}

/// On some virtual ranks, as tasks and messages whose order the seed chooses too.
template <int D>
Seen see_graphs(const World<D>& world, int n_ranks) {
  const auto keys = testing::keys_of(world.forest);
  std::vector<Seen> by_rank(static_cast<std::size_t>(n_ranks));
  testing::on_virtual_ranks(
      n_ranks,
      [&](testing::VirtualRank& self) {
        const auto forest =
            mesh::testing::random_forest(world.forest, self.rank(), n_ranks, self.exchange());
        by_rank[self.rank()()] = fill_and_look(
            world, forest, keys, self.exchange(),
            [&](const auto& around, auto& blocks, int l, const auto& ghost, const auto& coarse) {
              auto recorder = self.recorder();
              const auto level = blocks.bind(recorder, l);
              LevelData<D> coarser;
              if (coarse) coarser = blocks.bind(recorder, l - 1);
              std::optional<CoarserLevel<D>> source;
              if (coarse) source.emplace(coarser, *coarse, world.theta);
              emit_fill(recorder, around, level, ghost, source);
              self.run(std::move(recorder));
            });
      },
      world.forest.seed);
  Seen all;
  for (const auto& seen : by_rank) all += seen;
  return all;
}

/// Look at many worlds; none may have a wrong cell, and together they must have as many of each
/// kind as these: some two thirds of what was counted once. No constant looks across anything.
void expect_right(std::uint64_t first_seed, std::uint64_t n_worlds, const Seen& least,
                  const std::function<Seen(std::uint64_t)>& see) {
  Seen all;
  for (std::uint64_t seed = first_seed; seed < first_seed + n_worlds; ++seed) {
    const Seen seen = see(seed);
    ASSERT_EQ(seen.wrong, 0) << "in the world of seed " << seed;
    all += seen;
  }
  for (std::size_t i = 0; i < Seen::counts.size(); ++i)
    EXPECT_GE(all.*Seen::counts[i], least.*Seen::counts[i]) << "count " << i;
  for (std::size_t order = 0; order < 3; ++order) {
    EXPECT_GE(all.exact[order], least.exact[order]) << "of order " << order + 1;
    EXPECT_GE(all.periodic[order], least.periodic[order]) << "of order " << order + 1;
  }
}

TEST(RandomForests, have_the_right_ghost_cells_by_copies_in_14_000_2d) {
  expect_right(1, 14'000,
               {.copied = 10'000'000,
                .prolonged = 3'000'000,
                .corners = 700'000,
                .exact = {500'000, 500'000, 400'000},
                .periodic = {0, 25'000, 40'000},
                .outside = 1'500'000},
               see_copies<2>);
}
TEST(RandomForests, have_the_right_ghost_cells_by_copies_in_6_000_3d) {
  expect_right(1, 6'000,
               {.copied = 30'000'000,
                .prolonged = 10'000'000,
                .corners = 1'300'000,
                .exact = {1'600'000, 2'400'000, 700'000},
                .periodic = {0, 200'000, 200'000},
                .outside = 11'000'000},
               see_copies<3>);
}

template <int D>
Seen see_graphs_on_1_to_3_ranks(std::uint64_t seed) {
  return see_graphs(World<D>(seed), 1 + static_cast<int>(seed % 3));
}
TEST(RandomForests, have_the_right_ghost_cells_by_tasks_and_messages_on_1_to_3_ranks_2d) {
  expect_right(100'001, 200,
               {.copied = 130'000,
                .prolonged = 40'000,
                .corners = 9'000,
                .exact = {6'000, 5'500, 6'500},
                .periodic = {0, 350, 400},
                .outside = 20'000},
               see_graphs_on_1_to_3_ranks<2>);
}
TEST(RandomForests, have_the_right_ghost_cells_by_tasks_and_messages_on_1_to_3_ranks_3d) {
  expect_right(100'001, 100,
               {.copied = 500'000,
                .prolonged = 170'000,
                .corners = 8'000,
                .exact = {45'000, 16'000, 7'000},
                .periodic = {0, 1'800, 500},
                .outside = 150'000},
               see_graphs_on_1_to_3_ranks<3>);
}

/// On more ranks than level 0 has blocks; every third seed, on as many.
template <int D>
Seen see_graphs_on_64_ranks(std::uint64_t seed) {
  World<D> world(seed);
  if (seed % 3 == 0) {
    auto& geometry = world.forest.geometry;
    geometry.root_blocks = Index<D>::filled(D == 2 ? 8 : 4);
    geometry.max_level = 1;
    geometry.ratio = world.values.ratio = 2;
  }
  return see_graphs(world, 64);
}
TEST(RandomForests, have_the_right_ghost_cells_by_tasks_and_messages_on_64_ranks_2d) {
  expect_right(200'001, 20,
               {.copied = 40'000,
                .prolonged = 13'000,
                .corners = 2'500,
                .exact = {1'000, 1'500, 3'300},
                .periodic = {0, 0, 180},
                .outside = 3'600,
                .idle_ranks = 400,
                .single_ranks = 300},
               see_graphs_on_64_ranks<2>);
}
TEST(RandomForests, have_the_right_ghost_cells_by_tasks_and_messages_on_64_ranks_3d) {
  expect_right(200'001, 20,
               {.copied = 800'000,
                .prolonged = 200'000,
                .corners = 7'000,
                .exact = {11'000, 33'000, 0},
                .periodic = {0, 4'000, 0},
                .outside = 140'000,
                .idle_ranks = 500,
                .single_ranks = 300},
               see_graphs_on_64_ranks<3>);
}

}  // namespace
}  // namespace thalweg::exchange
