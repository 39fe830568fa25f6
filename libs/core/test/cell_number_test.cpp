// SPDX-License-Identifier: MIT
#include <thalweg/core/cell_number.hpp>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

TEST(CellNumber, is_of_the_upper_cell_at_a_face_and_as_near_below_as_roundings_are) {
  EXPECT_EQ(cell_number(0.3 / 0.1, 1), 3);  // the quotient is less than 3
  EXPECT_EQ(cell_number(3 - 1e-6, 1), 2);
  EXPECT_EQ(cell_number(-0.5, 1), -1);
}

TEST(CellNumber, of_a_coarser_level_is_that_of_the_cell_around) {
  for (const double below : {0.0, 0.4e-9, 0.6e-9, 0.9e-9, 1.1e-9, 3e-9})
    EXPECT_EQ(cell_number(3 - below, 1), std::floor(cell_number(3 - below, 4) / 4)) << below;
}

}  // namespace
}  // namespace thalweg
