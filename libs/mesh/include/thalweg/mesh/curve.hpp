// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>

#include <thalweg/core/contract.hpp>
#include <thalweg/core/vec.hpp>
#include <thalweg/mesh/geometry.hpp>
#include <thalweg/mesh/hilbert.hpp>
#include <thalweg/mesh/key.hpp>
#include <thalweg/mesh/morton.hpp>

namespace thalweg::mesh {

/// The order in which blocks of all levels follow each other. Keys hold Morton codes either way.
enum class Curve : std::uint8_t {
  morton,   ///< cheapest; a rank's blocks can lie in two places
  hilbert,  ///< blocks that follow each other touch in a face, where the domain is a cube of 2^n
};

/// Bits of a block's coordinates on a level: the lattice fits into the cube [0, 2^bits)^D.
template <int D>
constexpr int lattice_bits(const Geometry<D>& geometry, int level) {
  int widest = 0;
  for (int a = 0; a < D; ++a) widest = std::max(widest, geometry.config().root_blocks[a] - 1);
  return std::bit_width(static_cast<unsigned>(widest)) +
         geometry.config().ratio.log2_between(0, level);
}

/// One more than the last position that a curve through the finest level can have.
template <int D>
constexpr std::uint64_t curve_end(const Geometry<D>& geometry) {
  return std::uint64_t{1} << (D * lattice_bits(geometry, geometry.max_level()));
}

/// Number of positions that a block of a level takes on the curve: its places on the finest level.
template <int D>
constexpr std::uint64_t curve_length(const Geometry<D>& geometry, int level) {
  return std::uint64_t{1} << (D *
                              geometry.config().ratio.log2_between(level, geometry.max_level()));
}

/// Where a block begins on the curve through the places of the finest level.
///
/// It takes [position, position + length): blocks that do not cover each other have disjoint
/// ranges, and a block's range is the union of its children's. @cost Hilbert: O(bits)
template <int D>
constexpr std::uint64_t curve_position(const Geometry<D>& geometry, Curve curve,
                                       const Key<D>& key) {
  const std::uint64_t at_level =
      curve == Curve::morton ? key.code
                             : hilbert_encode(coordinates(key), lattice_bits(geometry, key.level));
  return at_level * curve_length(geometry, key.level);
}

/// The block that comes n-th on a level that covers the whole domain.
///
/// Descends the tree of octants and counts the blocks in each, so that a rank can list its part
/// without listing the others'. @pre 0 <= n < number of blocks  @cost O(2^D bits), Hilbert: bits^2
template <int D>
constexpr Key<D> nth_block(const Geometry<D>& geometry, Curve curve, int level, std::int64_t n) {
  const int bits = lattice_bits(geometry, level);
  const Index<D> extent = geometry.blocks_at(level);
  const auto place_at = [&](std::uint64_t position, int depth) {
    return curve == Curve::morton ? morton_decode<D>(position) : hilbert_decode<D>(position, depth);
  };
  std::uint64_t found = 0;
  for (int depth = 1; depth <= bits; ++depth) {
    const int width = 1 << (bits - depth);
    for (int octant = 0;; ++octant) {
      THALWEG_EXPECT(octant < (1 << D), "the level has fewer blocks");
      const std::uint64_t position = found << D | static_cast<std::uint64_t>(octant);
      const Index<D> corner = place_at(position, depth) * width;
      std::int64_t n_blocks = 1;
      for (int a = 0; a < D; ++a) n_blocks *= std::clamp(extent[a] - corner[a], 0, width);
      if (n < n_blocks) {
        found = position;
        break;
      }
      n -= n_blocks;
    }
  }
  return key_at(level, place_at(found, bits));
}

}  // namespace thalweg::mesh
