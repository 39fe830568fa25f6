// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include <thalweg/core/contract.hpp>
#include <thalweg/core/vec.hpp>
#include <thalweg/mesh/morton.hpp>

namespace thalweg::mesh {
namespace detail {

template <int D>
constexpr Index<D> reversed(const Index<D>& v) {
  Index<D> r;
  for (int a = 0; a < D; ++a) r[a] = v[D - 1 - a];
  return r;
}

// Where a coordinate has bit q, turn the curve in that half: mirror the first axis below q, or swap
// it with this one. Undoes itself.
template <int D>
constexpr void turn_below(Index<D>& x, int axis, int q) {
  const int below = q - 1;
  if ((x[axis] & q) != 0) {
    x[0] ^= below;
  } else {
    const int differing = (x[0] ^ x[axis]) & below;
    x[0] ^= differing;
    x[axis] ^= differing;
  }
}

}  // namespace detail

/// The position of a place in the cube [0, 2^bits)^D along Hilbert's curve.
///
/// Places that follow each other are face neighbours. The position of the place's parent in the
/// cube half as wide is this one shifted right by D bits, as with Morton codes.
/// @pre 0 <= place < 2^bits, bits <= bits_per_axis<D>   @cost O(bits)
/// @source Skilling, "Programming the Hilbert curve", AIP Conf. Proc. 707 (2004) 381
template <int D>
constexpr std::uint64_t hilbert_encode(Index<D> place, int bits) {
  THALWEG_EXPECT(bits >= 0 && bits <= bits_per_axis<D>, "a code has no room for so many bits");
  for (int a = 0; a < D; ++a)
    THALWEG_EXPECT(place[a] >= 0 && place[a] >> bits == 0, "coordinate outside the cube");
  if (D == 1 || bits == 0) return morton_encode(place);
  for (int q = 1 << (bits - 1); q > 1; q >>= 1)
    for (int a = 0; a < D; ++a) detail::turn_below(place, a, q);
  for (int a = 1; a < D; ++a) place[a] ^= place[a - 1];
  int flipped = 0;
  for (int q = 1 << (bits - 1); q > 1; q >>= 1)
    if ((place[D - 1] & q) != 0) flipped ^= q - 1;
  for (int a = 0; a < D; ++a) place[a] ^= flipped;
  return morton_encode(detail::reversed(place));
}

/// Undo hilbert_encode. @pre position < 2^(D bits)
template <int D>
constexpr Index<D> hilbert_decode(std::uint64_t position, int bits) {
  THALWEG_EXPECT(bits >= 0 && bits <= bits_per_axis<D> && position >> (D * bits) == 0,
                 "position beyond the end of the curve");
  Index<D> place = detail::reversed(morton_decode<D>(position));
  if (D == 1 || bits == 0) return place;
  const int flipped = place[D - 1] >> 1;
  for (int a = D - 1; a > 0; --a) place[a] ^= place[a - 1];
  place[0] ^= flipped;
  for (int q = 2; q >> bits == 0; q <<= 1)
    for (int a = D - 1; a >= 0; --a) detail::turn_below(place, a, q);
  return place;
}

}  // namespace thalweg::mesh
