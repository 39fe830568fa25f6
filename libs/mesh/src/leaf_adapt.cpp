// SPDX-License-Identifier: MIT
#include <thalweg/mesh/leaf_adapt.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>

#include <thalweg/core/contract.hpp>
#include <thalweg/core/dimensions.hpp>
#include <thalweg/mesh/offsets.hpp>
#include <thalweg/mesh/sort_unique.hpp>

namespace thalweg::mesh {
namespace {

// Towards which neighbours of its parent a block lies, as bits by offset_number: those that hold a
// neighbour of the block itself. Its parent counts always.
template <int D>
std::uint32_t parents_near(const Key<D>& key, int ratio, Adjacency balance) {
  const Index<D> place = coordinates(key);
  Index<D> side;
  for (int a = 0; a < D; ++a) {
    const int within = place[a] % ratio;
    side[a] = within == 0 ? -1 : within == ratio - 1 ? 1 : 0;
  }
  std::uint32_t neighbour = std::uint32_t{1} << centre_offset<D>;
  for (unsigned axes = 1; axes < (1u << D); ++axes) {
    Index<D> offset;
    for (int a = 0; a < D; ++a) offset[a] = ((axes >> a) & 1u) != 0 ? side[a] : 0;
    if (reaches(balance, offset)) neighbour |= std::uint32_t{1} << offset_number(offset);
  }
  return neighbour;
}

// Appends the blocks at the offsets in a set around a block, inside the domain.
template <int D>
void append_around(const Geometry<D>& geometry, const Key<D>& key, std::uint32_t offsets,
                   std::vector<Key<D>>& to) {
  for (; offsets != 0; offsets &= offsets - 1)
    if (const auto neighbour = geometry.neighbour(key, offset_at<D>(std::countr_zero(offsets))))
      to.push_back(*neighbour);
}

// Appends the children that begin here and are not split. Both lists are sorted by key.
template <int D>
void append_unsplit_children(const LeafForest<D>& forest, const std::vector<Key<D>>& parents,
                             const std::vector<Key<D>>& interior_nodes, std::vector<Key<D>>& to) {
  auto split = interior_nodes.begin();
  for (const Key<D>& parent : parents) {
    const int ratio = forest.geometry().ratio(parent.level);
    for (int i = 0; i < n_children<D>(ratio); ++i) {
      const Key<D> key = child(parent, i, ratio);
      while (split != interior_nodes.end() && *split < key) ++split;
      if (split != interior_nodes.end() && *split == key) continue;
      if (forest.is_here(forest.rules.position(key))) to.push_back(key);
    }
  }
}

template <int D>
void sort_along_curve(const LeafRules<D>& rules, std::vector<Key<D>>& leaves) {
  std::vector<std::pair<std::uint64_t, Key<D>>> placed;
  placed.reserve(leaves.size());
  for (const Key<D>& leaf : leaves) placed.emplace_back(rules.position(leaf), leaf);
  std::sort(placed.begin(), placed.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t i = 0; i < leaves.size(); ++i) leaves[i] = placed[i].second;
}

}  // namespace

template <int D>
InteriorNodes<D> wanted_interior_nodes(const LeafForest<D>& forest,
                                       std::type_identity_t<std::span<const RefineFlag>> flags) {
  THALWEG_EXPECT(flags.size() == forest.leaves.size(), "one flag for each leaf");
  const Geometry<D>& geometry = forest.geometry();
  InteriorNodes<D> interior_nodes;
  interior_nodes.levels.resize(
      static_cast<std::size_t>(std::min(forest.finest + 1, geometry.max_level())));
  for (std::size_t i = 0; i < flags.size(); ++i) {
    const Key<D>& leaf = forest.leaves[i];
    const int level = leaf.level + static_cast<int>(flags[i]) - 1;
    THALWEG_EXPECT(level < geometry.max_level(), "the finest level is not refined");
    if (level < 0) continue;
    const Key<D> key = geometry.ancestor(leaf, level);
    auto& of_level = interior_nodes.levels[static_cast<std::size_t>(level)];
    if (of_level.empty() || of_level.back() != key) of_level.push_back(key);
  }
  for (auto& of_level : interior_nodes.levels) sort_unique(of_level);
  return interior_nodes;
}

template <int D>
InteriorNodes<D> parents_of(const Geometry<D>& geometry,
                            std::type_identity_t<std::span<const Key<D>>> wanted, int n_levels) {
  InteriorNodes<D> parents;
  parents.levels.resize(static_cast<std::size_t>(n_levels - 1));
  for (const Key<D>& key : wanted) {
    THALWEG_EXPECT(key.level >= 1 && key.level < n_levels && geometry.contains(key),
                   "blocks of levels 1 to n_levels - 1 can be wanted, inside the domain");
    parents.levels[static_cast<std::size_t>(key.level) - 1].push_back(geometry.parent(key));
  }
  for (auto& of_level : parents.levels) sort_unique(of_level);
  return parents;
}

template <int D>
std::vector<Key<D>> supporting_interior_nodes(
    const LeafRules<D>& rules, std::type_identity_t<std::span<const Key<D>>> interior_nodes) {
  const Geometry<D>& geometry = rules.geometry;
  std::vector<Key<D>> support;
  for (std::size_t i = 0; i < interior_nodes.size();) {
    const Key<D> parent = geometry.parent(interior_nodes[i]);
    std::uint32_t neighbour = 0;
    // Siblings follow each other, and share most of their parent's neighbours.
    for (; i < interior_nodes.size() && geometry.parent(interior_nodes[i]) == parent; ++i)
      neighbour |= parents_near(interior_nodes[i], geometry.ratio(parent.level), rules.balance);
    append_around(geometry, parent, neighbour, support);
  }
  sort_unique(support);
  return support;
}

template <int D>
Outgoing<Key<D>> send_to_directory(const LeafForest<D>& forest,
                                   std::type_identity_t<std::span<const Key<D>>> keys) {
  Outgoing<Key<D>> out;
  for (const Key<D>& key : keys)
    if (const Destination directory_rank = to_directory(forest, key);
        directory_rank != Destination(forest.rank))
      out.emplace_back(directory_rank, key);
  return out;
}

template <int D>
std::vector<Key<D>> collect_in_directory(const LeafForest<D>& forest, std::vector<Key<D>> keys,
                                         const Messages<Key<D>>& arrived) {
  std::erase_if(keys, [&](const Key<D>& k) { return !forest.is_here(forest.rules.position(k)); });
  for (const auto& [from, key] : arrived) keys.push_back(key);
  sort_unique(keys);
  return keys;
}

template <int D>
Outgoing<Key<D>> send_to_children(const LeafForest<D>& forest,
                                  const InteriorNodes<D>& interior_nodes) {
  Outgoing<Key<D>> out;
  std::vector<Destination> directory_ranks;
  for (const auto& of_level : interior_nodes.levels)
    for (const Key<D>& key : of_level) {
      if (forest.rules.end(key) <= forest.curve_range().end) continue;  // all here
      directory_ranks.clear();
      const int ratio = forest.geometry().ratio(key.level);
      for (int i = 0; i < n_children<D>(ratio); ++i)
        directory_ranks.push_back(to_directory(forest, child(key, i, ratio)));
      sort_unique(directory_ranks);
      for (const Destination& directory_rank : directory_ranks)
        if (directory_rank != Destination(forest.rank)) out.emplace_back(directory_rank, key);
    }
  return out;
}

template <int D>
std::vector<Key<D>> collect_leaves(const LeafForest<D>& forest,
                                   const InteriorNodes<D>& interior_nodes,
                                   const Messages<Key<D>>& arrived) {
  InteriorNodes<D> parents = interior_nodes;
  for (const auto& [from, key] : arrived)
    parents.levels[static_cast<std::size_t>(key.level)].push_back(key);

  std::vector<Key<D>> leaves;
  // A root that begins here is an ancestor of one of this rank's leaves, the first in it.
  for (const Key<D>& leaf : forest.leaves) {
    const Key<D> root = forest.geometry().ancestor(leaf, 0);
    const bool begins = forest.rules.position(root) == forest.rules.position(leaf);
    const bool is_split =
        !interior_nodes.levels.empty() &&
        std::binary_search(interior_nodes.levels[0].begin(), interior_nodes.levels[0].end(), root);
    if (begins && !is_split) leaves.push_back(root);
  }
  const std::vector<Key<D>> none;
  for (std::size_t l = 0; l < parents.levels.size(); ++l) {
    sort_unique(parents.levels[l]);
    append_unsplit_children(
        forest, parents.levels[l],
        l + 1 < interior_nodes.levels.size() ? interior_nodes.levels[l + 1] : none, leaves);
  }
  sort_along_curve(forest.rules, leaves);
  return leaves;
}

#define THALWEG_INSTANTIATE(D)                                                                   \
  template InteriorNodes<D> wanted_interior_nodes<D>(const LeafForest<D>&,                       \
                                                     std::span<const RefineFlag>);               \
  template InteriorNodes<D> parents_of<D>(const Geometry<D>&, std::span<const Key<D>>, int);     \
  template std::vector<Key<D>> supporting_interior_nodes<D>(const LeafRules<D>&,                 \
                                                            std::span<const Key<D>>);            \
  template Outgoing<Key<D>> send_to_directory<D>(const LeafForest<D>&, std::span<const Key<D>>); \
  template std::vector<Key<D>> collect_in_directory(const LeafForest<D>&, std::vector<Key<D>>,   \
                                                    const Messages<Key<D>>&);                    \
  template Outgoing<Key<D>> send_to_children<D>(const LeafForest<D>&, const InteriorNodes<D>&);  \
  template std::vector<Key<D>> collect_leaves(const LeafForest<D>&, const InteriorNodes<D>&,     \
                                              const Messages<Key<D>>&)

THALWEG_FOR_DIMENSIONS(THALWEG_INSTANTIATE)
#undef THALWEG_INSTANTIATE

}  // namespace thalweg::mesh
