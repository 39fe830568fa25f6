// SPDX-License-Identifier: MIT
#include <thalweg/cholesky/cost.hpp>

#include <algorithm>
#include <cmath>

namespace thalweg::cholesky {

double bytes_of_element(Precision precision) {
  switch (precision) {
    case Precision::s:
      return 4;
    case Precision::z:
      return 16;
    case Precision::d:
    case Precision::c:
      break;
  }
  return 8;
}

double bytes_of_rank(const Options& o) {
  // Recorded, captured and prepared to run; measured: 4,096 rows in tiles of 32.
  constexpr double bytes_of_task = 400;
  const double nt = std::ceil(static_cast<double>(o.n) / o.tile);
  const double rows = std::ceil(nt / o.grid[0]);
  const double columns = std::ceil(nt / o.grid[1]);
  // Half of the tiles, and all on the diagonal.
  const double tiles = std::min(rows * columns, rows * columns / 2 + std::max(rows, columns));
  const bool is_alone = o.grid[0] * o.grid[1] == 1;
  const double received = is_alone ? 0 : (o.look_ahead + 1.0) * std::min(nt, rows + columns);
  const double tile_bytes = double{1} * o.tile * o.tile * bytes_of_element(o.precision);
  const double tasks = tiles * (nt + 6) / 3;
  return ((o.check ? 2 : 1) * tiles + received) * tile_bytes + tasks * bytes_of_task;
}

double flops(const Options& o) {
  const auto n = static_cast<double>(o.n);
  const double products = n * n * n / 6 + n * n / 2 + n / 3;
  const double sums = n * n * n / 6 - n / 6;
  const bool is_complex_valued = o.precision == Precision::c || o.precision == Precision::z;
  return is_complex_valued ? 6 * products + 2 * sums : products + sums;
}

}  // namespace thalweg::cholesky
