// SPDX-License-Identifier: MIT
#include <thalweg/vlasov/extent.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include <gtest/gtest.h>

namespace thalweg::vlasov {
namespace {

Extent extent_of(std::span<const double> numbers) {
  Extent extent;
  for (const double x : numbers) extent.add(x);
  return extent;
}

TEST(Extent, has_bounds_and_the_greatest_step) {
  const Extent extent = extent_of(std::vector{1.0, 3.0, -2.0, -1.0});

  EXPECT_EQ(extent.least, -2);
  EXPECT_EQ(extent.greatest, 3);
  EXPECT_EQ(extent.first, 1);
  EXPECT_EQ(extent.last, -1);
  EXPECT_EQ(extent.steepest, 5);
  EXPECT_EQ(extent.reach(), 3);
}

TEST(Extent, of_two_stretches_is_that_of_all_their_numbers) {
  const std::vector<double> all{1, 3, -2, -1, 8, 8.5, -4};
  const Extent whole = extent_of(all);
  for (std::size_t n = 0; n <= all.size(); ++n) {
    std::vector<double> behind(all.begin() + static_cast<std::ptrdiff_t>(n), all.end());
    for (double& x : behind) x -= 0.5;
    const Extent joined = extent_of(std::span(all).first(n)).then(extent_of(behind), 0.5);
    EXPECT_EQ(joined.least, whole.least) << n;
    EXPECT_EQ(joined.greatest, whole.greatest) << n;
    EXPECT_EQ(joined.first, whole.first) << n;
    EXPECT_EQ(joined.last, whole.last) << n;
    EXPECT_EQ(joined.steepest, whole.steepest) << n;
  }
}

}  // namespace
}  // namespace thalweg::vlasov
