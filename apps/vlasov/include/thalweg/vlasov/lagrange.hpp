// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>

#include <thalweg/core/fused.hpp>

namespace thalweg::vlasov {

/// The points that interpolation of a degree reads around 0 <= a < 1: -below .. below + 1.
constexpr int points_below(int degree) {
  return (degree - 1) / 2;
}

/// Find the weights of Lagrange interpolation at a, 0 <= a < 1, of the points -below .. below + 1.
///
/// Points -m and m + 1 are a pair: with q = a (a - 1) each other pair l gives both the factor
/// q - l (l + 1), so the weights are p (m + 1 - a) and p (a + m) with one p. Every operation is
/// rounded by itself, so numbers and vectors of numbers give the same bits.
/// @tparam degree  odd
/// @tparam V       double, or a vector of doubles with a function fused(V, V, V)
/// @source  Abramowitz & Stegun (1964), 25.2.1 and 25.2.2
template <int degree, class V>
inline std::array<V, degree + 1> lagrange_weights(const V& a) {
  constexpr int n_pairs = (degree + 1) / 2;
  const V q = fused(a, a, -a);
  V factors[n_pairs];
  for (int l = 0; l < n_pairs; ++l) factors[l] = q - static_cast<double>(l * (l + 1));
  std::array<V, degree + 1> weights;
  for (int m = 0; m < n_pairs; ++m) {
    double scale = 2 * m + 1;
    for (int l = 0; l < n_pairs; ++l)
      if (l != m) scale *= m * (m + 1) - l * (l + 1);
    V p = V(1 / scale);
    for (int l = 0; l < n_pairs; ++l)
      if (l != m) p = p * factors[l];
    const V above = m == 0 ? p * a : p * (a + static_cast<double>(m));
    const auto place = static_cast<std::size_t>(n_pairs);
    weights[place + static_cast<std::size_t>(m)] = above;
    weights[place - 1 - static_cast<std::size_t>(m)] = fused(p, V(2. * m + 1), -above);
  }
  return weights;
}

/// The greatest sum of the weights' absolute values, at a = 1/2: what lies between two bounds at
/// the points lies between bounds so many times as far apart everywhere.
inline double lebesgue_constant(int degree) {
  const auto sum_of = []<int d>() {
    double sum = 0;
    for (const double w : lagrange_weights<d>(0.5)) sum += w < 0 ? -w : w;
    return sum;
  };
  return degree == 3   ? sum_of.operator()<3>()
         : degree == 5 ? sum_of.operator()<5>()
                       : sum_of.operator()<7>();
}

}  // namespace thalweg::vlasov
