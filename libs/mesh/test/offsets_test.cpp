// SPDX-License-Identifier: MIT
#include <thalweg/mesh/offsets.hpp>

#include <gtest/gtest.h>

namespace thalweg::mesh {
namespace {

template <int D>
void expect_numbering() {
  for (int o = 0; o < n_offsets<D>; ++o) {
    EXPECT_EQ(offset_number(offset_at<D>(o)), o);
    EXPECT_EQ(offset_at<D>(n_offsets<D> - 1 - o), offset_at<D>(o) * -1);
  }
  EXPECT_EQ(offset_at<D>(centre_offset<D>), Index<D>{});
}

TEST(Offsets, number_and_offset_are_inverse) {
  expect_numbering<1>();
  expect_numbering<2>();
  expect_numbering<3>();
  EXPECT_EQ(offset_number<2>({1, -1}), 2);  // x fastest
  EXPECT_EQ(offset_number<3>({-1, -1, 1}), 18);
}

TEST(Offsets, far_places_are_not_offsets) {
  EXPECT_THROW(offset_number<2>({2, 0}), ContractViolation);
  EXPECT_THROW(offset_at<2>(9), ContractViolation);
}

TEST(NeighbourMask, has_itself_and_what_was_set) {
  NeighbourMask<3> mask;
  mask.set(offset_number<3>({1, 1, 1}));

  EXPECT_TRUE(mask.has(Index<3>{}));
  EXPECT_TRUE(mask.has(Index<3>{1, 1, 1}));
  EXPECT_FALSE(mask.has(Index<3>{-1, 1, 1}));
}

}  // namespace
}  // namespace thalweg::mesh
