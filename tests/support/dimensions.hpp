// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include <gtest/gtest.h>

namespace thalweg::testing {

/// A number of axes as a type, for TYPED_TEST_SUITE.
template <int D>
struct Dimension {
  static constexpr int value = D;
};
using Dimensions = ::testing::Types<Dimension<1>, Dimension<2>, Dimension<3>>;

/// A deck's list with the same entry n times.
inline std::string repeated(int n, const std::string& entry) {
  std::string list = "[" + entry;
  for (int i = 1; i < n; ++i) list += "," + entry;
  return list + "]";
}

}  // namespace thalweg::testing
