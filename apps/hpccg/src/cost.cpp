// SPDX-License-Identifier: MIT
#include <thalweg/hpccg/cost.hpp>

#include <algorithm>

#include <thalweg/hpccg/solver/stencil.hpp>

namespace thalweg::hpccg {
namespace {

constexpr double value = 8;
constexpr double column = 4;

/// Points of the grid of all ranks on an axis.
double points(const Options& o, int axis) {
  return static_cast<double>(o.n[axis]) * o.ranks[axis];
}

/// How many of three neighbours on an axis a point of the whole grid has, on average.
double neighbours(const Options& o, int axis) {
  return 3 - 2 / points(o, axis);
}

/// Of a rank's line, the share of slices whose columns are all stored: those beside other ranks.
double share_of_scattered(const Options& o, int n_slices) {
  const double beside = o.ranks[0] - 1.0;
  return (n_slices == 1 ? std::min(beside, 1.0) : 2 * beside / o.ranks[0]) / n_slices;
}

/// Of the matrix, a row. @param n_lines  around a line, itself included
double matrix_bytes(const Options& o, double n_lines) {
  constexpr int height = SellStencil::slice_rows;
  constexpr int lanes = SellStencil::lanes;
  const int n_slices = (o.n[0] - 1) / height + 1;
  const double filled_up = static_cast<double>((o.n[0] - 1) / lanes + 1) * lanes / o.n[0];
  const double scattered = share_of_scattered(o, n_slices);
  const double firsts = (1 - scattered) * n_slices / o.n[0];
  const double slices_a_row = static_cast<double>(n_slices) / o.n[0];
  switch (o.format) {
    case Format::csr:
      return n_lines * neighbours(o, 0) * (value + column) + 8;  // and where the row begins
    case Format::sell:
      return n_lines * 3 * (filled_up * (value + column * scattered) + column * firsts) +
             16 * slices_a_row;  // and where the slice begins
    case Format::free:
      return 0;
  }
  return 0;
}

}  // namespace

double bytes_of_rank(const Options& o) {
  const double n_rows = static_cast<double>(o.n[0]) * o.n[1] * o.n[2];
  const double n_vectors = o.method == Method::pipelined ? 8 : 5;
  constexpr double most_lines = 9;
  return n_rows * (matrix_bytes(o, most_lines) + n_vectors * value);
}

double bytes_of_iteration(const Options& o) {
  const double product =
      matrix_bytes(o, neighbours(o, 1) * neighbours(o, 2)) + 3 * value;  // x is read, y is written
  // Plain: p of r and p, r of Ap and r, x of p and x. Pipelined: seven are read, six written.
  const double updates = o.method == Method::pipelined ? 13 * value : 9 * value;
  return product + updates;
}

}  // namespace thalweg::hpccg
