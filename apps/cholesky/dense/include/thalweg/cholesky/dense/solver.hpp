// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <span>

#include <thalweg/cholesky/dense/factorisation.hpp>

namespace thalweg::cholesky {

/// The tasks that solve A x = b, one right-hand side at a time, with the factor of A.
///
/// The same bits as Factorisation: products with tiles are subtracted in the order of tiles.
/// @threads one
template <Scalar T>
class Solver {
 public:
  /// Record the tasks. @param factor, kernels  outlive this; the factor may be made later
  Solver(const Matrix<T>& factor, const TileKernels<T>& kernels,
         const FactorisationSettings& settings);
  ~Solver();

  /// Replace b by x; both have n elements, the same on all ranks. Collective, on an executor of
  /// `transport`. @errors those of flow::Executor::run; the caller aborts the transport
  Result<void> solve(flow::Executor& executor, flow::Transport& transport, std::span<T> b);

 private:
  struct State;
  std::unique_ptr<State> state_;
  flow::Graph graph_;
};

extern template class Solver<float>;
extern template class Solver<double>;
extern template class Solver<std::complex<float>>;
extern template class Solver<std::complex<double>>;

}  // namespace thalweg::cholesky
