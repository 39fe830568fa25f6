// SPDX-License-Identifier: MIT
#pragma once
// Which leaves touch which, by search in a halo of leaves: for tests, and beside p4est's in
// benchmarks. Simulations have mesh::NeighbourInfo, miniAMR a halo with owners of data.
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <thalweg/core/contract.hpp>
#include <thalweg/mesh/collectives.hpp>
#include <thalweg/mesh/leaf_forest.hpp>
#include <thalweg/mesh/leaf_neighbours.hpp>
#include <thalweg/mesh/messages.hpp>
#include <thalweg/mesh/offsets.hpp>
#include <thalweg/mesh/route.hpp>
#include <thalweg/mesh/sort_unique.hpp>

namespace thalweg::mesh::testing {

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
std::vector<LeafQuery<D>> find_leaf_queries(const LeafForest<D>& forest, Adjacency reach) {
  std::vector<LeafQuery<D>> queries;
  for (const Key<D>& leaf : outer_leaves(forest))
    for (int o = 0; o < n_offsets<D>; ++o) {
      if (!reaches(reach, offset_at<D>(o))) continue;
      const auto place = forest.geometry().neighbour(leaf, offset_at<D>(o));
      if (!place) continue;
      const bool is_own = forest.is_here(forest.rules.position(*place)) &&
                          forest.is_here(forest.rules.end(*place) - 1);
      if (!is_own) queries.push_back({*place, o, forest.rank, leaf});
    }
  return queries;
}

/// Which of these go 2^hop ranks up and which stay here, where a place that ranks share is divided
/// into its children that touch the leaf.
/// @param moving  set to those that go; touches: those that stay
template <int D>
void divide_leaf_queries(const LeafForest<D>& forest, int hop, std::vector<LeafQuery<D>>& queries,
                         std::vector<LeafQuery<D>>& moving) {
  const Reach reached = forest.directory.reach(hop);
  const std::uint64_t lower = std::min(reached.begin, reached.end);
  const std::uint64_t upper = std::max(reached.begin, reached.end);
  const auto piece_of = [&](std::uint64_t position) {
    return (position >= lower ? 1 : 0) + (position >= upper ? 1 : 0);
  };
  std::vector<LeafQuery<D>> staying;
  moving.clear();
  while (!queries.empty()) {
    const LeafQuery<D> query = queries.back();
    queries.pop_back();
    const std::uint64_t first = forest.rules.position(query.place);
    if (piece_of(first) == piece_of(forest.rules.end(query.place) - 1)) {
      (reached.contains(first) ? staying : moving).push_back(query);
      continue;
    }
    const int ratio = forest.geometry().ratio(query.place.level);
    for (int i = 0; i < n_children<D>(ratio); ++i)
      if (is_near_side(i, ratio, offset_at<D>(query.offset)))
        queries.push_back({child(query.place, i, ratio), query.offset, query.from, query.leaf});
  }
  queries = std::move(staying);
}

/// What send_to_neighbours would have brought.
template <int D>
Messages<Key<D>> collect_leaf_queries(const LeafForest<D>& forest,
                                      const std::vector<LeafQuery<D>>& queries) {
  struct Placed {
    Rank from;
    std::uint64_t position;
    Key<D> leaf;
    auto operator<=>(const Placed&) const = default;
  };
  std::vector<Placed> placed;
  for (const LeafQuery<D>& query : queries)
    if (query.from != forest.rank)
      placed.push_back({query.from, forest.rules.position(query.leaf), query.leaf});
  sort_unique(placed);
  Messages<Key<D>> arrived;
  for (const Placed& p : placed) arrived.emplace_back(p.from, p.leaf);
  return arrived;
}

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

template <int D>
LeafNeighbours<D>::LeafNeighbours(const LeafForest<D>& forest, Adjacency reach,
                                  const Messages<Key<D>>& arrived)
    : rules_(forest.rules), reach_(reach), revision_(forest.revision) {
  known_.reserve(forest.leaves.size() + arrived.size());
  // Sorted by source, and by each source in order: before, at, and after this rank's on the curve.
  const auto is_lower = [&](const auto& message) { return message.first < forest.rank; };
  const auto middle = std::partition_point(arrived.begin(), arrived.end(), is_lower);
  for (auto it = arrived.begin(); it != middle; ++it) known_.push_back({it->second, it->first});
  for (const Key<D>& leaf : forest.leaves) known_.push_back({leaf, forest.rank});
  for (auto it = middle; it != arrived.end(); ++it) known_.push_back({it->second, it->first});
  positions_.reserve(known_.size());
  for (const OwnedLeaf<D>& leaf : known_) positions_.push_back(rules_.position(leaf.key));
  THALWEG_ENSURE(std::is_sorted(positions_.begin(), positions_.end()), "ranks follow the curve");
}

template <int D>
std::size_t LeafNeighbours<D>::n_bytes() const {
  return known_.capacity() * sizeof(OwnedLeaf<D>) + positions_.capacity() * sizeof(std::uint64_t);
}

template <int D>
void LeafNeighbours<D>::append(const Key<D>& leaf, const Index<D>& offset,
                               std::vector<OwnedLeaf<D>>& to) const {
  THALWEG_EXPECT(reaches(reach_, offset), "neighbours in this direction were not asked for");
  const auto place = rules_.geometry.neighbour(leaf, offset);
  if (!place) return;
  // The last known leaf that begins no later: it covers the place unless finer leaves do.
  const std::uint64_t position = rules_.position(*place);
  const auto above = std::upper_bound(positions_.begin(), positions_.end(), position);
  const auto after = static_cast<std::size_t>(above - positions_.begin());
  if (after > 0) {
    const OwnedLeaf<D>& at = known_[after - 1];
    if (at.key.level <= place->level && rules_.end(at.key) > position) {
      to.push_back(at);
      return;
    }
  }
  const auto begin = std::lower_bound(positions_.begin(), above, position);
  const auto end = std::lower_bound(above, positions_.end(), rules_.end(*place));
  [[maybe_unused]] const std::size_t n_before = to.size();
  append_finer(static_cast<std::size_t>(begin - positions_.begin()),
               static_cast<std::size_t>(end - positions_.begin()), *place, offset, to);
  THALWEG_ENSURE(to.size() > n_before, "leaves cover the domain, and all that touch are known");
}

template <int D>
void LeafNeighbours<D>::append_finer(std::size_t begin, std::size_t end, const Key<D>& place,
                                     const Index<D>& offset, std::vector<OwnedLeaf<D>>& to) const {
  if (begin == end) return;
  if (known_[begin].key == place) {
    to.push_back(known_[begin]);
    return;
  }
  const int ratio = rules_.geometry.ratio(place.level);
  const auto at = [&](std::size_t i) {
    return positions_.begin() + static_cast<std::ptrdiff_t>(i);
  };
  // Children in the order of keys; the caller wants the curve's.
  const std::size_t n_before = to.size();
  for (int i = 0; i < n_children<D>(ratio); ++i) {
    if (!is_near_side(i, ratio, offset)) continue;
    const Key<D> inner = child(place, i, ratio);
    const auto lower = std::lower_bound(at(begin), at(end), rules_.position(inner));
    const auto upper = std::lower_bound(lower, at(end), rules_.end(inner));
    append_finer(static_cast<std::size_t>(lower - positions_.begin()),
                 static_cast<std::size_t>(upper - positions_.begin()), inner, offset, to);
  }
  if (rules_.curve != Curve::morton)
    std::sort(to.begin() + static_cast<std::ptrdiff_t>(n_before), to.end(),
              [&](const OwnedLeaf<D>& a, const OwnedLeaf<D>& b) {
                return rules_.position(a.key) < rules_.position(b.key);
              });
}

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

}  // namespace thalweg::mesh::testing
