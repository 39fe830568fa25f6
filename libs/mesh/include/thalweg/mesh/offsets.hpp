// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include <thalweg/core/contract.hpp>
#include <thalweg/core/vec.hpp>

namespace thalweg::mesh {

/// Number of offsets in {-1, 0, 1}^D: a block and its neighbours across faces, edges and corners.
template <int D>
inline constexpr int n_offsets = D == 1   ? 3
                                 : D == 2 ? 9
                                          : 27;

/// The number of the offset zero.
template <int D>
inline constexpr int centre_offset = n_offsets<D> / 2;

/// Number an offset in {-1, 0, 1}^D, x fastest.
template <int D>
constexpr int offset_number(const Index<D>& offset) {
  int number = 0;
  for (int a = D - 1; a >= 0; --a) {
    THALWEG_EXPECT(offset[a] >= -1 && offset[a] <= 1, "offsets are -1, 0 or 1");
    number = 3 * number + offset[a] + 1;
  }
  return number;
}

/// The offset with a number; offset_at(n_offsets - 1 - i) is its opposite.
template <int D>
constexpr Index<D> offset_at(int number) {
  THALWEG_EXPECT(number >= 0 && number < n_offsets<D>, "no such offset");
  Index<D> offset;
  for (int a = 0; a < D; ++a, number /= 3) offset[a] = number % 3 - 1;
  return offset;
}

/// Which of the 3^D blocks around a block exist on its level; the block itself always does.
template <int D>
struct NeighbourMask {
  std::uint32_t bits = std::uint32_t{1} << centre_offset<D>;  ///< bit offset_number(offset)

  constexpr bool operator==(const NeighbourMask&) const = default;

  constexpr bool has(int number) const { return ((bits >> number) & 1u) != 0; }
  constexpr bool has(const Index<D>& offset) const { return has(offset_number(offset)); }
  constexpr void set(int number) { bits |= std::uint32_t{1} << number; }
};

}  // namespace thalweg::mesh
