// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <vector>

#include <thalweg/core/node_shared_array.hpp>
#include <thalweg/mesh/forest.hpp>
#include <thalweg/mesh/neighbour_info.hpp>
#include <thalweg/mesh/owner_directory.hpp>

// Bytes of memory that values hold on the heap, room in their lists that is not used included.

namespace thalweg::mesh {

template <class T>
std::size_t n_bytes(const std::vector<T>& list) {
  return list.capacity() * sizeof(T);
}

/// What several ranks of a compute node hold together counts in equal parts.
template <class T>
std::size_t n_bytes(const NodeSharedArray<T>& list) {
  return list.n_bytes();
}

/// Of the owners of a level, what this rank holds.
inline std::size_t n_bytes(const OwnerDirectory& directory) {
  return n_bytes(directory.splitters()) + n_bytes(directory.routing_table());
}

template <int D>
std::size_t n_bytes(const Forest<D>& forest) {
  std::size_t n = n_bytes(forest.levels);
  for (const LevelSet<D>& set : forest.levels)
    n += n_bytes(set.keys) + n_bytes(set.directory) + n_bytes(set.positions) +
         n_bytes(set.remote_owners);
  return n;
}

template <int D>
std::size_t n_bytes(const NeighbourInfo<D>& neighbours) {
  std::size_t n = n_bytes(neighbours.levels);
  for (const LevelNeighbourInfo<D>& level : neighbours.levels)
    n += n_bytes(level.masks) + n_bytes(level.fine_neighbours);
  return n;
}

}  // namespace thalweg::mesh
