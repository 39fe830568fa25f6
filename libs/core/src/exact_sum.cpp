// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <cmath>

#include <thalweg/core/contract.hpp>
#include <thalweg/core/exact_sum.hpp>

namespace thalweg {

namespace {
constexpr int limb_bits = 32;
constexpr std::int64_t limb_mask = (std::int64_t{1} << limb_bits) - 1;
constexpr int lowest_exponent = -1074;            // of the smallest double
constexpr std::int64_t n_pending_max = 1 << 29;   // each addition puts < 2^33 into a limb
__extension__ using Uint128 = unsigned __int128;  // the mantissa shifted within three limbs
}  // namespace

void ExactSum::add(double x) {
  THALWEG_EXPECT(std::isfinite(x), "only finite numbers have a sum");
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const int biased = static_cast<int>((bits >> 52) & 0x7ff);
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

void ExactSum::merge(const ExactSum& other) {
  propagate();
  const auto theirs = other.limbs();
  for (std::size_t i = 0; i < limbs_.size(); ++i) limbs_[i] += theirs[i];
  n_pending_ = 1;
}

void ExactSum::propagate() {
  std::int64_t carry = 0;
  for (std::size_t i = 0; i + 1 < limbs_.size(); ++i) {
    const std::int64_t total = limbs_[i] + carry;
    limbs_[i] = total & limb_mask;
    carry = total >> limb_bits;  // arithmetic shift: floor, so that limbs stay non-negative
  }
  limbs_.back() += carry;
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
  ExactSum magnitude = *this;
  magnitude.propagate();
  const bool is_negative = magnitude.limbs_.back() < 0;
  if (is_negative) {
    for (auto& limb : magnitude.limbs_) limb = -limb;
    magnitude.propagate();
  }
  std::size_t top = magnitude.limbs_.size();
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
