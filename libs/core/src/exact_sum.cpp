// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include <thalweg/core/exact_sum.hpp>

namespace thalweg {

namespace {
constexpr int limb_bits = 32;
constexpr std::int64_t limb_mask = (std::int64_t{1} << limb_bits) - 1;
constexpr int lowest_exponent = -1074;            // of the smallest double
constexpr std::int64_t n_pending_max = 1 << 29;   // each addition puts < 2^33 into a limb
__extension__ using Uint128 = unsigned __int128;  // the mantissa shifted within three limbs

// Numbers added at once, by vectors: the sum of so many parts, each below 2^-9 sigma and a multiple
// of 2^-53 sigma, is exact.
constexpr std::uint64_t log2_at_once = 8;
constexpr std::size_t n_at_once = std::size_t{1} << log2_at_once;
using Numbers = std::array<double, n_at_once>;

// Magnitudes of which all parts are normal numbers: where subnormal ones are taken as zero, as in
// tasks, smaller ones are added one by one. So is all beside a number that is subnormal itself.
constexpr double least_at_once = 0x1p-900, most_at_once = 0x1p1000;

constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;
constexpr std::uint64_t least_normal = std::uint64_t{1} << 52;  // the bits of 2^-1022

/// The sum of parts of numbers, and the largest magnitude of what they leave.
struct Parts {
  double sum = 0;
  double largest_rest = 0;
};

/// Take from each of n numbers what is a multiple of about 2^-43 of the largest magnitude.
/// @pre no magnitude is above the largest, which can be added at once; a NaN makes the sum one and
/// is left
Parts take_high_parts(Numbers& x, std::size_t n, double largest) {
  const std::uint64_t exponent = std::bit_cast<std::uint64_t>(largest) >> 52;
  const double sigma = std::bit_cast<double>((exponent + log2_at_once + 2) << 52);
  double sum = 0, largest_rest = 0;
#pragma omp simd reduction(+ : sum) reduction(max : largest_rest)
  for (std::size_t i = 0; i < n; ++i) {
    const double high = (sigma + x[i]) - sigma;
    x[i] -= high;
    sum += high;
    largest_rest = std::max(largest_rest, std::abs(x[i]));
  }
  return {sum, largest_rest};
}

/// Add up to n_at_once numbers to a sum.
void add_at_once(std::span<const double> numbers, ExactSum& sum) {
  constexpr int n_parts_max = 4;
  const std::size_t n = numbers.size();
  Numbers rest;
  double largest = 0;
  std::uint64_t signs = 0;
#pragma omp simd reduction(max : largest) reduction(| : signs)
  for (std::size_t i = 0; i < n; ++i) {
    rest[i] = numbers[i];
    largest = std::max(largest, std::abs(numbers[i]));
    // Below the least normal number, and not zero.
    const std::uint64_t magnitude = std::bit_cast<std::uint64_t>(numbers[i]) & ~sign_bit;
    signs |= (magnitude - least_normal) & ~(magnitude - 1);
  }
  const bool is_any_subnormal = (signs & sign_bit) != 0;
  for (int i = 0;
       i < n_parts_max && !is_any_subnormal && least_at_once < largest && largest < most_at_once;
       ++i) {
    const Parts parts = take_high_parts(rest, n, largest);
    sum.add(parts.sum);
    largest = parts.largest_rest;
    if (largest == 0) return;
  }
  for (const double x : std::span(rest).first(n)) sum.add(x);
}
}  // namespace

void ExactSum::add(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const int biased = static_cast<int>((bits >> 52) & 0x7ff);
  if (biased == 0x7ff) [[unlikely]] {
    if (!(x < 0)) ++limbs_[plus_infinities];
    if (!(x > 0)) ++limbs_[minus_infinities];
    return;
  }
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52) - 1);
  const std::uint64_t mantissa = biased == 0 ? fraction : fraction | (std::uint64_t{1} << 52);
  const int shift = biased == 0 ? 0 : biased - 1;  // of the mantissa above 2^-1074
  const auto limb = static_cast<std::size_t>(shift / limb_bits);
  const unsigned offset = static_cast<unsigned>(shift % limb_bits);

  const Uint128 wide = static_cast<Uint128>(mantissa) << offset;
  const std::int64_t sign = (bits >> 63) != 0 ? -1 : 1;
  limbs_[limb] += sign * static_cast<std::int64_t>(static_cast<std::uint64_t>(wide) & limb_mask);
  limbs_[limb + 1] +=
      sign * static_cast<std::int64_t>(static_cast<std::uint64_t>(wide >> 32) & limb_mask);
  limbs_[limb + 2] += sign * static_cast<std::int64_t>(static_cast<std::uint64_t>(wide >> 64));
  if (++n_pending_ == n_pending_max) propagate();
}

void ExactSum::add(std::span<const double> numbers) {
  while (!numbers.empty()) {
    const std::size_t n = std::min(n_at_once, numbers.size());
    add_at_once(numbers.first(n), *this);
    numbers = numbers.subspan(n);
  }
}

void ExactSum::merge(const ExactSum& other) {
  propagate();
  const auto theirs = other.limbs();
  for (std::size_t i = 0; i < limbs_.size(); ++i) limbs_[i] += theirs[i];
  n_pending_ = 1;
}

void ExactSum::propagate() {
  std::int64_t carry = 0;
  for (std::size_t i = 0; i + 1 < n_finite; ++i) {
    const std::int64_t total = limbs_[i] + carry;
    limbs_[i] = total & limb_mask;
    carry = total >> limb_bits;  // arithmetic shift: floor, so that limbs stay non-negative
  }
  limbs_[n_finite - 1] += carry;
  n_pending_ = 0;
}

std::array<std::int64_t, ExactSum::n_limbs> ExactSum::limbs() const {
  ExactSum copy = *this;
  copy.propagate();
  return copy.limbs_;
}

ExactSum ExactSum::from_limbs(std::span<const std::int64_t, n_limbs> limbs) {
  ExactSum sum;
  for (std::size_t i = 0; i < limbs.size(); ++i) sum.limbs_[i] = limbs[i];
  return sum;
}

double ExactSum::value() const {
  using Limits = std::numeric_limits<double>;
  const bool has_plus = limbs_[plus_infinities] > 0, has_minus = limbs_[minus_infinities] > 0;
  if (has_plus && has_minus) return Limits::quiet_NaN();
  if (has_plus || has_minus) return has_plus ? Limits::infinity() : -Limits::infinity();

  ExactSum magnitude = *this;
  magnitude.propagate();
  const bool is_negative = magnitude.limbs_[n_finite - 1] < 0;
  if (is_negative) {
    for (auto& limb : magnitude.limbs_) limb = -limb;
    magnitude.propagate();
  }
  std::size_t top = n_finite;
  while (top > 0 && magnitude.limbs_[top - 1] == 0) --top;
  if (top == 0) return 0.0;

  // Take 64 bits from the highest set bit down; what lies below only matters as "not zero".
  const auto bit_at = [&](int i) {
    return i < 0
               ? 0u
               : static_cast<unsigned>((magnitude.limbs_[static_cast<std::size_t>(i / limb_bits)] >>
                                        (i % limb_bits)) &
                                       1);
  };
  const int highest = static_cast<int>(top - 1) * limb_bits + 63 -
                      std::countl_zero(static_cast<std::uint64_t>(magnitude.limbs_[top - 1]));
  // A double keeps 53 bits, fewer near the bottom of its range.
  const int lowest_kept = std::max(highest - 52, 0);
  std::uint64_t mantissa = 0;
  for (int i = highest; i >= lowest_kept; --i) mantissa = (mantissa << 1) | bit_at(i);
  const bool half = bit_at(lowest_kept - 1) != 0;
  bool sticky = false;
  for (int i = lowest_kept - 2; i >= 0 && !sticky; --i) sticky = bit_at(i) != 0;
  if (half && (sticky || (mantissa & 1) != 0)) ++mantissa;
  const double result = std::ldexp(static_cast<double>(mantissa), lowest_kept + lowest_exponent);
  return is_negative ? -result : result;
}

}  // namespace thalweg
