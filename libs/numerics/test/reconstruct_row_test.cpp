// SPDX-License-Identifier: MIT
#include <thalweg/numerics/detail/reconstruct_row.hpp>

#include <array>

#include <gtest/gtest.h>

#include <thalweg/numerics/ppm.hpp>
#include <thalweg/numerics/row_kernels.hpp>

#include "advection.hpp"

namespace thalweg::numerics {
namespace {

TEST(ReconstructRow, takes_the_mean_where_an_edge_is_inadmissible) {
  // The averages of x^2 - 0.3 are positive around zero, but not its value there: the rule alone
  // would give -0.3 to the two cells that meet there.
  std::array<double, 8> q;
  for (int i = 0; i < 8; ++i)
    q[static_cast<std::size_t>(i)] = (i - 3.5) * (i - 3.5) + 1.0 / 12 - 0.3;
  std::array<double, 4> lower, upper;

  std::array<double, 4> replaced{};

  detail::reconstruct_row(test::Advection<1>{}, edge_kernel<PpmExtrema>, 4, &q[2], 8, 1,
                          {lower.data(), upper.data(), 4, replaced.data()});

  EXPECT_EQ(replaced, (std::array<double, 4>{0, 1, 1, 0}));
  EXPECT_EQ(lower[1], q[3]);
  EXPECT_EQ(upper[1], q[3]);
  EXPECT_EQ(lower[2], q[4]);
  EXPECT_EQ(upper[2], q[4]);
  EXPECT_NEAR(lower[3], 1.0 - 0.3, 1e-14);  // its neighbour is none the worse
}

}  // namespace
}  // namespace thalweg::numerics
