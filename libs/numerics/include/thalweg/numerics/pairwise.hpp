// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <bit>
#include <cstddef>

namespace thalweg::numerics {

/// The sum of n numbers, n a power of two, added in pairs, pairs of pairs and so on.
///
/// The order is fixed, and n equal numbers x give n * x exactly: their mean is x again.
template <std::size_t n>
  requires(std::has_single_bit(n))
constexpr double sum_pairwise(std::array<double, n> x) {
  if constexpr (n == 1) {
    return x[0];
  } else {
    std::array<double, n / 2> pairs;
    for (std::size_t i = 0; i < n / 2; ++i) pairs[i] = x[2 * i] + x[2 * i + 1];
    return sum_pairwise(pairs);
  }
}

/// n^power for power >= 0.
constexpr std::size_t power_of(int n, int power) {
  std::size_t result = 1;
  for (int p = 0; p < power; ++p) result *= static_cast<std::size_t>(n);
  return result;
}

}  // namespace thalweg::numerics
