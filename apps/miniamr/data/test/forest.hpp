// SPDX-License-Identifier: MIT
#pragma once
// Random meshes for the tests of cell data, on any number of ranks, and runs on virtual ranks.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/comm/sim_network.hpp>
#include <thalweg/flow/executor.hpp>
#include <thalweg/flow/graph.hpp>
#include <thalweg/flow/picker.hpp>
#include <thalweg/mesh/testing/leaf_neighbours.hpp>
#include <thalweg/mesh/testing/random_leaves.hpp>
#include <thalweg/mesh/testing/ranks.hpp>
#include <thalweg/miniamr/data/stages.hpp>

#include "plain.hpp"

namespace thalweg::miniamr::data::testing {

/// Who has which leaf, all ranks together.
using Owners = std::map<mesh::Key<3>, Rank>;

/// A mesh before and after a change, as each rank knows it.
struct Meshes {
  std::vector<Layout> before;
  std::vector<Layout> after;
  std::vector<Origins> origins;
};

inline Layout layout_of(const mesh::LeafForest<3>& forest,
                        const mesh::testing::LeafNeighbours<3>& neighbours) {
  Layout layout;
  std::vector<mesh::Key<3>> keys = forest.leaves;
  std::ranges::sort(keys);
  for (const auto& key : keys) {
    Block block{key, {}};
    for (int face = 0; face < 6; ++face) {
      Index<3> offset{};
      offset[face / 2] = face % 2 == 0 ? -1 : 1;
      auto& leaves = block.faces[static_cast<std::size_t>(face)];
      leaves = neighbours.at(key, offset);
      std::ranges::sort(leaves, {}, &mesh::OwnedLeaf<3>::key);
    }
    layout.blocks.push_back(std::move(block));
  }
  return layout;
}

inline Owners owners_of(const std::vector<Layout>& layouts) {
  Owners owners;
  for (std::size_t q = 0; q < layouts.size(); ++q)
    for (const Block& block : layouts[q].blocks) owners.emplace(block.key, Rank(q));
  return owners;
}

/// Where each new block comes from, all ranks together.
inline Origins all_origins(const Owners& before, const Owners& after) {
  Origins origins;
  for (const auto& [key, owner] : after) {
    Origin origin{key, owner};
    const auto leaf = [&](const mesh::Key<3>& k) { return mesh::OwnedLeaf<3>{k, before.at(k)}; };
    if (before.contains(key)) {
      origin.from[0] = leaf(key);
    } else if (key.level > 0 && before.contains(mesh::parent(key, 2))) {
      origin.kind = Origin::Kind::child;
      origin.from[0] = leaf(mesh::parent(key, 2));
    } else {
      origin.kind = Origin::Kind::joined;
      for (int o = 0; o < 8; ++o)
        origin.from[static_cast<std::size_t>(o)] = leaf(mesh::child(key, o, 2));
    }
    origins.push_back(origin);
  }
  return origins;
}

/// What a rank knows of them.
inline Origins origins_of(const Origins& all, Rank rank) {
  Origins mine;
  std::ranges::copy_if(all, std::back_inserter(mine), [rank](const Origin& origin) {
    return origin.owner == rank ||
           std::ranges::any_of(origin.sources(), [rank](const auto& s) { return s.owner == rank; });
  });
  return mine;
}

/// A random mesh with balanced faces, and what it is after one more change.
inline Meshes random_meshes(std::uint64_t seed, int n_ranks) {
  mesh::testing::LeafCase<3> c = mesh::testing::leaf_case<3>(seed);
  auto config = c.rules.geometry.config();
  config.ratio = 2;
  config.max_level = 3;
  config.periodic = {};
  c.rules = {mesh::Geometry<3>(config), mesh::Adjacency::faces, c.rules.curve};
  c.n_adaptations = 2;
  const auto per_rank = mesh::testing::on_ranks(n_ranks, [&](Rank rank, auto collectives) {
    const auto forest = mesh::testing::random_leaves(c, rank, n_ranks, collectives);
    const auto neighbours =
        mesh::testing::find_neighbours(forest, mesh::Adjacency::faces, collectives);
    const auto next = mesh::adapt<3>(
        forest, mesh::testing::random_flags(c, c.n_adaptations, forest), collectives);
    const auto next_neighbours =
        mesh::testing::find_neighbours(next, mesh::Adjacency::faces, collectives);
    return std::pair(layout_of(forest, neighbours), layout_of(next, next_neighbours));
  });
  Meshes meshes;
  for (const auto& [before, after] : per_rank) {
    meshes.before.push_back(before);
    meshes.after.push_back(after);
  }
  const Origins all = all_origins(owners_of(meshes.before), owners_of(meshes.after));
  for (int q = 0; q < n_ranks; ++q) meshes.origins.push_back(origins_of(all, Rank(q)));
  return meshes;
}

/// Meshes of two ranks as those of three, of which rank 1 has nothing.
inline Meshes with_idle_rank(Meshes meshes) {
  const auto move = [](mesh::OwnedLeaf<3>& leaf) {
    if (leaf.owner == Rank(1)) leaf.owner = Rank(2);
  };
  for (auto* const layouts : {&meshes.before, &meshes.after}) {
    for (Layout& layout : *layouts)
      for (Block& block : layout.blocks)
        for (auto& leaves : block.faces) std::ranges::for_each(leaves, move);
    layouts->insert(layouts->begin() + 1, Layout{});
  }
  for (Origins& origins : meshes.origins)
    for (Origin& origin : origins) {
      if (origin.owner == Rank(1)) origin.owner = Rank(2);
      std::ranges::for_each(origin.from, move);
    }
  meshes.origins.insert(meshes.origins.begin() + 1, Origins{});
  return meshes;
}

/// The keys of a layout.
inline std::vector<mesh::Key<3>> keys_of(const Layout& layout) {
  std::vector<mesh::Key<3>> keys;
  for (const Block& block : layout.blocks) keys.push_back(block.key);
  return keys;
}

/// Set a store's cells, and set 0 of its faces, to those of plain blocks.
void load(Store& store, const Plain& plain);
/// Compare a store's cells with plain blocks, bit by bit.
void expect_equal(const Store& store, const Plain& plain, const std::string& what);

/// One rank, and how it runs what it records.
struct VirtualRank {
  flow::Transport& transport;
  const Clock& clock;
  flow::Model model = flow::Model::dataflow;
  std::uint64_t seed = 1;
  std::uint32_t n_workers = 0;  ///< threads; 0: one, which runs tasks in random order

  /// @return what went wrong, or nothing
  std::string run(const Shape& shape, const std::function<void(flow::Recorder&)>& record,
                  std::uint64_t n_replays = 1) {
    flow::Recorder recorder(transport.rank(), transport.n_ranks());
    record(recorder);
    auto graph = flow::capture(std::move(recorder), model);
    flow::UniformPicker picker(seed + transport.rank()());
    flow::Executor executor({.n_workers = std::max(1U, n_workers),
                             .scratch_bytes = scratch_bytes(shape),
                             .picker = n_workers == 0 ? &picker : nullptr},
                            transport, clock);
    const auto report = executor.run(graph, n_replays);
    return report ? "" : report.error().message;
  }
};

/// Run a program on virtual ranks; what fails on one of them fails the test.
inline void on_virtual_ranks(int n_ranks, std::uint64_t seed,
                             const std::function<void(VirtualRank&)>& program) {
  comm::SimNetwork network({.n_ranks = n_ranks, .seed = seed});
  const auto done = network.run([&](flow::Transport& transport) {
    VirtualRank self{.transport = transport, .clock = network.clock(), .seed = seed};
    program(self);
  });
  EXPECT_TRUE(done) << done.error().message;
}

}  // namespace thalweg::miniamr::data::testing
