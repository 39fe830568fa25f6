// SPDX-License-Identifier: MIT
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <thalweg/core/strong_id.hpp>
#include <thalweg/mesh/collectives.hpp>
#include <thalweg/mesh/key.hpp>
#include <thalweg/mesh/leaf_forest.hpp>
#include <thalweg/mesh/messages.hpp>

namespace thalweg::mesh {

/// A leaf and who has it.
template <int D>
struct OwnedLeaf {
  Key<D> key;
  Rank owner;

  bool operator==(const OwnedLeaf&) const = default;
};

/// The only round: send leaves to the ranks that have leaves touching them.
/// @param reach  across what; it need not be what balance counts
template <int D>
Messages<Key<D>> send_to_neighbours(const LeafForest<D>& forest, Adjacency reach);

/// A leaf on its way to the ranks with leaves in a place that touch it, where there is no table.
template <int D>
struct LeafQuery {
  Key<D> place;
  std::int32_t offset = 0;  ///< of the place, from the leaf or from an ancestor
  Rank from;
  Key<D> leaf;
};

/// As send_to_neighbours: to the places around.
template <int D>
std::vector<LeafQuery<D>> find_leaf_queries(const LeafForest<D>& forest, Adjacency reach);
/// Which of these go 2^hop ranks up and which stay here, where a place that ranks share is divided
/// into its children that touch the leaf.
/// @param moving  set to those that go; touches: those that stay
template <int D>
void divide_leaf_queries(const LeafForest<D>& forest, int hop, std::vector<LeafQuery<D>>& queries,
                         std::vector<LeafQuery<D>>& moving);
/// What send_to_neighbours would have brought.
template <int D>
Messages<Key<D>> collect_leaf_queries(const LeafForest<D>& forest,
                                      const std::vector<LeafQuery<D>>& queries);

/// This rank's leaves and the layer of other ranks' leaves that touch them: enough to name the
/// neighbours of each leaf. @threads safe to read
template <int D>
class LeafNeighbours {
 public:
  /// @param arrived  what the round of send_to_neighbours brought
  LeafNeighbours(const LeafForest<D>& forest, Adjacency reach, const Messages<Key<D>>& arrived);

  bool operator==(const LeafNeighbours&) const = default;

  std::uint64_t revision() const { return revision_; }  ///< of the forest
  /// All leaves that this rank knows, in the curve's order.
  const std::vector<OwnedLeaf<D>>& known() const { return known_; }
  /// Bytes of memory held.
  std::size_t n_bytes() const;

  /// Append the leaves that touch one of this rank's in a direction, around periodic axes.
  ///
  /// One that is coarser or as fine, or all finer ones, in the curve's order; none outside the
  /// domain. A coarser leaf can be the neighbour in several directions.
  /// @param offset  in {-1, 0, 1}^D, one that reaches as far as asked for or less
  void append(const Key<D>& leaf, const Index<D>& offset, std::vector<OwnedLeaf<D>>& to) const;
  /// The same as a list of its own.
  std::vector<OwnedLeaf<D>> at(const Key<D>& leaf, const Index<D>& offset) const {
    std::vector<OwnedLeaf<D>> found;
    append(leaf, offset, found);
    return found;
  }

 private:
  void append_finer(std::size_t begin, std::size_t end, const Key<D>& place, const Index<D>& offset,
                    std::vector<OwnedLeaf<D>>& to) const;

  LeafRules<D> rules_;
  Adjacency reach_;
  std::uint64_t revision_ = 0;
  std::vector<OwnedLeaf<D>> known_;
  std::vector<std::uint64_t> positions_;  ///< of the known leaves, to search in
};

/// Learn the neighbours of this rank's leaves in one round, routed where there is no table.
/// Collective.
template <int D, Collectives R>
LeafNeighbours<D> find_neighbours(const LeafForest<D>& forest, Adjacency reach, R& collectives) {
  if (!forest.has_table()) {
    std::vector<LeafQuery<D>> queries = find_leaf_queries(forest, reach);
    std::vector<LeafQuery<D>> moving;
    for (int k = std::bit_width(static_cast<unsigned>(forest.n_ranks - 1)); k-- > 0;) {
      divide_leaf_queries(forest, k, queries, moving);
      const auto below =
          collectives.ring_shift(std::span<const LeafQuery<D>>(moving), std::int64_t{1} << k);
      queries.insert(queries.end(), below.begin(), below.end());
    }
    return LeafNeighbours<D>(forest, reach, collect_leaf_queries(forest, queries));
  }
  return LeafNeighbours<D>(forest, reach, collectives.exchange(send_to_neighbours(forest, reach)));
}

}  // namespace thalweg::mesh
