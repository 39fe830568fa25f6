// SPDX-License-Identifier: MIT
#include <thalweg/mesh/remote_owners.hpp>

#include <algorithm>
#include <vector>

#include <thalweg/core/dimensions.hpp>
#include <thalweg/mesh/offsets.hpp>
#include <thalweg/mesh/sort_unique.hpp>

namespace thalweg::mesh {
namespace {

template <int D>
void find_directory_ranks_around(const Forest<D>& forest, const Key<D>& key,
                                 std::vector<Destination>& directory_ranks) {
  directory_ranks.clear();
  for (int o = 0; o < n_offsets<D>; ++o)
    if (const auto neighbour = forest.geometry.neighbour(key, offset_at<D>(o)))
      directory_ranks.push_back(to_directory(forest, *neighbour));
  sort_unique(directory_ranks);
}

}  // namespace

template <int D>
bool is_directory_around_family(const Forest<D>& forest, const Key<D>& parent) {
  const CurveRange part = forest.curve_range(parent.level + 1);
  const int bits = bits_per_level<D>(forest.geometry.ratio(parent.level));
  for (int o = 0; o < n_offsets<D>; ++o) {
    const auto neighbour = forest.geometry.neighbour(parent, offset_at<D>(o));
    if (neighbour &&
        !(neighbour->code << bits >= part.begin && (neighbour->code + 1) << bits <= part.end))
      return false;
  }
  return true;
}

template <int D>
Outgoing<NeighbourQuery<D>> send_neighbour_queries(const Forest<D>& forest) {
  Outgoing<NeighbourQuery<D>> out;
  std::vector<Destination> directory_ranks;
  for (const LevelSet<D>& set : forest.levels) {
    bool is_in_midst = false;
    for (std::size_t i = 0; i < set.keys.size(); ++i) {
      const Key<D>& key = set.keys[i];
      if (key.level > 0) {
        const Key<D> parent = forest.geometry.parent(key);
        if (i == 0 || parent != forest.geometry.parent(set.keys[i - 1])) {
          is_in_midst = !forest.has_explicit_owners && is_directory_around_family(forest, parent);
          if (forest.has_explicit_owners || !forest.is_directory_of(parent))
            out.emplace_back(to_directory(forest, parent), NeighbourQuery<D>{parent, 0});
        }
      }
      if (is_in_midst) continue;
      find_directory_ranks_around(forest, key, directory_ranks);
      if (!forest.has_explicit_owners && directory_ranks.size() == 1) continue;
      for (const Destination& directory_rank : directory_ranks)
        out.emplace_back(directory_rank, NeighbourQuery<D>{key, 1});
    }
  }
  return out;
}

template <int D>
Messages<OwnedKey<D>> send_answers(const Forest<D>& forest,
                                   const Messages<NeighbourQuery<D>>& arrived) {
  std::vector<OwnedKey<D>> present;
  for (const auto& [from, query] : arrived)
    if (query.is_here != 0) present.push_back({query.key, from});
  sort_unique(present);
  Messages<OwnedKey<D>> out;
  for (const auto& [from, query] : arrived) {
    if (!forest.is_directory_of(query.key)) continue;  // its directory rank answers
    for (int o = 0; o < n_offsets<D>; ++o) {
      const auto neighbour = forest.geometry.neighbour(query.key, offset_at<D>(o));
      if (!neighbour) continue;
      const auto found = std::ranges::lower_bound(present, *neighbour, {}, &OwnedKey<D>::key);
      if (found != present.end() && found->key == *neighbour) {
        if (found->owner != from) out.emplace_back(from, *found);
      } else if (!forest.has_explicit_owners && from != forest.rank && forest.has(*neighbour)) {
        out.emplace_back(from, OwnedKey<D>{*neighbour, forest.rank});
      }
    }
  }
  sort_unique(out);
  return out;
}

template <int D>
Forest<D> with_remote_owners(Forest<D> forest, const Messages<OwnedKey<D>>& arrived) {
  for (const auto& [from, other] : arrived)
    forest.levels[static_cast<std::size_t>(other.key.level)].remote_owners.push_back(other);
  for (LevelSet<D>& set : forest.levels) {
    sort_unique(set.remote_owners);
    set.remote_owners.shrink_to_fit();
  }
  return forest;
}

#define THALWEG_INSTANTIATE(D)                                                      \
  template bool is_directory_around_family(const Forest<D>&, const Key<D>&);        \
  template Outgoing<NeighbourQuery<D>> send_neighbour_queries<D>(const Forest<D>&); \
  template Messages<OwnedKey<D>> send_answers(const Forest<D>&,                     \
                                              const Messages<NeighbourQuery<D>>&);  \
  template Forest<D> with_remote_owners(Forest<D>, const Messages<OwnedKey<D>>&)
THALWEG_FOR_DIMENSIONS(THALWEG_INSTANTIATE)
#undef THALWEG_INSTANTIATE

}  // namespace thalweg::mesh
