// SPDX-License-Identifier: MIT
#include <thalweg/hpccg/solver/stencil.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include <thalweg/core/contract.hpp>

namespace thalweg::hpccg {
namespace {

constexpr double diagonal = 27;
constexpr double off_diagonal = -1;
constexpr int n_points = 27;

/// Call f with the y and z of each line, in the order of rows.
template <class F>
void for_each_line(const Grid& grid, F f) {
  for (int z = 0; z < grid.n()[2]; ++z)
    for (int y = 0; y < grid.n()[1]; ++y) f(y, z);
}

constexpr std::int64_t n_lanes = SellStencil::lanes;
/// Numbers that are computed with side by side.
using Lanes [[gnu::vector_size(n_lanes * sizeof(double))]] = double;

Lanes load(const double* from) {
  Lanes lanes;
  std::memcpy(&lanes, from, sizeof lanes);
  return lanes;
}

/// Rows of a slice with those that fill it up.
constexpr std::int64_t padded(std::int64_t height) {
  return (height + n_lanes - 1) / n_lanes * n_lanes;
}

// Values come from memory in one long stream, of which the processor alone fetches too little.
constexpr std::int64_t ahead = 512;
constexpr std::int64_t line_values = 64 / sizeof(double);

/// Multiply a slice of n_vectors * n_lanes rows whose k-th columns follow each other.
///
/// With so many sums side by side no addition waits for another.
/// @param first  the column of the first row, of each of `width` nonzeros
template <std::size_t n_vectors>
void multiply_run(const double* values, const std::uint32_t* first, std::int64_t width,
                  const double* x, double* y) {
  constexpr auto height = static_cast<std::int64_t>(n_vectors) * n_lanes;
  std::array<Lanes, n_vectors> sums{};
  for (std::int64_t k = 0; k < width; ++k, values += height) {
    for (std::int64_t i = 0; i < height; i += line_values) __builtin_prefetch(values + ahead + i);
    const double* from = x + first[k];
#pragma GCC unroll 8
    for (std::size_t v = 0; v < n_vectors; ++v)
      sums[v] += load(values + v * n_lanes) * load(from + v * n_lanes);
  }
  std::memcpy(y, sums.data(), sizeof sums);
}

/// By vectors in a slice, less one.
constexpr std::array multiply_runs = []<std::size_t... n>(std::index_sequence<n...>) {
  return std::array{&multiply_run<n + 1>...};
}(std::make_index_sequence<SellStencil::slice_rows / n_lanes>());

/// The same of any columns.
void multiply_scattered(const double* values, const std::uint32_t* columns, std::int64_t width,
                        std::int64_t height, const double* x, double* y) {
  std::fill_n(y, height, 0.0);
  for (std::int64_t k = 0; k < width * height; k += height)
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
      for_each_direction([&](Index<3> d) {
        if (const auto column = grid().column(Index<3>{{x, y, z}} + d)) {
          values_.push_back(d == Index<3>{} ? diagonal : off_diagonal);
          columns_.push_back(static_cast<std::uint32_t>(*column));
        }
      });
      first_.push_back(std::ssize(values_));
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
  values_.reserve(static_cast<std::size_t>(grid().n_lines() * padded(n) * n_points));
  for_each_line(grid(), [&](int y, int z) {
    for (int begin = 0; begin < n; begin += slice_rows)
      add_slice({{begin, y, z}}, std::min(slice_rows, n - begin));
  });
  slices_.push_back({std::ssize(values_), std::ssize(columns_)});
}

void SellStencil::add_slice(Index<3> point, int height) {
  slices_.push_back({std::ssize(values_), std::ssize(columns_)});
  const std::int64_t n_filled = padded(height);
  const std::int64_t row = *grid().column(point);
  const auto readable = columns_of({row, row + height});
  std::vector<std::uint32_t> first;  // columns, of a run
  bool is_run = true;
  for_each_direction([&](Index<3> d) {
    std::array<std::optional<std::int64_t>, slice_rows> columns;
    for (int lane = 0; lane < height; ++lane)
      columns[static_cast<std::size_t>(lane)] = grid().column(point + Index<3>{{lane, 0, 0}} + d);
    const auto found = std::ranges::find_if(columns, [](auto c) { return c.has_value(); });
    if (found == columns.end()) return;
    const std::int64_t begin = **found - (found - columns.begin());
    is_run = is_run && std::ranges::any_of(readable, [&](Rows r) {
               return r.begin <= begin && begin + n_filled <= r.end;
             });
    first.push_back(static_cast<std::uint32_t>(begin));
    for (std::int64_t lane = 0; lane < n_filled; ++lane) {
      const auto column = columns[static_cast<std::size_t>(lane)];
      is_run = is_run && column.value_or(begin + lane) == begin + lane;
      values_.push_back(!column ? 0 : d == Index<3>{} ? diagonal : off_diagonal);
      columns_.push_back(static_cast<std::uint32_t>(column.value_or(**found)));
    }
  });
  if (!is_run) return;
  columns_.resize(static_cast<std::size_t>(slices_.back().column));
  columns_.insert(columns_.end(), first.begin(), first.end());
}

std::vector<Rows> SellStencil::columns_of(Rows rows) const {
  auto columns = grid().columns_of(rows);
  for (Rows& own : columns)
    if (own.begin < n_rows())
      own = {std::max<std::int64_t>(own.begin - piece_rows(), 0),
             std::min(own.end + piece_rows(), n_rows())};
  return columns;
}

void SellStencil::apply(Rows rows, std::span<const double> x, std::span<double> y) const {
  const Slice* slice = slices_.data() + rows.begin / piece_rows() * slices_of_line_;
  for (std::int64_t begin = 0; begin < piece_rows(); begin += slice_rows, ++slice) {
    const std::int64_t height = std::min<std::int64_t>(slice_rows, piece_rows() - begin);
    const std::int64_t n_filled = padded(height);
    const std::int64_t width = (slice[1].value - slice->value) / n_filled;
    const double* values = values_.data() + slice->value;
    const std::uint32_t* columns = columns_.data() + slice->column;
    std::array<double, slice_rows> sums;
    if (slice[1].column - slice->column == width)
      multiply_runs[static_cast<std::size_t>(n_filled / n_lanes - 1)](values, columns, width,
                                                                      x.data(), sums.data());
    else
      multiply_scattered(values, columns, width, n_filled, x.data(), sums.data());
    std::copy_n(sums.begin(), height, y.begin() + begin);
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
