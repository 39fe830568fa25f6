// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include <thalweg/core/contract.hpp>

namespace thalweg::mesh {

/// How many times finer each level is than the next coarser one: 2 or 4, level by level.
///
/// One number for all levels, or one for each level but the finest, coarsest first. All ratios are
/// powers of two, so cell sizes, shares of a step and keys differ by shifts: a key has D bits for
/// each factor of two between its level and level 0.
class Ratios {
 public:
  static constexpr int max_count = 30;  ///< more levels than an index can number the blocks of

  /// @errors Error where it is neither 2 nor 4
  constexpr Ratios(int of_all) : Ratios(std::initializer_list<int>{of_all}) {}
  /// @errors Error where a number is neither 2 nor 4, or there are none or more than max_count
  constexpr Ratios(std::initializer_list<int> of_each) { set(std::span<const int>(of_each)); }
  explicit constexpr Ratios(std::span<const std::int64_t> of_each) { set(of_each); }

  /// How many numbers were given: one is for all levels.
  constexpr int count() const { return count_; }
  /// Between a level and the next finer one; beyond those given as the last. @pre 0 <= level < 30
  constexpr int of(int level) const { return 1 << log2_between(level, level + 1); }
  /// The base-2 logarithm of the ratio of the cell sizes of two levels.
  /// @pre 0 <= coarse <= fine <= 30
  constexpr int log2_between(int coarse, int fine) const {
    THALWEG_EXPECT(coarse >= 0 && coarse <= fine && fine <= max_count, "levels out of order");
    return log2_[static_cast<std::size_t>(fine)] - log2_[static_cast<std::size_t>(coarse)];
  }
  /// The numbers as they were given.
  std::vector<std::int64_t> given() const;
  /// The numbers as they were given, with blanks between them.
  std::string text() const;

  /// Whether all levels have the same ratios, however they were given.
  constexpr bool operator==(const Ratios& other) const { return log2_ == other.log2_; }

 private:
  template <class T>
  constexpr void set(std::span<const T> of_each) {
    if (of_each.empty() || of_each.size() > max_count) refuse_count(of_each.size());
    count_ = static_cast<int>(of_each.size());
    for (std::size_t l = 0; l < max_count; ++l) {
      const T ratio = of_each[l < of_each.size() ? l : of_each.size() - 1];
      if (ratio != 2 && ratio != 4) refuse(static_cast<std::int64_t>(ratio));
      log2_[l + 1] = static_cast<std::uint8_t>(log2_[l] + (ratio == 2 ? 1 : 2));
    }
  }
  [[noreturn]] static void refuse(std::int64_t ratio);
  [[noreturn]] static void refuse_count(std::size_t n);

  std::array<std::uint8_t, max_count + 1> log2_{};  ///< of a level's ratio to level 0
  int count_ = 1;
};

}  // namespace thalweg::mesh
