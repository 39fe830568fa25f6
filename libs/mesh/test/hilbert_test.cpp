// SPDX-License-Identifier: MIT
#include <thalweg/mesh/hilbert.hpp>

#include <cstdlib>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/core/random.hpp>

namespace thalweg::mesh {
namespace {

template <int D>
int distance(const Index<D>& a, const Index<D>& b) {
  int sum = 0;
  for (int axis = 0; axis < D; ++axis) sum += std::abs(a[axis] - b[axis]);
  return sum;
}

// Along the whole cube: each place once, and from each to the next across one face.
template <int D>
void expect_curve(int bits) {
  const std::uint64_t n = std::uint64_t{1} << (D * bits);
  std::vector<bool> seen(n);
  Index<D> last = hilbert_decode<D>(0, bits);
  EXPECT_EQ(last, Index<D>{});
  for (std::uint64_t position = 0; position < n; ++position) {
    const Index<D> place = hilbert_decode<D>(position, bits);
    ASSERT_EQ(hilbert_encode(place, bits), position);
    ASSERT_FALSE(seen[morton_encode(place)]);
    seen[morton_encode(place)] = true;
    ASSERT_EQ(distance(place, last), position == 0 ? 0 : 1);
    last = place;
  }
}

TEST(Hilbert, is_a_bijection_whose_steps_are_across_faces) {
  for (int bits = 0; bits <= 5; ++bits) {
    expect_curve<1>(bits);
    expect_curve<2>(bits);
    expect_curve<3>(bits);
  }
}

template <int D>
void expect_long_curve() {
  constexpr int bits = bits_per_axis<D>;
  SplitMix64 random(D);
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t position = random.below((std::uint64_t{1} << (D * bits)) - 1);
    const Index<D> place = hilbert_decode<D>(position, bits);
    ASSERT_EQ(hilbert_encode(place, bits), position);
    ASSERT_EQ(distance(place, hilbert_decode<D>(position + 1, bits)), 1);
  }
}

TEST(Hilbert, holds_for_codes_of_full_length) {
  expect_long_curve<1>();
  expect_long_curve<2>();
  expect_long_curve<3>();
}

TEST(Hilbert, positions_of_parents_are_prefixes) {
  SplitMix64 random(1);
  for (int i = 0; i < 20000; ++i) {
    const int bits = 1 + static_cast<int>(random.below(21));
    const std::uint64_t position = random.below(std::uint64_t{1} << (3 * bits));
    const Index<3> place = hilbert_decode<3>(position, bits);
    ASSERT_EQ(hilbert_encode(floor_div(place, 2), bits - 1), position >> 3);
  }
}

TEST(Hilbert, places_outside_the_cube_are_a_broken_contract) {
  EXPECT_THROW(hilbert_encode<2>({4, 0}, 2), ContractViolation);
  EXPECT_THROW(hilbert_encode<2>({0, -1}, 2), ContractViolation);
  EXPECT_THROW(hilbert_decode<2>(16, 2), ContractViolation);
  EXPECT_THROW(hilbert_encode<3>({0, 0, 0}, 22), ContractViolation);
}

}  // namespace
}  // namespace thalweg::mesh
