// SPDX-License-Identifier: MIT
#include <thalweg/hpccg/solver/stencil.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <limits>

#include <thalweg/core/contract.hpp>

namespace thalweg::hpccg {
namespace {

constexpr double diagonal = 27;
constexpr double off_diagonal = -1;
constexpr int n_points = 27;

/// The nonzeros of a row, in the order of the grid's points.
struct Row {
  int n = 0;
  std::array<std::uint32_t, n_points> columns{};
  std::array<double, n_points> values{};
};

Row row_of(const Grid& grid, Index<3> point) {
  Row row;
  for (int z = -1; z <= 1; ++z)
    for (int y = -1; y <= 1; ++y)
      for (int x = -1; x <= 1; ++x)
        if (const auto column = grid.column(point + Index<3>{{x, y, z}})) {
          const auto k = static_cast<std::size_t>(row.n++);
          row.columns[k] = static_cast<std::uint32_t>(*column);
          row.values[k] = x == 0 && y == 0 && z == 0 ? diagonal : off_diagonal;
        }
  return row;
}

/// Call f with the y and z of each line, in the order of rows.
template <class F>
void for_each_line(const Grid& grid, F f) {
  for (int z = 0; z < grid.n()[2]; ++z)
    for (int y = 0; y < grid.n()[1]; ++y) f(y, z);
}

/// Four numbers that are computed with side by side.
using Lanes [[gnu::vector_size(4 * sizeof(double))]] = double;

Lanes load(const double* from) {
  Lanes lanes;
  std::memcpy(&lanes, from, sizeof lanes);
  return lanes;
}
Lanes gather(const double* from, const std::uint32_t* columns) {
  return Lanes{from[columns[0]], from[columns[1]], from[columns[2]], from[columns[3]]};
}

// Values come from memory in one long stream, of which the processor alone fetches too little.
constexpr std::int64_t ahead = 512;

/// Eight rows side by side. @param n  values, a multiple of eight
void multiply_slice(const double* values, const std::uint32_t* columns, std::int64_t n,
                    const double* x, double* y) {
  Lanes low{};
  Lanes high{};
  for (std::int64_t k = 0; k < n; k += SellStencil::slice_rows) {
    __builtin_prefetch(values + k + ahead);
    __builtin_prefetch(columns + k + ahead);
    low += load(values + k) * gather(x, columns + k);
    high += load(values + k + 4) * gather(x, columns + k + 4);
  }
  std::memcpy(y, &low, sizeof low);
  std::memcpy(y + 4, &high, sizeof high);
}

/// The same where the columns of each eight values follow each other. @param first  of each eight
void multiply_run(const double* values, const std::uint32_t* first, std::int64_t n, const double* x,
                  double* y) {
  Lanes low{};
  Lanes high{};
  for (std::int64_t k = 0; k < n; k += SellStencil::slice_rows) {
    __builtin_prefetch(values + k + ahead);
    const double* from = x + first[k / SellStencil::slice_rows];
    low += load(values + k) * load(from);
    high += load(values + k + 4) * load(from + 4);
  }
  std::memcpy(y, &low, sizeof low);
  std::memcpy(y + 4, &high, sizeof high);
}

/// Fewer rows, at the end of a line.
void multiply_short_slice(const double* values, const std::uint32_t* columns, std::int64_t n,
                          std::int64_t height, const double* x, double* y) {
  std::fill_n(y, height, 0.0);
  for (std::int64_t k = 0; k < n; k += height)
    for (std::int64_t row = 0; row < height; ++row) y[row] += values[k + row] * x[columns[k + row]];
}

void expect_columns_in_32_bits([[maybe_unused]] const Grid& grid) {
  THALWEG_EXPECT(grid.n_columns() <= std::numeric_limits<std::uint32_t>::max(),
                 "columns of a rank are counted in 32 bits");
}

}  // namespace

CsrStencil::CsrStencil(Grid of) : StencilOnGrid(std::move(of)) {
  expect_columns_in_32_bits(grid());
  std::int64_t n_nonzeros = 0;
  for (std::int64_t row = 0; row < n_rows(); ++row) n_nonzeros += grid().n_coupled(row);
  first_.reserve(static_cast<std::size_t>(n_rows() + 1));
  values_.reserve(static_cast<std::size_t>(n_nonzeros));
  columns_.reserve(static_cast<std::size_t>(n_nonzeros));
  first_.push_back(0);
  for_each_line(grid(), [&](int y, int z) {
    for (int x = 0; x < grid().n()[0]; ++x) {
      const Row row = row_of(grid(), {{x, y, z}});
      values_.insert(values_.end(), row.values.begin(), row.values.begin() + row.n);
      columns_.insert(columns_.end(), row.columns.begin(), row.columns.begin() + row.n);
      first_.push_back(first_.back() + row.n);
    }
  });
}

void CsrStencil::apply(Rows rows, std::span<const double> x, std::span<double> y) const {
  const double* values = values_.data();
  const std::uint32_t* columns = columns_.data();
  for (std::int64_t row = rows.begin; row < rows.end; ++row) {
    double sum = 0;
    const std::int64_t end = first_[static_cast<std::size_t>(row + 1)];
    for (std::int64_t k = first_[static_cast<std::size_t>(row)]; k < end; ++k)
      sum += values[k] * x[columns[k]];
    y[static_cast<std::size_t>(row - rows.begin)] = sum;
  }
}

SellStencil::SellStencil(Grid of) : StencilOnGrid(std::move(of)) {
  expect_columns_in_32_bits(grid());
  const int n = grid().n()[0];
  slices_of_line_ = (n + slice_rows - 1) / slice_rows;
  slices_.reserve(static_cast<std::size_t>(grid().n_lines() * slices_of_line_ + 1));
  values_.reserve(static_cast<std::size_t>(n_rows() * n_points));
  for_each_line(grid(), [&](int y, int z) {
    for (int begin = 0; begin < n; begin += slice_rows)
      add_slice({{begin, y, z}}, std::min(slice_rows, n - begin));
  });
  slices_.push_back({std::ssize(values_), std::ssize(columns_)});
}

void SellStencil::add_slice(Index<3> point, int height) {
  slices_.push_back({std::ssize(values_), std::ssize(columns_)});
  std::array<Row, slice_rows> rows;
  int width = 0;
  for (int lane = 0; lane < height; ++lane) {
    Row& row = rows[static_cast<std::size_t>(lane)] =
        row_of(grid(), point + Index<3>{{lane, 0, 0}});
    width = std::max(width, row.n);
    // What fills up a row is read from a column that it has.
    std::fill(row.columns.begin() + row.n, row.columns.end(), row.columns[0]);
  }
  bool is_run = height == slice_rows;
  for (std::size_t k = 0; k < static_cast<std::size_t>(width); ++k)
    for (std::size_t lane = 0; lane < static_cast<std::size_t>(height); ++lane) {
      values_.push_back(rows[lane].values[k]);
      is_run = is_run && rows[lane].columns[k] == rows[0].columns[k] + lane;
    }
  for (std::size_t k = 0; k < static_cast<std::size_t>(width); ++k)
    for (std::size_t lane = 0; lane < static_cast<std::size_t>(is_run ? 1 : height); ++lane)
      columns_.push_back(rows[lane].columns[k]);
}

void SellStencil::apply(Rows rows, std::span<const double> x, std::span<double> y) const {
  const std::int64_t line = rows.begin / piece_rows();
  for (std::int64_t s = 0; s < slices_of_line_; ++s) {
    const Slice* slice = slices_.data() + line * slices_of_line_ + s;
    const std::int64_t height = std::min<std::int64_t>(slice_rows, piece_rows() - s * slice_rows);
    const double* values = values_.data() + slice->value;
    const std::uint32_t* columns = columns_.data() + slice->column;
    const std::int64_t n = slice[1].value - slice->value;
    double* to = y.data() + s * slice_rows;
    if (height < slice_rows)
      multiply_short_slice(values, columns, n, height, x.data(), to);
    else if (slice[1].column - slice->column < n)
      multiply_run(values, columns, n, x.data(), to);
    else
      multiply_slice(values, columns, n, x.data(), to);
  }
}

MatrixFreeStencil::MatrixFreeStencil(Grid of)
    : StencilOnGrid(std::move(of)), zeros_(static_cast<std::size_t>(piece_rows()), 0.0) {}

void MatrixFreeStencil::apply(Rows rows, std::span<const double> x, std::span<double> y) const {
  const int n = grid().n()[0];
  const auto line = rows.begin / n;
  const int y0 = static_cast<int>(line % grid().n()[1]);
  const int z0 = static_cast<int>(line / grid().n()[1]);
  constexpr int n_lines = 9;
  std::array<const double*, n_lines> lines;
  std::array<double, n_lines> left, right;  // the points before and behind them
  for (int j = 0; j < n_lines; ++j) {
    const auto at = [&](int first) {
      return grid().column({{first, y0 + j % 3 - 1, z0 + j / 3 - 1}});
    };
    const auto value = [&](std::optional<std::int64_t> column) {
      return column ? x[static_cast<std::size_t>(*column)] : 0.0;
    };
    const auto k = static_cast<std::size_t>(j);
    lines[k] = at(0) ? x.data() + *at(0) : zeros_.data();
    left[k] = value(at(-1));
    right[k] = value(at(n));
  }
  constexpr std::size_t centre = 4;
  // A row at an end of the line.
  const auto end_row = [&](int i) {
    double sum = 0;
    for (std::size_t j = 0; j < n_lines; ++j) {
      sum -= i == 0 ? left[j] : lines[j][i - 1];
      sum += (j == centre ? diagonal : off_diagonal) * lines[j][i];
      sum -= i == n - 1 ? right[j] : lines[j][i + 1];
    }
    return sum;
  };
  y[0] = end_row(0);
  double* to = y.data();
#pragma omp simd
  for (int i = 1; i < n - 1; ++i) {
    double sum = 0;
#pragma GCC unroll 9
    for (std::size_t j = 0; j < n_lines; ++j) {
      sum -= lines[j][i - 1];
      sum += (j == centre ? diagonal : off_diagonal) * lines[j][i];
      sum -= lines[j][i + 1];
    }
    to[i] = sum;
  }
  y[static_cast<std::size_t>(n - 1)] = end_row(n - 1);
}

}  // namespace thalweg::hpccg
