// SPDX-License-Identifier: MIT
#include <thalweg/mesh/remote_owners.hpp>

#include <algorithm>
#include <vector>

#include <thalweg/mesh/offsets.hpp>

#include "sort_unique.hpp"

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

template bool is_directory_around_family(const Forest<1>&, const Key<1>&);
template Outgoing<NeighbourQuery<1>> send_neighbour_queries<1>(const Forest<1>&);
template Messages<OwnedKey<1>> send_answers(const Forest<1>&, const Messages<NeighbourQuery<1>>&);
template Forest<1> with_remote_owners(Forest<1>, const Messages<OwnedKey<1>>&);
template bool is_directory_around_family(const Forest<2>&, const Key<2>&);
template Outgoing<NeighbourQuery<2>> send_neighbour_queries<2>(const Forest<2>&);
template Messages<OwnedKey<2>> send_answers(const Forest<2>&, const Messages<NeighbourQuery<2>>&);
template Forest<2> with_remote_owners(Forest<2>, const Messages<OwnedKey<2>>&);
template bool is_directory_around_family(const Forest<3>&, const Key<3>&);
template Outgoing<NeighbourQuery<3>> send_neighbour_queries<3>(const Forest<3>&);
template Messages<OwnedKey<3>> send_answers(const Forest<3>&, const Messages<NeighbourQuery<3>>&);
template Forest<3> with_remote_owners(Forest<3>, const Messages<OwnedKey<3>>&);

}  // namespace thalweg::mesh
