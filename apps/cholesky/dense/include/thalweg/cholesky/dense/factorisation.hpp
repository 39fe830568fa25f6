// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <memory>
#include <span>

#include <thalweg/cholesky/dense/broadcast.hpp>
#include <thalweg/cholesky/dense/matrix.hpp>
#include <thalweg/cholesky/dense/tile_kernels.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/flow/executor.hpp>
#include <thalweg/flow/graph.hpp>
#include <thalweg/flow/model.hpp>
#include <thalweg/flow/transport.hpp>

namespace thalweg::cholesky {

struct FactorisationSettings {
  Broadcast broadcast = Broadcast::p2p;
  /// Panels whose tiles may come from other ranks while an earlier panel is still read; >= 0. There
  /// are buffers for one more.
  int look_ahead = 2;
  flow::Model model = flow::Model::dataflow;
  std::uint32_t n_workers = 1;  ///< tile rows are shared out to

  bool operator==(const FactorisationSettings&) const = default;
};

/// The tasks of a factorisation A = L L^H, in place, for a matrix whose values may change.
///
/// Bits depend on the tiles and the library alone: not on ranks, threads, model, schedule,
/// broadcast and look-ahead.
/// @source Buttari, Langou, Kurzak, Dongarra, Parallel Computing 35 (2009) 38 (tiles as tasks)
/// @threads one
template <Scalar T>
class Factorisation {
 public:
  /// Record the tasks. @param matrix, kernels  outlive this  @pre the matrix's layout has n_ranks
  /// ranks
  Factorisation(Matrix<T>& matrix, const TileKernels<T>& kernels,
                const FactorisationSettings& settings);

  /// Replace the matrix by its factor; again with other values it replays the same graph.
  /// Collective, on an executor of `transport`, where each time is a step of its own, from 1.
  /// @return LAPACK's info, the same on all ranks: 0, or the smallest order, from 1, of a leading
  /// minor that is not positive definite or not a number; then the matrix has no values of use
  /// @errors those of flow::Executor::run; the caller aborts the transport
  Result<std::int64_t> factorise(flow::Executor& executor, flow::Transport& transport);

  /// What is replayed: for tools.
  const flow::Graph& graph() const { return graph_; }

 private:
  std::unique_ptr<std::int64_t> info_;  ///< of this rank
  std::uint64_t n_begun_ = 0;           ///< factorisations
  flow::Graph graph_;
};

extern template class Factorisation<float>;
extern template class Factorisation<double>;
extern template class Factorisation<std::complex<float>>;
extern template class Factorisation<std::complex<double>>;

}  // namespace thalweg::cholesky
