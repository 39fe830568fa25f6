// SPDX-License-Identifier: MIT
#pragma once
#include <concepts>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <thalweg/core/strong_id.hpp>

namespace thalweg::hpccg {

/// Rows [begin, end) of a rank, or columns.
struct Rows {
  std::int64_t begin = 0;
  std::int64_t end = 0;

  std::int64_t size() const { return end - begin; }
  bool overlaps(Rows other) const { return begin < other.end && other.begin < end; }
  bool operator==(const Rows&) const = default;
};

/// What this rank and another one give each other before a product.
struct HaloMessage {
  Rank peer{};
  std::vector<Rows> sent{};  ///< own rows, in the order in which the peer's columns have them
  Rows received{};           ///< columns behind those of the own rows
};

/// A symmetric positive definite matrix whose rows are distributed over ranks.
///
/// A vector that is multiplied has columns: the values of the rank's own rows, then ghosts, which
/// are received. `columns_of(rows)` says which of them a product of these rows reads, or some more.
/// `apply(rows, x, y)` sets y[i] to row `rows.begin + i` of the product; x has all columns, y
/// rows.size() elements, and the rows are one piece: `piece_rows()` rows from a multiple of that
/// on, or the last ones. A piece's share of a dot product is added up as one (sums.hpp).
/// @threads apply from several at a time, for different rows
///
/// Valid: SellStencil, and whatever computes a product without storing a matrix. Invalid: a matrix
/// with rows of its own only (no halo()).
template <class A>
concept SparseOperator =
    requires(const A& a, Rows rows, std::span<const double> x, std::span<double> y) {
      { a.n_rows() } -> std::same_as<std::int64_t>;
      { a.piece_rows() } -> std::same_as<std::int64_t>;
      { a.halo() } -> std::convertible_to<std::vector<HaloMessage>>;
      { a.columns_of(rows) } -> std::convertible_to<std::vector<Rows>>;
      a.apply(rows, x, y);
    };

/// Any operator, for code that is compiled once. Refers to it.
struct AnyOperator {
  std::int64_t n_rows = 0;
  std::int64_t piece_rows = 1;
  std::vector<HaloMessage> halo{};
  std::function<std::vector<Rows>(Rows)> columns_of{};
  std::function<void(Rows, std::span<const double>, std::span<double>)> apply{};

  /// Own rows and ghosts.
  std::int64_t n_columns() const { return halo.empty() ? n_rows : halo.back().received.end; }
};

/// Refer to an operator, which outlives what is returned.
template <SparseOperator A>
AnyOperator any_operator(const A& a) {
  return {.n_rows = a.n_rows(),
          .piece_rows = a.piece_rows(),
          .halo = a.halo(),
          .columns_of = [&a](Rows rows) { return a.columns_of(rows); },
          .apply = [&a](Rows rows, std::span<const double> x,
                        std::span<double> y) { a.apply(rows, x, y); }};
}

}  // namespace thalweg::hpccg
