// SPDX-License-Identifier: MIT
#include <thalweg/hpccg/cost.hpp>

namespace thalweg::hpccg {
namespace {

constexpr double value = 8;
constexpr double entry = value + 4;  // and its column

/// Of the matrix, a row.
double matrix_bytes(Format format) {
  switch (format) {
    case Format::csr:
      return 27 * entry + 8;  // and where the row begins
    case Format::sell:
      return 27 * entry + 1;
    case Format::free:
      return 0;
  }
  return 0;
}

}  // namespace

double bytes_of_rank(const Options& o) {
  const double n_rows = static_cast<double>(o.n[0]) * o.n[1] * o.n[2];
  const double n_vectors = o.method == Method::pipelined ? 8 : 5;
  return n_rows * (matrix_bytes(o.format) + n_vectors * value);
}

double bytes_of_iteration(const Options& o) {
  const double product = matrix_bytes(o.format) + 3 * value;  // x is read, y is written
  // Plain: p of r and p, r of Ap and r, x of p and x. Pipelined: seven are read, six written.
  const double updates = o.method == Method::pipelined ? 13 * value : 9 * value;
  return product + updates;
}

}  // namespace thalweg::hpccg
