// SPDX-License-Identifier: MIT
#include <thalweg/step/substeps.hpp>

#include <gtest/gtest.h>

namespace thalweg::step {
namespace {

TEST(NSubsteps, are_the_product_of_the_ratios_or_one_step_for_all) {
  const mesh::Geometry<1> geometry({.ratio = {2, 4}, .max_level = 2});
  EXPECT_EQ(n_substeps(geometry, 0, {}), 1);
  EXPECT_EQ(n_substeps(geometry, 1, {}), 2);
  EXPECT_EQ(n_substeps(geometry, 2, {}), 8);
  for (int l = 0; l <= 2; ++l) EXPECT_EQ(n_substeps(geometry, l, {.subcycle = false}), 1);
}

}  // namespace
}  // namespace thalweg::step
