// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <thalweg/core/exact_sum.hpp>

namespace thalweg::miniamr::data {

/// The sum of the cells of one variable of a block, each rounded to a multiple of 2^-84: exact, so
/// that blocks may be added up in any order and on any rank.
///
/// NaN where a cell is not finite, or is 2^44 or larger; and where more than 2^20 cells come to
/// 2^65.
/// @source Demmel and Nguyen, "Parallel reproducible summation", IEEE TC 64 (2015) 2060, with fixed
///         bins
struct CellSum {
  std::array<double, 4> bins{};  ///< multiples of 2^-20, 2^-52, 2^-84, 2^12

  bool operator==(const CellSum&) const = default;
};

/// Sum up cells, any number of them.
CellSum sum_of_cells(std::span<const double> cells);

/// An exact sum as it travels between ranks.
struct TravellingSum {
  std::array<std::int64_t, ExactSum::n_limbs> limbs{};

  bool operator==(const TravellingSum&) const = default;
};

/// Add up the sums of blocks.
TravellingSum sum_of_blocks(std::span<const CellSum> blocks, std::size_t stride);
/// Add two; any order gives the same. @pre fewer than 2^30 ranks
TravellingSum combine(TravellingSum a, const TravellingSum& b);
/// The sum rounded once; NaN where a block's is.
double value_of(const TravellingSum& sum);

/// One comparison of a variable's sum with the one before.
struct Check {
  std::int64_t timestep = 0;  ///< from 1
  int stage = 0;              ///< from 0
  int variable = 0;
  double sum = 0;
  double before = 0;
  double tolerance = 0;      ///< of the difference, relative to `before`
  bool is_conserved = true;  ///< whether the stencil is to keep the sum; else there is no tolerance

  double difference() const;  ///< relative
  bool is_passed() const { return !is_conserved || difference() <= tolerance; }
};

/// The sums of all variables as they were last: each check compares with the one before and
/// replaces it.
struct Checksums {
  std::vector<double> last;         ///< of each variable; outlives the graphs that use it
  double tolerance = 1e-8;          ///< relative
  std::int64_t first_timestep = 1;  ///< of the run of the graph: replay r is timestep first + r
  /// Called for each, by timestep, stage and variable, from some worker; no two calls overlap.
  std::function<void(const Check&)> on_check{};

  /// Compare and replace.
  /// @errors std::runtime_error where the sum differs by more than the tolerance
  void check(std::int64_t replay, int stage, int variable, double sum, bool is_conserved = true);
};

}  // namespace thalweg::miniamr::data
