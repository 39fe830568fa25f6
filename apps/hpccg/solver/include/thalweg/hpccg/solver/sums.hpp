// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <span>

#include <thalweg/core/exact_sum.hpp>

namespace thalweg::hpccg {

/// In which order the terms of a dot product are added.
enum class SumOrder : std::uint8_t {
  pieces,  ///< eight sums a piece, then pieces exactly: the same bits however pieces are spread
  exact,   ///< all rounded products exactly: the same bits however rows are spread
  rows,    ///< one by one, as a plain loop does; then over ranks, in an order fixed by their number
};

/// Some terms of a dot product, added up; travels between blocks and ranks.
struct PartialSum {
  std::array<std::int64_t, ExactSum::n_limbs> limbs{};  ///< of an ExactSum, carries done
  double in_order = 0;                                  ///< with SumOrder::rows the sum

  bool operator==(const PartialSum&) const = default;
};

/// Add two. Exact, and so in any order, but for SumOrder::rows. @pre fewer than 2^30 terms
PartialSum operator+(PartialSum a, const PartialSum& b);
/// The sum rounded once; not finite where a term is not.
double value_of(const PartialSum& sum);

/// Adds up the products of two vectors, piece by piece.
class DotProduct {
 public:
  /// @param before  what comes before the first term, with SumOrder::rows
  explicit DotProduct(SumOrder order, double before = 0) : order_(order), in_order_(before) {}

  /// Add a . b of one piece. @pre a.size() == b.size()
  void add(std::span<const double> a, std::span<const double> b);
  PartialSum sum() const { return {exact_.limbs(), in_order_}; }

 private:
  void add_products_exactly(std::span<const double> a, std::span<const double> b);

  SumOrder order_;
  ExactSum exact_;
  double in_order_;
};

}  // namespace thalweg::hpccg
