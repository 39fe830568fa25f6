// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include <sphere.hpp>
#include <thalweg/exchange/plan/coarse.hpp>
#include <thalweg/exchange/plan/ghost.hpp>
#include <thalweg/exchange/plan/reflux.hpp>
#include <thalweg/exchange/plan/restrict.hpp>
#include <thalweg/mesh/leaf_partition.hpp>
#include <thalweg/mesh/memory.hpp>
#include <thalweg/mesh/neighbour_info.hpp>
#include <thalweg/mesh/offsets.hpp>
#include <thalweg/mesh/regrid.hpp>
#include <thalweg/mesh/testing/leaf_neighbours.hpp>

// One rank that regrids around a moving sphere, in either mode: virtual or real, as its collectives
// are. These model mesh::Collectives, can be called as an exchange, and are told where phases
// begin.

namespace thalweg::bench {

/// The first is no part of a regrid: what blocks ask for.
inline constexpr std::size_t n_regrid_phases = 5;

/// Leaf mode on one rank.
struct LeafRank {
  static constexpr std::array<const char*, n_regrid_phases> phases = {
      "", "balance", "partition", "neighbours", "name all 26 neighbours"};
  mesh::LeafForest<3> forest;
  std::size_t n_bytes = 0;

  template <class Collectives>
  static LeafRank start(const Sphere& sphere, int n_ranks, Collectives& collectives,
                        mesh::Directory directory) {
    return {mesh::initial_leaves(sphere.rules, 2, collectives.rank(), n_ranks, directory)};
  }
  static int n_starts(const Sphere& sphere) { return sphere.finest - 2; }
  std::int64_t n_blocks() const { return forest.n_global; }
  std::size_t n_own() const { return forest.leaves.size(); }

  template <class Collectives>
  void adapt(const Sphere& sphere, int time, Collectives& collectives) {
    const auto flags = sphere.flags(forest, time);
    collectives.begin_phase(1);
    auto leaves = mesh::balanced_leaves<3>(forest, flags, collectives);
    collectives.begin_phase(2);
    forest = mesh::partition_leaves(forest, mesh::of_equal_weight(std::move(leaves)), collectives)
                 .forest;
  }
  /// @param is_sampled  whether this rank does what has no messages, too
  template <class Collectives>
  void exchange_halo(Collectives& collectives, bool is_sampled) {
    collectives.begin_phase(3);
    const auto neighbours =
        mesh::testing::find_neighbours(forest, mesh::Adjacency::corners, collectives);
    n_bytes = sizeof(forest) + mesh::n_bytes(forest.leaves) + mesh::n_bytes(forest.directory) +
              neighbours.n_bytes();
    collectives.begin_phase(4);
    if (!is_sampled) return;
    std::vector<mesh::OwnedLeaf<3>> found;
    std::size_t n = 0;
    for (const mesh::Key<3>& leaf : forest.leaves)
      for (int o = 0; o < mesh::n_offsets<3>; ++o) {
        if (o == mesh::centre_offset<3>) continue;
        found.clear();
        neighbours.append(leaf, mesh::offset_at<3>(o), found);
        n += found.size();
      }
    if (n < forest.leaves.size()) throw std::logic_error("leaves without neighbours");
  }
};

/// Nested mode on one rank.
struct NestedRank {
  static constexpr std::array<const char*, n_regrid_phases> phases = {"", "nesting", "partition",
                                                                      "neighbours", "all plans"};
  mesh::Forest<3> forest;
  std::size_t n_bytes = 0;

  template <class Collectives>
  static NestedRank start(const Sphere& sphere, int n_ranks, Collectives& collectives,
                          mesh::Directory directory) {
    return {mesh::initial_forest(sphere.rules.geometry, collectives.rank(), n_ranks, collectives,
                                 directory)};
  }
  static int n_starts(const Sphere& sphere) { return sphere.finest; }
  std::int64_t n_blocks() const {
    std::int64_t n = 0;
    for (const auto& level : forest.levels) n += level.n_global;
    return n;
  }
  std::size_t n_own() const {
    std::size_t n = 0;
    for (const auto& level : forest.levels) n += level.keys.size();
    return n;
  }

  template <class Collectives>
  void adapt(const Sphere& sphere, int time, Collectives& collectives) {
    const auto wanted = sphere.wanted(forest, time);
    collectives.begin_phase(1);
    const auto sets = mesh::nested_sets<3>(forest, wanted, collectives);
    collectives.begin_phase(2);
    forest = mesh::partition(forest, sets, mesh::unit_weights(sets), collectives).forest;
  }
  /// @param is_sampled  whether this rank does what has no messages, too
  template <class Collectives>
  void exchange_halo(Collectives& collectives, bool is_sampled) {
    collectives.begin_phase(3);
    const auto neighbours = mesh::find_neighbour_info(forest, collectives);
    n_bytes = sizeof(forest) + mesh::n_bytes(forest) + mesh::n_bytes(neighbours);
    collectives.begin_phase(4);
    if (!is_sampled) return;
    for (int level = 0; level < forest.n_levels(); ++level) {
      const exchange::PlanOptions options{level, 4, 4};
      exchange::plan_ghost(forest, neighbours, options);
      if (level == 0) continue;
      exchange::plan_coarse_ghosts(forest, neighbours, options);
      exchange::plan_restrict(forest, neighbours, options);
      exchange::plan_reflux(forest, neighbours, options);
    }
  }
};

}  // namespace thalweg::bench
