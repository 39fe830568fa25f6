// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <thalweg/mesh/collectives.hpp>
#include <thalweg/mesh/leaf_partition.hpp>
#include <thalweg/miniamr/data/blocks.hpp>
#include <thalweg/miniamr/leaf_halo.hpp>
#include <thalweg/miniamr/marks.hpp>

namespace thalweg::miniamr {

/// What a pass makes of this rank's leaves.
struct PassPlan {
  /// Of the next leaves that begin here, in the curve's order. A split block's children are their
  /// parent's owner's, a joined block is its first child's owner's.
  data::Origins origins{};
  std::int64_t n_split = 0;
  std::int64_t n_joined = 0;
};

/// Carry marks out. @param marks  settled, of all known leaves
PassPlan plan_pass(const mesh::LeafRules<3>& rules, const LeafHalo& halo,
                   std::span<const Mark> marks);

/// A mesh that stays as it is, as origins in the curve's order: for moving blocks.
data::Origins origins_of(const Mesh& mesh);

/// Send origins to new directory ranks, so that all ranks are the directory of as many leaves.
/// @param n_before, n_all  leaves of lower ranks, and of all
mesh::Messages<data::Origin> send_to_directory(std::span<const data::Origin> origins,
                                               std::int64_t n_before, std::int64_t n_all,
                                               int n_ranks);

/// The leaves of origins, in their order.
std::vector<mesh::Key<3>> leaves_of(std::span<const data::Origin> origins);

/// A forest of next leaves, and where the data of this rank's part come from.
struct NextForest {
  mesh::LeafForest<3> forest;
  data::Origins origins;
};

/// Cut the next leaves into equal parts along the curve. Collective.
template <mesh::Collectives R>
NextForest settle_directory(const mesh::LeafForest<3>& old, std::span<const data::Origin> origins,
                            R& collectives) {
  const auto counts = collectives.all_gather(std::ssize(origins));
  std::int64_t n_before = 0;
  std::int64_t n_all = 0;
  for (std::size_t q = 0; q < counts.size(); ++q) {
    if (q == old.rank()) n_before = n_all;
    n_all += counts[q];
  }
  // Arrivals are sorted by source, and sources follow the curve.
  NextForest next;
  for (const auto& [from, origin] :
       collectives.exchange(send_to_directory(origins, n_before, n_all, old.n_ranks)))
    next.origins.push_back(origin);
  std::vector<mesh::Key<3>> leaves = leaves_of(next.origins);
  const std::vector<std::int64_t> weights(leaves.size(), 1);
  const mesh::LeafLoad mine = mesh::leaf_load_of<3>(old.rules, leaves, weights);
  const auto loads = collectives.all_gather_many(std::span<const mesh::LeafLoad>(&mine, 1));
  next.forest = mesh::next_forest<3>(old, std::move(leaves), loads, collectives);
  return next;
}

}  // namespace thalweg::miniamr
