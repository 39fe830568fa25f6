// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace thalweg {

/// The exact sum of doubles: any order of adding and merging gives the same correctly rounded
/// result.
///
/// A fixed-point number wide enough for every double, in 32-bit limbs held in 64 bits, so that a
/// billion additions pass before a carry must be propagated. What is not finite is counted beside
/// it: the sum is then an infinity, or NaN if one or infinities of both signs were added.
/// @source Kulisch and Miranker, "Computer Arithmetic in Theory and Practice", 1981, ch. 1
class ExactSum {
 public:
  static constexpr int n_limbs = 72;

  /// Add one number.
  void add(double x);
  /// Add many numbers: the same sum, to the bit, in a sixth of the time where there are hundreds.
  ///
  /// Of 256 numbers at a time what lies above a bit is taken away, so that these parts are added
  /// without rounding by vectors; then what lies above a lower one, until nothing is left.
  /// @source Rump, Ogita and Oishi, "Accurate floating-point summation part I", SIAM J. Sci.
  ///         Comput. 31 (2008) 189, section 3
  void add(std::span<const double> numbers);
  /// Add all that another sum holds.
  void merge(const ExactSum& other);
  /// The sum rounded to nearest, ties to even; what it is where it is not finite, with the same
  /// bits in any order.
  double value() const;

  /// The limbs with carries propagated, for sending to another rank and merging there.
  std::array<std::int64_t, n_limbs> limbs() const;
  static ExactSum from_limbs(std::span<const std::int64_t, n_limbs> limbs);

 private:
  static constexpr std::size_t n_finite = 70;  // limbs of 2^-1074 .. 2^1024 with 2^63 headroom
  static constexpr std::size_t plus_infinities = 70, minus_infinities = 71;  // NaN is one of each

  void propagate();

  std::array<std::int64_t, n_limbs> limbs_{};
  std::int64_t n_pending_ = 0;
};

}  // namespace thalweg
