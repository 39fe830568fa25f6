// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include <thalweg/core/huge_pages.hpp>
#include <thalweg/hpccg/solver/grid.hpp>
#include <thalweg/hpccg/solver/operator.hpp>

namespace thalweg::hpccg {

/// What the operators below have in common: 27 on the diagonal, -1 for each point around a row's.
///
/// All add up the terms of a row in the order of the grid's points, x fastest, so products have the
/// same bits. A piece is a line of the grid.
/// @source Mantevo/HPCCG, generate_matrix.cpp: the problem; its code is not used
class StencilOnGrid {
 public:
  explicit StencilOnGrid(Grid grid) : grid_(std::move(grid)) {}

  const Grid& grid() const { return grid_; }
  std::int64_t n_rows() const { return grid_.n_rows(); }
  std::int64_t piece_rows() const { return grid_.n()[0]; }
  const std::vector<HaloMessage>& halo() const { return grid_.halo(); }
  std::vector<Rows> columns_of(Rows rows) const { return grid_.columns_of(rows); }

 private:
  Grid grid_;
};

/// The matrix in compressed rows. @cost 12 bytes a nonzero, 8 a row
class CsrStencil : public StencilOnGrid {
 public:
  /// @pre grid.n_columns() < 2^32
  explicit CsrStencil(Grid grid);

  std::int64_t n_nonzeros() const { return first_.back(); }
  void apply(Rows rows, std::span<const double> x, std::span<double> y) const;

 private:
  std::vector<std::int64_t> first_;  ///< nonzero of a row
  LargeVector<double> values_;
  LargeVector<std::uint32_t> columns_;
};

/// The matrix in slices of 32 rows (sliced ELLPACK): for each point around them, the nonzeros of
/// the rows of a slice lie side by side, with a zero where a row has none.
///
/// A slice lies in one line; the last of a line has what is left of it, filled up with rows of
/// zeros to a multiple of four. Where the columns of neighbouring rows follow each other, as they
/// do unless another rank lies beside them in x, or memory ends, only the first row's is stored.
/// @cost 8.1 bytes a nonzero there, else 12; 0.5 a row
/// @source Monakov, Lokhmotov, Avetisyan, HiPEAC 2010, LNCS 5952, 111
class SellStencil : public StencilOnGrid {
 public:
  static constexpr int slice_rows = 32;
  static constexpr int lanes = 4;  ///< slices have a multiple of

  /// @pre grid.n_columns() < 2^32
  explicit SellStencil(Grid grid);

  /// Values, those that fill up slices included, and columns.
  std::int64_t n_stored() const { return std::ssize(values_); }
  std::int64_t n_stored_columns() const { return std::ssize(columns_); }
  /// A line more before and behind: zeros are multiplied with numbers from there.
  std::vector<Rows> columns_of(Rows rows) const;
  void apply(Rows rows, std::span<const double> x, std::span<double> y) const;

 private:
  /// Where the values and columns of a slice begin.
  struct Slice {
    std::int64_t value, column;
  };

  /// @param point  of its first row
  void add_slice(Index<3> point, int height);

  std::int64_t slices_of_line_;
  std::vector<Slice> slices_;  ///< and where the last ends
  LargeVector<double> values_;
  LargeVector<std::uint32_t> columns_;
};

/// The product without a matrix: nine lines of points make one line of it.
class MatrixFreeStencil : public StencilOnGrid {
 public:
  explicit MatrixFreeStencil(Grid grid);

  void apply(Rows rows, std::span<const double> x, std::span<double> y) const;

 private:
  std::vector<double> zeros_;  ///< a line outside of the grid
};

static_assert(SparseOperator<CsrStencil> && SparseOperator<SellStencil> &&
              SparseOperator<MatrixFreeStencil>);

}  // namespace thalweg::hpccg
