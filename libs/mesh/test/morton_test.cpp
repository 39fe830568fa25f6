// SPDX-License-Identifier: MIT
#include <thalweg/mesh/morton.hpp>

#include <gtest/gtest.h>

#include <thalweg/core/box.hpp>

namespace thalweg::mesh {
namespace {

template <int D>
void expect_round_trips(int n) {
  for_each(Box<D>::cube(n),
           [](const Index<D>& place) { EXPECT_EQ(morton_decode<D>(morton_encode(place)), place); });
  const auto corner = Index<D>::filled((1 << bits_per_axis<D>)-1);
  EXPECT_EQ(morton_decode<D>(morton_encode(corner)), corner);
}

// Bit by bit: the definition.
template <int D>
std::uint64_t interleaved(const Index<D>& place) {
  std::uint64_t code = 0;
  for (int bit = 0; bit < bits_per_axis<D>; ++bit)
    for (int a = 0; a < D; ++a)
      code |= (static_cast<std::uint64_t>(place[a]) >> bit & 1u) << (D * bit + a);
  return code;
}

TEST(Morton, decode_undoes_encode) {
  expect_round_trips<1>(70);
  expect_round_trips<2>(33);
  expect_round_trips<3>(17);
}

TEST(Morton, code_interleaves_bits_with_x_lowest) {
  EXPECT_EQ(morton_encode<2>({1, 0}), 1u);
  EXPECT_EQ(morton_encode<2>({0, 1}), 2u);
  EXPECT_EQ(morton_encode<3>({0, 0, 1}), 4u);
  EXPECT_EQ(morton_encode<2>({12345678, 987654321}), interleaved<2>({12345678, 987654321}));
  EXPECT_EQ(morton_encode<3>({1234567, 2097151, 1398101}),
            interleaved<3>({1234567, 2097151, 1398101}));
}

TEST(Morton, place_outside_the_lattice_is_a_broken_contract) {
  EXPECT_THROW(morton_encode<2>({-1, 0}), ContractViolation);
  EXPECT_THROW(morton_encode<3>({0, 0, 1 << 21}), ContractViolation);
}

}  // namespace
}  // namespace thalweg::mesh
