// SPDX-License-Identifier: MIT
#pragma once
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include <thalweg/core/contract.hpp>
#include <thalweg/core/vec.hpp>
#include <thalweg/mesh/morton.hpp>
#include <thalweg/mesh/ratios.hpp>

namespace thalweg::mesh {

/// The name of a block: its level and the Morton code of its place in the level's lattice of
/// blocks.
///
/// Ordered by level, then along the space-filling curve.
template <int D>
struct Key {
  std::int32_t level = 0;
  std::uint64_t code = 0;

  constexpr auto operator<=>(const Key&) const = default;
};

/// Name the block at a place in the lattice of a level. @pre 0 <= place < 2^bits_per_axis<D>
template <int D>
constexpr Key<D> key_at(int level, const Index<D>& place) {
  THALWEG_EXPECT(level >= 0, "levels start at 0");
  return {level, morton_encode(place)};
}

/// Where a block lies in the lattice of its level, in blocks.
template <int D>
constexpr Index<D> coordinates(const Key<D>& key) {
  return morton_decode<D>(key.code);
}

/// Number of bits a code loses from a level to the next coarser one. @pre ratio is 2 or 4
template <int D>
constexpr int bits_per_level(int ratio) {
  THALWEG_EXPECT(ratio == 2 || ratio == 4, "the refinement ratio is 2 or 4");
  return ratio == 2 ? D : 2 * D;
}

/// Number of children of a block that is refined whole: ratio^D.
template <int D>
constexpr int n_children(int ratio) {
  return 1 << bits_per_level<D>(ratio);
}

/// Name the block of a coarser or the same level that this one lies in. @pre 0 <= level
template <int D>
constexpr Key<D> ancestor(const Key<D>& key, int level, const Ratios& ratios) {
  THALWEG_EXPECT(level >= 0 && level <= key.level, "an ancestor is on a coarser level");
  return {level, key.code >> (D * ratios.log2_between(level, key.level))};
}

/// Name the block of the next coarser level that this one lies in. @pre key.level > 0
/// @param ratio  between that level and the key's
template <int D>
constexpr Key<D> parent(const Key<D>& key, int ratio) {
  THALWEG_EXPECT(key.level > 0, "level 0 has nothing coarser");
  return {key.level - 1, key.code >> bits_per_level<D>(ratio)};
}

/// Name one child; children are numbered in Morton order, x fastest.
/// @param ratio  between the key's level and the next finer one
template <int D>
constexpr Key<D> child(const Key<D>& key, int number, int ratio) {
  THALWEG_EXPECT(number >= 0 && number < n_children<D>(ratio), "no such child");
  return {key.level + 1,
          (key.code << bits_per_level<D>(ratio)) | static_cast<std::uint64_t>(number)};
}

/// Name all children in Morton order.
template <int D>
constexpr std::vector<Key<D>> children(const Key<D>& key, int ratio) {
  std::vector<Key<D>> all;
  all.reserve(static_cast<std::size_t>(n_children<D>(ratio)));
  for (int i = 0; i < n_children<D>(ratio); ++i) all.push_back(child(key, i, ratio));
  return all;
}

}  // namespace thalweg::mesh

template <int D>
struct std::hash<thalweg::mesh::Key<D>> {
  std::size_t operator()(const thalweg::mesh::Key<D>& key) const {
    // Fibonacci hashing spreads the dense low bits of the code over the whole word.
    return (key.code + (static_cast<std::uint64_t>(key.level) << 58)) * 0x9e3779b97f4a7c15u;
  }
};
