// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include <thalweg/core/contract.hpp>
#include <thalweg/core/vec.hpp>

namespace thalweg::mesh {

/// Bits of each coordinate that fit into a code: 30, 30 and 21.
template <int D>
inline constexpr int bits_per_axis = D == 3 ? 21 : 30;

namespace detail {

/// Move bit i to bit D*i. @source Warren, "Hacker's Delight", 2nd ed., sec. 7-2
template <int D>
constexpr std::uint64_t spread_bits(std::uint64_t x) {
  static_assert(D >= 1 && D <= 3);
  if constexpr (D == 2) {
    x = (x | (x << 16)) & 0x0000ffff0000ffffu;
    x = (x | (x << 8)) & 0x00ff00ff00ff00ffu;
    x = (x | (x << 4)) & 0x0f0f0f0f0f0f0f0fu;
    x = (x | (x << 2)) & 0x3333333333333333u;
    x = (x | (x << 1)) & 0x5555555555555555u;
  } else if constexpr (D == 3) {
    x = (x | (x << 32)) & 0x001f00000000ffffu;
    x = (x | (x << 16)) & 0x001f0000ff0000ffu;
    x = (x | (x << 8)) & 0x100f00f00f00f00fu;
    x = (x | (x << 4)) & 0x10c30c30c30c30c3u;
    x = (x | (x << 2)) & 0x1249249249249249u;
  }
  return x;
}

/// Move bit D*i to bit i and drop the others.
template <int D>
constexpr std::uint64_t collect_bits(std::uint64_t x) {
  if constexpr (D == 2) {
    x &= 0x5555555555555555u;
    x = (x | (x >> 1)) & 0x3333333333333333u;
    x = (x | (x >> 2)) & 0x0f0f0f0f0f0f0f0fu;
    x = (x | (x >> 4)) & 0x00ff00ff00ff00ffu;
    x = (x | (x >> 8)) & 0x0000ffff0000ffffu;
    x = (x | (x >> 16)) & 0x00000000ffffffffu;
  } else if constexpr (D == 3) {
    x &= 0x1249249249249249u;
    x = (x | (x >> 2)) & 0x10c30c30c30c30c3u;
    x = (x | (x >> 4)) & 0x100f00f00f00f00fu;
    x = (x | (x >> 8)) & 0x001f0000ff0000ffu;
    x = (x | (x >> 16)) & 0x001f00000000ffffu;
    x = (x | (x >> 32)) & 0x00000000001fffffu;
  }
  return x;
}

}  // namespace detail

/// Interleave the bits of the coordinates, x lowest.
template <int D>
constexpr std::uint64_t morton_encode(const Index<D>& place) {
  std::uint64_t code = 0;
  for (int a = 0; a < D; ++a) {
    THALWEG_EXPECT(place[a] >= 0 && place[a] < (1 << bits_per_axis<D>),
                   "coordinate outside the lattice");
    code |= detail::spread_bits<D>(static_cast<std::uint64_t>(place[a])) << a;
  }
  return code;
}

/// The bits of a code that are those of one coordinate.
template <int D>
constexpr std::uint64_t morton_bits(int axis) {
  return detail::spread_bits<D>((std::uint64_t{1} << bits_per_axis<D>)-1) << axis;
}

/// Undo morton_encode.
template <int D>
constexpr Index<D> morton_decode(std::uint64_t code) {
  Index<D> place;
  for (int a = 0; a < D; ++a) place[a] = static_cast<int>(detail::collect_bits<D>(code >> a));
  return place;
}

}  // namespace thalweg::mesh
