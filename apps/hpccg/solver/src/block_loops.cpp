// SPDX-License-Identifier: MIT
#include "block_loops.hpp"

#include <algorithm>

namespace thalweg::hpccg::block_loops {
namespace {

/// The sum of a block, with SumOrder::rows that of all blocks up to it.
DotProduct sum_from(const CgState& s, const std::vector<PartialSum>& sums, std::size_t block) {
  const bool goes_on = s.settings.sum_order == SumOrder::rows && block > 0;
  return DotProduct(s.settings.sum_order, goes_on ? sums[block - 1].in_order : 0);
}

std::span<double> rows_of(LargeVector<double>& vector, Rows rows) {
  return part(std::span(vector), rows);
}

}  // namespace

void multiply(CgState& s, const LargeVector<double>& vector, ProductSum sum, std::size_t block) {
  const std::span<const double> from(vector);
  DotProduct product = sum_from(s, s.pap, block);
  for_each_piece(s.a, s.blocks[block], [&](Rows piece) {
    const auto to = rows_of(s.ap, piece);
    s.a.apply(piece, from, to);
    if (sum == ProductSum::with_vector) product.add(part(from, piece), to);
  });
  if (sum == ProductSum::with_vector) s.pap[block] = product.sum();
}

void set_residual(CgState& s, std::size_t block) {
  DotProduct rr = sum_from(s, s.rr, block);
  for_each_piece(s.a, s.blocks[block], [&](Rows piece) {
    const auto b = part(s.b, piece);
    const auto r = rows_of(s.r, piece);
    const auto ap = rows_of(s.ap, piece);
    for (std::size_t i = 0; i < b.size(); ++i) r[i] = b[i] - ap[i];
    rr.add(r, r);
  });
  s.rr[block] = rr.sum();
}

void set_direction(CgState& s, std::size_t block) {
  const auto r = rows_of(s.r, s.blocks[block]);
  const auto p = rows_of(s.p, s.blocks[block]);
  const double beta = s.beta;
#pragma omp simd
  for (std::size_t i = 0; i < p.size(); ++i) p[i] = r[i] + beta * p[i];
}

void update_x(CgState& s, std::size_t block) {
  const auto x = part(s.x, s.blocks[block]);
  const auto p = rows_of(s.p, s.blocks[block]);
  const double alpha = s.alpha;
#pragma omp simd
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = x[i] + alpha * p[i];
}

void update_r(CgState& s, std::size_t block) {
  DotProduct rr = sum_from(s, s.rr, block);
  const double alpha = s.alpha;
  for_each_piece(s.a, s.blocks[block], [&](Rows piece) {
    const auto r = rows_of(s.r, piece);
    const auto ap = rows_of(s.ap, piece);
#pragma omp simd
    for (std::size_t i = 0; i < r.size(); ++i) r[i] = r[i] - alpha * ap[i];
    rr.add(r, r);
  });
  s.rr[block] = rr.sum();
}

void set_w(CgState& s, std::size_t block) {
  DotProduct wr = sum_from(s, s.pap, block);
  for_each_piece(s.a, s.blocks[block], [&](Rows piece) {
    const auto w = rows_of(s.w, piece);
    std::ranges::copy(rows_of(s.ap, piece), w.begin());
    wr.add(w, rows_of(s.r, piece));
  });
  s.pap[block] = wr.sum();
}

void update_all(CgState& s, std::size_t block) {
  DotProduct rr = sum_from(s, s.rr, block);
  DotProduct wr = sum_from(s, s.pap, block);
  const double alpha = s.alpha;
  const double beta = s.beta;
  for_each_piece(s.a, s.blocks[block], [&](Rows piece) {
    const auto x = part(s.x, piece);
    const auto r = rows_of(s.r, piece);
    const auto p = rows_of(s.p, piece);
    const auto w = rows_of(s.w, piece);
    const auto aw = rows_of(s.ap, piece);
    const auto ap = rows_of(s.s, piece);
    const auto as = rows_of(s.z, piece);
#pragma omp simd
    for (std::size_t i = 0; i < x.size(); ++i) {
      as[i] = aw[i] + beta * as[i];
      ap[i] = w[i] + beta * ap[i];
      p[i] = r[i] + beta * p[i];
      x[i] = x[i] + alpha * p[i];
      r[i] = r[i] - alpha * ap[i];
      w[i] = w[i] - alpha * as[i];
    }
    rr.add(r, r);
    wr.add(w, r);
  });
  s.rr[block] = rr.sum();
  s.pap[block] = wr.sum();
}

}  // namespace thalweg::hpccg::block_loops
