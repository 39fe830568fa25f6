// SPDX-License-Identifier: MIT
#include <thalweg/mesh/nest.hpp>

#include <algorithm>
#include <utility>
#include <vector>

#include <thalweg/core/contract.hpp>
#include <thalweg/core/dimensions.hpp>
#include <thalweg/mesh/offsets.hpp>
#include <thalweg/mesh/sort_unique.hpp>

namespace thalweg::mesh {
namespace {

template <int D>
Outgoing<Key<D>> send_to_directory(const Forest<D>& old, std::vector<Key<D>> keys) {
  sort_unique(keys);
  Outgoing<Key<D>> out;
  out.reserve(keys.size());
  for (const Key<D>& key : keys) out.emplace_back(parent_directory_rank<D>(old, key), key);
  return out;
}

}  // namespace

template <int D>
Destination parent_directory_rank(const Forest<D>& old, const Key<D>& key) {
  const int level = std::clamp(key.level - 1, 0, old.n_levels() - 1);
  return to_directory(old, old.geometry.ancestor(key, level));
}

template <int D>
int n_levels_after(const Forest<D>& old) {
  return std::min(old.n_levels(), old.geometry.max_level()) + 1;
}

template <int D>
Outgoing<Key<D>> send_wanted(const Forest<D>& old,
                             std::type_identity_t<std::span<const Key<D>>> wanted) {
  THALWEG_EXPECT(std::all_of(wanted.begin(), wanted.end(),
                             [&](const Key<D>& key) {
                               return key.level >= 1 && key.level < n_levels_after(old) &&
                                      old.geometry.contains(key);
                             }),
                 "a regrid can want blocks of levels 1 to n_levels, inside the domain");
  std::vector<Key<D>> keys(wanted.begin(), wanted.end());
  // The directory rank of a place of level 0 must know its block as if it owned it.
  if (old.has_explicit_owners)
    keys.insert(keys.end(), old.level(0).keys.begin(), old.level(0).keys.end());
  return send_to_directory<D>(old, std::move(keys));
}

template <int D>
KeySets<D> collect_wanted(const Forest<D>& old, const Messages<Key<D>>& arrived) {
  KeySets<D> sets;
  sets.levels.resize(static_cast<std::size_t>(n_levels_after(old)));
  if (!old.has_explicit_owners) sets.levels[0] = old.level(0).keys;
  return collect_support(std::move(sets), arrived);
}

template <int D>
Outgoing<Key<D>> send_support(const Forest<D>& old, const KeySets<D>& sets, int level) {
  THALWEG_EXPECT(level >= 1 && level + 1 < std::ssize(sets.levels), "level has nothing finer");
  std::vector<Key<D>> parents;
  parents.reserve(sets.levels[static_cast<std::size_t>(level) + 1].size());
  for (const Key<D>& key : sets.levels[static_cast<std::size_t>(level) + 1])
    parents.push_back(old.geometry.parent(key));
  sort_unique(parents);
  std::vector<Key<D>> asked;
  asked.reserve(parents.size() * n_offsets<D>);
  for (const Key<D>& key : parents)
    for (int o = 0; o < n_offsets<D>; ++o)
      if (const auto neighbour = old.geometry.neighbour(key, offset_at<D>(o)))
        asked.push_back(*neighbour);
  return send_to_directory<D>(old, std::move(asked));
}

template <int D>
KeySets<D> collect_support(KeySets<D> sets, const Messages<Key<D>>& arrived) {
  std::vector<bool> grows(sets.levels.size());
  for (const auto& [from, key] : arrived) {
    const auto level = static_cast<std::size_t>(key.level);
    sets.levels[level].push_back(key);
    grows[level] = true;
  }
  for (std::size_t l = 0; l < grows.size(); ++l)
    if (grows[l]) sort_unique(sets.levels[l]);
  return sets;
}

#define THALWEG_INSTANTIATE(D)                                                         \
  template Destination parent_directory_rank<D>(const Forest<D>&, const Key<D>&);      \
  template Outgoing<Key<D>> send_wanted<D>(const Forest<D>&, std::span<const Key<D>>); \
  template Outgoing<Key<D>> send_support<D>(const Forest<D>&, const KeySets<D>&, int); \
  template int n_levels_after(const Forest<D>&);                                       \
  template KeySets<D> collect_wanted(const Forest<D>&, const Messages<Key<D>>&);       \
  template KeySets<D> collect_support(KeySets<D>, const Messages<Key<D>>&)

THALWEG_FOR_DIMENSIONS(THALWEG_INSTANTIATE)
#undef THALWEG_INSTANTIATE

}  // namespace thalweg::mesh
