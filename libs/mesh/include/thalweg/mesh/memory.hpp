// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <vector>

#include <thalweg/core/shared_list.hpp>
#include <thalweg/mesh/forest.hpp>
#include <thalweg/mesh/neighbourhood.hpp>

// Bytes of memory that values hold on the heap, room in their lists that is not used included.

namespace thalweg::mesh {

template <class T>
std::size_t n_bytes(const std::vector<T>& list) {
  return list.capacity() * sizeof(T);
}

/// What several ranks of a machine hold together counts in equal parts.
template <class T>
std::size_t n_bytes(const SharedList<T>& list) {
  return list.n_bytes();
}

template <int D>
std::size_t n_bytes(const Forest<D>& forest) {
  std::size_t n = n_bytes(forest.levels);
  for (const LevelSet<D>& set : forest.levels)
    n += n_bytes(set.keys) + n_bytes(set.splitters) + n_bytes(set.fingers) +
         n_bytes(set.positions) + n_bytes(set.others);
  return n;
}

template <int D>
std::size_t n_bytes(const Neighbourhoods<D>& near) {
  std::size_t n = n_bytes(near.levels);
  for (const Neighbourhood<D>& level : near.levels)
    n += n_bytes(level.masks) + n_bytes(level.fine_near);
  return n;
}

}  // namespace thalweg::mesh
