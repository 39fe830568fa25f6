// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include <thalweg/core/huge_pages.hpp>
#include <thalweg/hpccg/solver/conjugate_gradient.hpp>

namespace thalweg::hpccg {

/// What stays between replays of both graphs.
struct CgState {
  CgState(AnyOperator op, std::span<const double> right, std::span<double> solution,
          const CgSettings& chosen);

  std::int64_t n_blocks() const { return std::ssize(blocks); }

  AnyOperator a;
  std::span<const double> b;
  std::span<double> x;
  CgSettings settings;
  std::vector<Rows> blocks;  ///< whole pieces
  LargeVector<double> r;
  LargeVector<double> p;                    ///< plain: with ghosts
  LargeVector<double> ap;                   ///< plain: A p; pipelined: A w
  LargeVector<double> w;                    ///< pipelined: A r, with ghosts
  LargeVector<double> s;                    ///< pipelined: A p
  LargeVector<double> z;                    ///< pipelined: A s
  std::vector<PartialSum> rr;               ///< of blocks: r.r
  std::vector<PartialSum> pap;              ///< of blocks: p.Ap; pipelined: w.r
  std::vector<std::vector<double>> packed;  ///< of messages
  double squared_residual = 0;
  double alpha = 0;
  double beta = 0;
  CgReport report{};
  const OnIteration* on_iteration = nullptr;
};

/// Elements of a vector that belong to rows.
template <class T>
std::span<T> part(std::span<T> vector, Rows rows) {
  return vector.subspan(static_cast<std::size_t>(rows.begin),
                        static_cast<std::size_t>(rows.size()));
}

/// Call f with the pieces of a block.
template <class F>
void for_each_piece(const AnyOperator& a, Rows block, F f) {
  for (std::int64_t begin = block.begin; begin < block.end; begin += a.piece_rows)
    f(Rows{begin, std::min(begin + a.piece_rows, block.end)});
}

}  // namespace thalweg::hpccg
