// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <thalweg/exchange/emit/restrict.hpp>
#include <thalweg/exchange/emit/testing/random_world.hpp>
#include <thalweg/mesh/leaf_nested.hpp>
#include <thalweg/mesh/testing/random_leaves.hpp>

namespace thalweg::exchange::testing {

/// A world of leaves, of the domain, ghost cells and values that a seed chooses, larger than nested
/// ones. All levels are at one moment, and coarse cells are the means of finer ones.
template <int D>
World<D> leaf_world(std::uint64_t seed) {
  World<D> world(seed);
  auto& geometry = world.forest.geometry;
  if (D < 3 || geometry.max_level == 1) geometry.root_blocks += Index<D>::filled(D == 1 ? 4 : 1);
  if (D == 1 && geometry.ratio.count() == 1) geometry.max_level = 3;
  world.theta = 1;
  world.values.agrees = true;
  return world;
}

/// Random leaves in a world's domain.
template <int D>
mesh::testing::LeafCase<D> leaf_case(const World<D>& world) {
  mesh::testing::LeafCase<D> c;
  c.rules.geometry = mesh::Geometry<D>(world.forest.geometry);
  c.n_adaptations = c.rules.geometry.max_level() + 1;
  c.seed = world.forest.seed;
  return c;
}

/// Set the cells of all interior nodes to NaN: what is read of them must have been written before.
template <int D>
void forget_interior_nodes(const Blocks<D>& blocks, const mesh::LeafForest<D>& leaves) {
  for (int l = 0; l <= leaves.finest; ++l)
    for (std::size_t b = 0; b < blocks.cells(l).size(); ++b) {
      const mesh::Key<D>& key = blocks.cells(l).keys()[b];
      if (leaves.find(key)) continue;
      for (int c = 0; c < n_components; ++c)
        for_each(leaves.geometry().cells(key), [&](const Index<D>& i) {
          blocks.cells(l).view(b)[c, i] = std::numeric_limits<double>::quiet_NaN();
        });
    }
}

/// The data of all levels in a recording.
template <int D>
std::vector<LevelData<D>> bind_levels(flow::Recorder& recorder, const Blocks<D>& blocks,
                                      int n_levels) {
  std::vector<LevelData<D>> levels;
  for (int l = 0; l < n_levels; ++l) levels.push_back(blocks.bind(recorder, l));
  return levels;
}

/// Record filling all interior nodes with the means of the leaves above, finest first.
template <int D>
void emit_means(flow::Recorder& recorder, const mesh::Forest<D>& forest,
                const mesh::NeighbourInfo<D>& neighbours, const std::vector<LevelData<D>>& levels) {
  for (auto l = levels.size(); l-- > 1;) {
    const int level = static_cast<int>(l);
    emit_restrict(recorder, levels[l], levels[l - 1],
                  plan_restrict(forest, neighbours, {.level = level, .max_comm_tasks = 2}),
                  forest.geometry.ratio(level - 1), n_components);
  }
}

}  // namespace thalweg::exchange::testing
