// SPDX-License-Identifier: MIT
#include <thalweg/mesh/leaf_neighbours.hpp>

#include <algorithm>
#include <optional>
#include <utility>

#include <thalweg/core/contract.hpp>
#include <thalweg/mesh/offsets.hpp>
#include <thalweg/mesh/route.hpp>

namespace thalweg::mesh {
namespace {

// Whether a child touches the block that its parent lies at an offset from: it is on the near side
// on each axis along which the offset leads.
template <int D>
bool is_near_side(int child_number, int ratio, const Index<D>& offset) {
  const Index<D> place = morton_decode<D>(static_cast<std::uint64_t>(child_number));
  for (int a = 0; a < D; ++a) {
    if (offset[a] > 0 && place[a] != 0) return false;
    if (offset[a] < 0 && place[a] != ratio - 1) return false;
  }
  return true;
}

// Appends the owners of the leaves in a place that touch the block it lies at an offset from.
template <int D>
void append_owners(const LeafForest<D>& forest, const Key<D>& place, const Index<D>& offset,
                   std::vector<Rank>& to) {
  const LeafRules<D>& rules = forest.rules;
  const Rank first = forest.owner(rules.position(place));
  if (forest.owner(rules.end(place) - 1) == first) {
    to.push_back(first);
    return;
  }
  const int ratio = rules.geometry.ratio(place.level);
  for (int i = 0; i < n_children<D>(ratio); ++i)
    if (is_near_side(i, ratio, offset)) append_owners(forest, child(place, i, ratio), offset, to);
}

// Whether a block and all around it lie in this rank's part of the curve.
template <int D>
bool is_inside(const LeafForest<D>& forest, const Key<D>& key) {
  for (int o = 0; o < n_offsets<D>; ++o) {
    const auto neighbour = forest.geometry().neighbour(key, offset_at<D>(o));
    if (neighbour && !(forest.is_here(forest.rules.position(*neighbour)) &&
                       forest.is_here(forest.rules.end(*neighbour) - 1)))
      return false;
  }
  return true;
}

}  // namespace

namespace {

// Calls visit(leaf) for this rank's leaves, but for most of those that are far from other ranks'.
template <int D>
void for_each_outer(const LeafForest<D>& forest, auto visit) {
  std::optional<Key<D>> inner;  // the last parent found to be wholly inside
  for (const Key<D>& leaf : forest.leaves) {
    // Most leaves are far from other ranks, and their siblings too.
    if (leaf.level > 0) {
      const Key<D> parent = forest.geometry().parent(leaf);
      if (inner == parent) continue;
      if (is_inside(forest, parent)) {
        inner = parent;
        continue;
      }
    }
    visit(leaf);
  }
}

// Calls visit(place, offset) for the places around a leaf, as far as is asked for.
template <int D>
void for_each_around(const LeafForest<D>& forest, const Key<D>& leaf, Adjacency reach, auto visit) {
  for (int o = 0; o < n_offsets<D>; ++o) {
    const Index<D> offset = offset_at<D>(o);
    if (!reaches(reach, offset)) continue;
    if (const auto neighbour = forest.geometry().neighbour(leaf, offset)) visit(*neighbour, offset);
  }
}

}  // namespace

template <int D>
Messages<Key<D>> send_to_neighbours(const LeafForest<D>& forest, Adjacency reach) {
  Messages<Key<D>> out;
  std::vector<Rank> owners;
  for_each_outer(forest, [&](const Key<D>& leaf) {
    owners.clear();
    for_each_around(forest, leaf, reach, [&](const Key<D>& place, const Index<D>& offset) {
      append_owners(forest, place, offset, owners);
    });
    std::sort(owners.begin(), owners.end());
    owners.erase(std::unique(owners.begin(), owners.end()), owners.end());
    for (const Rank owner : owners)
      if (owner != forest.rank) out.emplace_back(owner, leaf);
  });
  return out;
}

template <int D>
std::vector<LeafQuery<D>> find_leaf_queries(const LeafForest<D>& forest, Adjacency reach) {
  std::vector<LeafQuery<D>> queries;
  for_each_outer(forest, [&](const Key<D>& leaf) {
    for_each_around(forest, leaf, reach, [&](const Key<D>& place, const Index<D>& offset) {
      const bool is_own = forest.is_here(forest.rules.position(place)) &&
                          forest.is_here(forest.rules.end(place) - 1);
      if (!is_own) queries.push_back({place, offset_number(offset), forest.rank, leaf});
    });
  });
  return queries;
}

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
  std::sort(placed.begin(), placed.end());
  placed.erase(std::unique(placed.begin(), placed.end()), placed.end());
  Messages<Key<D>> arrived;
  for (const Placed& p : placed) arrived.emplace_back(p.from, p.leaf);
  return arrived;
}

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

template Messages<Key<1>> send_to_neighbours(const LeafForest<1>&, Adjacency);
template std::vector<LeafQuery<1>> find_leaf_queries(const LeafForest<1>&, Adjacency);
template void divide_leaf_queries(const LeafForest<1>&, int, std::vector<LeafQuery<1>>&,
                                  std::vector<LeafQuery<1>>&);
template Messages<Key<1>> collect_leaf_queries(const LeafForest<1>&,
                                               const std::vector<LeafQuery<1>>&);
template Messages<Key<2>> send_to_neighbours(const LeafForest<2>&, Adjacency);
template std::vector<LeafQuery<2>> find_leaf_queries(const LeafForest<2>&, Adjacency);
template void divide_leaf_queries(const LeafForest<2>&, int, std::vector<LeafQuery<2>>&,
                                  std::vector<LeafQuery<2>>&);
template Messages<Key<2>> collect_leaf_queries(const LeafForest<2>&,
                                               const std::vector<LeafQuery<2>>&);
template Messages<Key<3>> send_to_neighbours(const LeafForest<3>&, Adjacency);
template std::vector<LeafQuery<3>> find_leaf_queries(const LeafForest<3>&, Adjacency);
template void divide_leaf_queries(const LeafForest<3>&, int, std::vector<LeafQuery<3>>&,
                                  std::vector<LeafQuery<3>>&);
template Messages<Key<3>> collect_leaf_queries(const LeafForest<3>&,
                                               const std::vector<LeafQuery<3>>&);
template class LeafNeighbours<1>;
template class LeafNeighbours<2>;
template class LeafNeighbours<3>;

}  // namespace thalweg::mesh
