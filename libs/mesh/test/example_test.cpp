// SPDX-License-Identifier: MIT
// The programs of README.md.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/mesh/leaf_nested.hpp>
#include <thalweg/mesh/leaf_regrid.hpp>
#include <thalweg/mesh/neighbour_info.hpp>
#include <thalweg/mesh/refine.hpp>
#include <thalweg/mesh/regrid.hpp>
#include <thalweg/mesh/testing/ranks.hpp>

namespace thalweg::mesh {
namespace {

Geometry<2> example_geometry() {
  return Geometry<2>({.root_blocks = {{4, 4}}, .block_cells = 8, .max_level = 2});
}
const auto example_cost = [](const Key<2>& key) {
  return std::int64_t{1} + (key.code == 0 ? 9 : 0);
};

/// What a rank found.
struct ExampleFound {
  std::vector<std::size_t> n_blocks{};  ///< by level, or leaves
  bool is_same = true;
  std::vector<std::pair<double, double>> imbalance{};  ///< before and after

  auto log() {
    return [this](double before, double after) { imbalance.emplace_back(before, after); };
  }
};

void expect_example(const std::vector<ExampleFound>& ranks,
                    const std::vector<std::size_t>& n_blocks) {
  std::vector<std::size_t> sums(n_blocks.size());
  bool is_same = true;
  for (const ExampleFound& found : ranks) {
    for (std::size_t i = 0; i < found.n_blocks.size(); ++i) sums[i] += found.n_blocks[i];
    is_same = is_same && found.is_same;
    EXPECT_FALSE(found.imbalance.empty());
    for (const auto& [before, after] : found.imbalance) EXPECT_LE(after, before);
  }
  EXPECT_EQ(sums, n_blocks);
  EXPECT_FALSE(is_same);
}

TEST(Example, regrids_by_tags_and_costs) {
  const auto ranks = testing::on_ranks(3, [](Rank rank, auto collectives) {
    constexpr int D = 2;
    const auto forest = initial_forest(example_geometry(), rank, 3, collectives);
    const int buffer = 2, max_level = 2;
    const std::vector<std::uint8_t> set(64, 1), clear(64, 0);
    const auto tags = [&](const Key<D>& key) {
      return View<const std::uint8_t, D>((key.code == 0 ? set : clear).data(),
                                         forest.geometry.cells(key), 1);
    };
    const auto cost = example_cost;
    ExampleFound found;
    const auto log = found.log();

    std::vector<Key<D>> wanted;
    for (int l = 0; l < std::min(forest.n_levels(), max_level); ++l)
      for (const Key<D>& key : forest.level(l).keys) {
        const auto some = wanted_children(forest.geometry, key, tags(key), buffer);
        wanted.insert(wanted.end(), some.begin(), some.end());
      }
    const Forest<D> next = regrid<D>(forest, wanted, collectives);  // revision + 1
    const bool is_same_here = has_same_blocks(forest, next);  // nothing changed if so on all ranks
    const NeighbourInfo<D> neighbours = find_neighbour_info(next, collectives);

    const auto cut = regrid<D>(forest, wanted, collectives, cost, Threshold{1.1});
    for (const LevelImbalance& level : cut.imbalance)  // largest load over mean load
      log(level.before, level.after);                  // levels above 1.1 have moved

    for (int l = 0; l < next.n_levels(); ++l) found.n_blocks.push_back(next.level(l).keys.size());
    found.is_same = is_same_here;
    EXPECT_EQ(next.revision, forest.revision + 1);
    EXPECT_EQ(neighbours.revision, next.revision);
    return found;
  });
  expect_example(ranks, {16, 9});
}

TEST(Example, adapts_leaves_by_flags) {
  const auto ranks = testing::on_ranks(3, [](Rank rank, auto collectives) {
    constexpr int D = 2;
    const auto forest = initial_leaves(LeafRules<D>{example_geometry()}, 1, rank, 3);
    const auto is_wanted = [](const Key<D>& leaf) { return leaf.code == 0; };
    const auto cost = example_cost;
    ExampleFound found;
    const auto log = found.log();

    std::vector<RefineFlag> flags;  // one for each of forest.leaves
    for (const Key<D>& leaf : forest.leaves)
      flags.push_back(is_wanted(leaf) ? RefineFlag::refine : RefineFlag::keep);
    const auto next = adapt<D>(forest, flags, collectives, cost, Threshold{1.1});
    log(next.imbalance_before, next.imbalance_after);  // largest load over mean load

    const Forest<D> nested = nested_of(next.forest, collectives);  // owners and revision: leaves'
    const NeighbourInfo<D> around = find_neighbour_info(nested, collectives);  // for plans
    std::size_t n_leaves = 0;
    for (const LevelSet<D>& level : nested.levels)
      for (const Key<D>& key : level.keys) n_leaves += is_leaf(nested, key) ? 1 : 0;

    EXPECT_EQ(around.revision, nested.revision);
    EXPECT_EQ(n_leaves, next.forest.leaves.size());
    found.n_blocks = {n_leaves};
    found.is_same = next.forest.leaves == forest.leaves;
    return found;
  });
  expect_example(ranks, {67});
}

TEST(Example, regrids_leaves_by_wanted_blocks) {
  const auto ranks = testing::on_ranks(3, [](Rank rank, auto collectives) {
    constexpr int D = 2;
    const auto forest = initial_forest(example_geometry(), rank, 3, collectives);
    std::vector<Key<D>> wanted{{1, 0}};
    Weights costs(1);
    for (const Key<D>& key : forest.level(0).keys) costs[0].push_back(example_cost(key));
    ExampleFound found;
    const auto log = found.log();

    const auto made = regrid_leaves<D>(forest, wanted, collectives, n_levels_after(forest), &costs,
                                       Threshold{1.1});
    log(made.imbalance[0].before, made.imbalance[0].after);  // of all leaves

    for (const LevelSet<D>& level : made.forest.levels) found.n_blocks.push_back(level.keys.size());
    found.is_same = has_same_blocks(forest, made.forest);
    return found;
  });
  expect_example(ranks, {16, 4});
}

}  // namespace
}  // namespace thalweg::mesh
