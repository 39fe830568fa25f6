// SPDX-License-Identifier: MIT
#include <thalweg/hpccg/solver/sums.hpp>

#include <algorithm>
#include <cstddef>

namespace thalweg::hpccg {
namespace {

/// Eight sums side by side, which are one or two vectors of the processor, and then those.
double dot(std::span<const double> a, std::span<const double> b) {
  constexpr std::size_t n_lanes = 8;
  std::array<double, n_lanes> s{};
  const std::size_t n_whole = a.size() / n_lanes * n_lanes;
  for (std::size_t i = 0; i < n_whole; i += n_lanes)
#pragma omp simd
    for (std::size_t lane = 0; lane < n_lanes; ++lane) s[lane] += a[i + lane] * b[i + lane];
  for (std::size_t i = n_whole; i < a.size(); ++i) s[i - n_whole] += a[i] * b[i];
  return ((s[0] + s[4]) + (s[1] + s[5])) + ((s[2] + s[6]) + (s[3] + s[7]));
}

}  // namespace

PartialSum operator+(PartialSum a, const PartialSum& b) {
  for (std::size_t i = 0; i < a.limbs.size(); ++i) a.limbs[i] += b.limbs[i];
  a.in_order += b.in_order;
  return a;
}

double value_of(const PartialSum& sum) {
  return ExactSum::from_limbs(sum.limbs).value() + sum.in_order;  // one of them is 0
}

void DotProduct::add_products_exactly(std::span<const double> a, std::span<const double> b) {
  constexpr std::size_t n_at_once = 256;
  std::array<double, n_at_once> terms;
  for (std::size_t first = 0; first < a.size(); first += n_at_once) {
    const std::size_t n = std::min(n_at_once, a.size() - first);
    for (std::size_t i = 0; i < n; ++i) terms[i] = a[first + i] * b[first + i];
    exact_.add(std::span(terms).first(n));
  }
}

void DotProduct::add(std::span<const double> a, std::span<const double> b) {
  switch (order_) {
    case SumOrder::pieces:
      exact_.add(dot(a, b));
      return;
    case SumOrder::exact:
      add_products_exactly(a, b);
      return;
    case SumOrder::rows:
      for (std::size_t i = 0; i < a.size(); ++i) in_order_ += a[i] * b[i];
      return;
  }
}

}  // namespace thalweg::hpccg
