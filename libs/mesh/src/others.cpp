// SPDX-License-Identifier: MIT
#include <thalweg/mesh/others.hpp>

#include <algorithm>
#include <vector>

#include <thalweg/mesh/offsets.hpp>

#include "sort_unique.hpp"

namespace thalweg::mesh {
namespace {

template <class To, int D>
void find_keepers_around(const Forest<D>& forest, const Key<D>& key, std::vector<To>& keepers) {
  keepers.clear();
  for (int o = 0; o < n_offsets<D>; ++o)
    if (const auto near = forest.geometry.neighbour(key, offset_at<D>(o)))
      keepers.push_back(to_keeper<To>(forest, *near));
  sort_unique(keepers);
}

}  // namespace

template <int D>
bool keeps_around_family(const Forest<D>& forest, const Key<D>& parent) {
  const Part part = forest.part(parent.level + 1);
  const int bits = bits_per_level<D>(forest.geometry.ratio(parent.level));
  for (int o = 0; o < n_offsets<D>; ++o) {
    const auto near = forest.geometry.neighbour(parent, offset_at<D>(o));
    if (near && !(near->code << bits >= part.begin && (near->code + 1) << bits <= part.end))
      return false;
  }
  return true;
}

template <int D, class To>
Addressed<To, Notice<D>> send_notices(const Forest<D>& forest) {
  Addressed<To, Notice<D>> out;
  std::vector<To> keepers;
  for (const LevelSet<D>& set : forest.levels) {
    bool is_in_midst = false;
    for (std::size_t i = 0; i < set.keys.size(); ++i) {
      const Key<D>& key = set.keys[i];
      if (key.level > 0) {
        const Key<D> parent = forest.geometry.parent(key);
        if (i == 0 || parent != forest.geometry.parent(set.keys[i - 1])) {
          is_in_midst = !forest.is_dealt && keeps_around_family(forest, parent);
          if (forest.is_dealt || !forest.keeps(parent))
            out.emplace_back(to_keeper<To>(forest, parent), Notice<D>{parent, 0});
        }
      }
      if (is_in_midst) continue;
      find_keepers_around(forest, key, keepers);
      if (!forest.is_dealt && keepers.size() == 1) continue;
      for (const To& keeper : keepers) out.emplace_back(keeper, Notice<D>{key, 1});
    }
  }
  return out;
}

template <int D>
Messages<OwnedKey<D>> send_answers(const Forest<D>& forest, const Messages<Notice<D>>& arrived) {
  std::vector<OwnedKey<D>> present;
  for (const auto& [from, notice] : arrived)
    if (notice.is_here != 0) present.push_back({notice.key, from});
  sort_unique(present);
  Messages<OwnedKey<D>> out;
  for (const auto& [from, notice] : arrived) {
    if (!forest.keeps(notice.key)) continue;  // its keeper answers
    for (int o = 0; o < n_offsets<D>; ++o) {
      const auto near = forest.geometry.neighbour(notice.key, offset_at<D>(o));
      if (!near) continue;
      const auto found = std::ranges::lower_bound(present, *near, {}, &OwnedKey<D>::key);
      if (found != present.end() && found->key == *near) {
        if (found->owner != from) out.emplace_back(from, *found);
      } else if (!forest.is_dealt && from != forest.rank && forest.has(*near)) {
        out.emplace_back(from, OwnedKey<D>{*near, forest.rank});
      }
    }
  }
  sort_unique(out);
  return out;
}

template <int D>
Forest<D> with_others(Forest<D> forest, const Messages<OwnedKey<D>>& arrived) {
  for (const auto& [from, other] : arrived)
    forest.levels[static_cast<std::size_t>(other.key.level)].others.push_back(other);
  for (LevelSet<D>& set : forest.levels) {
    sort_unique(set.others);
    set.others.shrink_to_fit();
  }
  return forest;
}

template bool keeps_around_family(const Forest<1>&, const Key<1>&);
template Messages<Notice<1>> send_notices<1, Rank>(const Forest<1>&);
template Addressed<Address, Notice<1>> send_notices<1, Address>(const Forest<1>&);
template Messages<OwnedKey<1>> send_answers(const Forest<1>&, const Messages<Notice<1>>&);
template Forest<1> with_others(Forest<1>, const Messages<OwnedKey<1>>&);
template bool keeps_around_family(const Forest<2>&, const Key<2>&);
template Messages<Notice<2>> send_notices<2, Rank>(const Forest<2>&);
template Addressed<Address, Notice<2>> send_notices<2, Address>(const Forest<2>&);
template Messages<OwnedKey<2>> send_answers(const Forest<2>&, const Messages<Notice<2>>&);
template Forest<2> with_others(Forest<2>, const Messages<OwnedKey<2>>&);
template bool keeps_around_family(const Forest<3>&, const Key<3>&);
template Messages<Notice<3>> send_notices<3, Rank>(const Forest<3>&);
template Addressed<Address, Notice<3>> send_notices<3, Address>(const Forest<3>&);
template Messages<OwnedKey<3>> send_answers(const Forest<3>&, const Messages<Notice<3>>&);
template Forest<3> with_others(Forest<3>, const Messages<OwnedKey<3>>&);

}  // namespace thalweg::mesh
