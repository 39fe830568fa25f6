// SPDX-License-Identifier: MIT
#include <array>
#include <cmath>
#include <cstddef>

#include <gtest/gtest.h>

#include <thalweg/hydro/problems.hpp>

#include "one_block.hpp"

namespace thalweg::hydro {
namespace {

TEST(Conservation, holds_to_rounding_in_a_periodic_box) {
  // The sums run over 1024 cells and 100 steps: a few hundred roundings of 1e-16.
  constexpr double rounding = 1e-13;
  const Blast<2> blast{.velocity = {{0.7, -0.4}}, .p_inside = 100.0};
  test::OneBlock<2> block(blast, {.n_cells = Index<2>::filled(32),
                                  .lower = Vec<2>::filled(-0.5),
                                  .upper = Vec<2>::filled(0.5)});
  std::array<double, 4> before;
  for (int c = 0; c < 4; ++c) before[static_cast<std::size_t>(c)] = block.mean(c);

  for (int n = 0; n < 100; ++n) block.step(1e-4);

  EXPECT_FALSE(block.inadmissible());
  for (int c = 0; c < 4; ++c) {
    const double start = before[static_cast<std::size_t>(c)];
    EXPECT_NEAR(block.mean(c), start, rounding * std::abs(start)) << "component " << c;
  }
}

}  // namespace
}  // namespace thalweg::hydro
