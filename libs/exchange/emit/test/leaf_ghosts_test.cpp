// SPDX-License-Identifier: MIT
// Ghost cells of random forests of leaves, of which nothing else has data, against an oracle that
// knows whole levels.
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/exchange/emit/fill.hpp>
#include <thalweg/exchange/emit/testing/leaf_world.hpp>
#include <thalweg/mesh/testing/ranks.hpp>

namespace thalweg::exchange {
namespace {

using testing::Blocks;
using testing::expect_right;
using testing::n_components;
using testing::Seen;
using testing::Tracers;
using testing::World;

/// How many cells of a block are not what they are in a world.
template <int D>
std::int64_t count_wrong(const World<D>& world, int level, const View<double, D>& cells) {
  std::int64_t n = 0;
  for_each(cells.box().grown(-world.width), [&](const Index<D>& i) {
    for (int c = 0; c < n_components; ++c) n += cells[c, i] != world.values(level, i, c, 1);
  });
  return n;
}

/// Fill the interior nodes with means and then all ghost cells of a rank, and look at each.
template <int D>
Seen fill_and_look(const World<D>& world, const std::set<mesh::Key<D>>& keys,
                   testing::VirtualRank& self) {
  auto collectives = self.collectives();
  const auto leaves = mesh::testing::random_leaves(testing::leaf_case(world), self.rank(),
                                                   self.n_ranks(), collectives);
  const auto forest = mesh::nested_of(leaves, collectives);
  const auto neighbours = mesh::find_neighbour_info(forest, collectives);
  const BoundaryContext<Tracers<D>> boundary{
      {forest.geometry, testing::boundaries(forest.geometry), world.rule}};
  Blocks<D> blocks(forest, world.width);
  const auto value = [&](int level, const Index<D>& cell, int c) {
    return world.values(level, cell, c, 1);
  };
  blocks.fill(value, value);
  testing::forget_interior_nodes(blocks, leaves);

  auto recorder = self.recorder();
  const auto levels = testing::bind_levels(recorder, blocks, forest.n_levels());
  testing::emit_means(recorder, forest, neighbours, levels);
  for (std::size_t l = 0; l < levels.size(); ++l) {
    const PlanOptions options{static_cast<int>(l), world.width, 2, world.rule.reach()};
    const auto ghost = plan_ghost(forest, neighbours, options);
    if (l == 0) {
      emit_fill(recorder, boundary, levels[l], ghost, std::optional<CoarserLevel<D>>());
      continue;
    }
    const auto coarse = plan_coarse_ghosts(forest, neighbours, options);
    emit_fill(recorder, boundary, levels[l], ghost,
              std::optional(CoarserLevel<D>{levels[l - 1], coarse}));
  }
  self.run(std::move(recorder));

  const testing::DenseOracle<D> oracle(forest.geometry, keys, world.values, world.theta,
                                       world.rule);
  Seen seen;
  for (int l = 0; l < forest.n_levels(); ++l)
    for (std::size_t b = 0; b < blocks.cells(l).size(); ++b) {
      look(world, boundary, oracle, l, blocks.cells(l).view(b), seen);
      seen.wrong += count_wrong(world, l, blocks.cells(l).view(b));
    }
  seen.idle_ranks = leaves.leaves.empty();
  return seen;
}

template <int D>
Seen see_leaves(std::uint64_t seed, int n_ranks) {
  const World<D> world = testing::leaf_world<D>(seed);
  mesh::testing::OneRank alone;
  const auto leaves = mesh::testing::random_leaves(testing::leaf_case(world), Rank{0}, 1, alone);
  const auto keys = mesh::testing::all_keys<D>({mesh::nested_of(leaves, alone)});
  std::vector<Seen> by_rank(static_cast<std::size_t>(n_ranks));
  testing::on_virtual_ranks(
      n_ranks,
      [&](testing::VirtualRank& self) {
        by_rank[self.rank()()] = fill_and_look(world, keys, self);
      },
      seed);
  Seen all;
  for (const Seen& seen : by_rank) all += seen;
  return all;
}

/// Every eighth on more ranks than there are roots, mostly more than there are leaves.
template <int D>
Seen see_leaves_on_1_to_64_ranks(std::uint64_t seed) {
  return see_leaves<D>(seed, seed % 8 == 0 ? 64 : std::array{1, 2, 3, 5}[seed % 4]);
}

TEST(LeafGhosts, are_right_with_means_under_leaves_1d) {
  expect_right(1, 100,
               {.copied = 8'000,
                .prolonged = 800,
                .corners = 800,
                .exact = {100, 110, 130},
                .periodic = {0, 2, 4},
                .outside = 250,
                .idle_ranks = 300},
               see_leaves_on_1_to_64_ranks<1>);
}
TEST(LeafGhosts, are_right_with_means_under_leaves_2d) {
  expect_right(1, 60,
               {.copied = 280'000,
                .prolonged = 60'000,
                .corners = 16'000,
                .exact = {2'200, 19'000, 11'000},
                .periodic = {0, 380, 270},
                .outside = 17'000,
                .idle_ranks = 80},
               see_leaves_on_1_to_64_ranks<2>);
}
TEST(LeafGhosts, are_right_with_means_under_leaves_3d) {
  expect_right(1, 32,
               {.copied = 1'500'000,
                .prolonged = 470'000,
                .corners = 100'000,
                .exact = {40'000, 250'000, 6'000},
                .periodic = {0, 43'000, 1'200},
                .outside = 430'000,
                .idle_ranks = 58},
               see_leaves_on_1_to_64_ranks<3>);
}

}  // namespace
}  // namespace thalweg::exchange
