// SPDX-License-Identifier: MIT
#include <thalweg/hpccg/cost.hpp>

#include <algorithm>

#include <thalweg/hpccg/solver/stencil.hpp>

namespace thalweg::hpccg {
namespace {

constexpr double value = 8;
constexpr double column = 4;

/// The share of a line's rows whose slices store the first column of each eight: neither end of the
/// line is in them.
double share_of_runs(int n) {
  constexpr int height = SellStencil::slice_rows;
  const int n_runs = std::max((n - 1) / height - 1, 0);
  return static_cast<double>(n_runs * height) / n;
}

/// Of the matrix, a row.
double matrix_bytes(const Options& o) {
  const double runs = share_of_runs(o.n[0]);
  switch (o.format) {
    case Format::csr:
      return 27 * (value + column) + 8;  // and where the row begins
    case Format::sell:
      return 27 * (value + column * (1 - runs + runs / SellStencil::slice_rows)) + 2;
    case Format::free:
      return 0;
  }
  return 0;
}

}  // namespace

double bytes_of_rank(const Options& o) {
  const double n_rows = static_cast<double>(o.n[0]) * o.n[1] * o.n[2];
  const double n_vectors = o.method == Method::pipelined ? 8 : 5;
  return n_rows * (matrix_bytes(o) + n_vectors * value);
}

double bytes_of_iteration(const Options& o) {
  const double product = matrix_bytes(o) + 3 * value;  // x is read, y is written
  // Plain: p of r and p, r of Ap and r, x of p and x. Pipelined: seven are read, six written.
  const double updates = o.method == Method::pipelined ? 13 * value : 9 * value;
  return product + updates;
}

}  // namespace thalweg::hpccg
