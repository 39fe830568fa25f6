// SPDX-License-Identifier: MIT
#include "../src/streaming_stores.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

namespace thalweg::miniamr::data {
namespace {

TEST(StreamingStores, copy_any_number_of_values_to_any_place_and_touch_no_others) {
  for (std::ptrdiff_t n = 0; n < 30; ++n)
    for (std::ptrdiff_t at = 0; at < 9; ++at) {
      std::vector<double> from(static_cast<std::size_t>(n));
      std::iota(from.begin(), from.end(), 1.0);
      std::vector<double> to(50, -1.0);
      std::vector<double> expected = to;
      std::copy(from.begin(), from.end(), expected.begin() + at);
      {
        StreamingStores().copy(from.data(), n, to.data() + at);
      }
      EXPECT_EQ(to, expected) << n << " at " << at;
    }
}

}  // namespace
}  // namespace thalweg::miniamr::data
