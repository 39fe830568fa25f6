// SPDX-License-Identifier: MIT
#pragma once
#include <gtest/gtest.h>

namespace thalweg::numerics::test {

template <int d, int r>
struct ProlongCase {
  static constexpr int dim = d;
  static constexpr int ratio = r;
};
/// The dimensions and ratios in which interpolation between levels is tested.
using ProlongCases = testing::Types<ProlongCase<1, 2>, ProlongCase<2, 2>, ProlongCase<3, 2>,
                                    ProlongCase<1, 4>, ProlongCase<2, 4>, ProlongCase<3, 4>>;

}  // namespace thalweg::numerics::test
