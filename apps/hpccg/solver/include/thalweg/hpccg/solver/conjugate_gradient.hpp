// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include <thalweg/core/error.hpp>
#include <thalweg/flow/executor.hpp>
#include <thalweg/flow/graph.hpp>
#include <thalweg/flow/model.hpp>
#include <thalweg/hpccg/solver/operator.hpp>
#include <thalweg/hpccg/solver/sums.hpp>

namespace thalweg::hpccg {

/// How an iteration is arranged.
enum class Method : std::uint8_t {
  plain,      ///< two reductions an iteration, one after another, with the product between them
  pipelined,  ///< one, while the next product is computed; three more vectors, fewer digits
};

struct CgSettings {
  Method method = Method::plain;
  SumOrder sum_order = SumOrder::pieces;
  std::int64_t n_blocks = 1;  ///< of rows, at most: the grain of tasks; > 0
  std::int64_t max_iterations = 149;
  double tolerance = 0;  ///< of the residual's 2-norm
  flow::Model model = flow::Model::dataflow;
  std::uint32_t n_workers = 1;  ///< blocks are shared out to

  bool operator==(const CgSettings&) const = default;
};

/// What a solution came to.
struct CgReport {
  std::int64_t n_iterations = 0;
  double initial_residual = 0;  ///< 2-norm
  double residual = 0;          ///< 2-norm, before the update of the last iteration
};

/// The number of an iteration, from 1, and the 2-norm of the residual that it began with.
using OnIteration = std::function<void(std::int64_t iteration, double residual)>;

/// What replays a graph so many times, from a step on; as flow::Executor::run.
using RunGraph = std::function<Result<flow::RunReport>(flow::Graph& graph, std::uint64_t n_replays,
                                                       std::optional<std::uint64_t> first_step)>;

struct CgState;

/// Conjugate gradients for A x = b, as a graph of one iteration that is replayed.
///
/// Rows are cut into blocks, each task does one, and dot products are nodes. The bits do not depend
/// on threads, model, schedule and blocks; nor on ranks where each piece of rows, or with
/// SumOrder::exact each row, is the same on some rank.
/// @source Hestenes and Stiefel, J. Res. NBS 49 (1952) 409; Ghysels and Vanroose, Parallel
/// Computing
///         40 (2014) 224
/// @threads one
class ConjugateGradient {
 public:
  /// @param a, b, x  outlive this; b and x have a.n_rows() elements
  template <SparseOperator A>
  ConjugateGradient(const A& a, std::span<const double> b, std::span<double> x,
                    const CgSettings& settings, Rank rank, int n_ranks)
      : ConjugateGradient(any_operator(a), b, x, settings, rank, n_ranks) {}
  ConjugateGradient(AnyOperator a, std::span<const double> b, std::span<double> x,
                    const CgSettings& settings, Rank rank, int n_ranks);
  ~ConjugateGradient();

  /// Improve x until the residual is small enough or the iterations are over. Collective; again
  /// with other values in b or x, it replays the same graphs.
  ///
  /// Ends also where the squared residual is smaller than any normal number.
  /// @param on_iteration  called in some worker, no two at a time
  /// @errors on all ranks, where the residual is not finite or A is not positive definite; the
  /// caller aborts the transport
  Result<CgReport> solve(flow::Executor& executor, const OnIteration& on_iteration = {}) {
    const RunGraph run = [&](flow::Graph& graph, auto n, auto first) {
      return executor.run(graph, n, first);
    };
    return solve_by(run, on_iteration);
  }
  /// The same by another runtime (libs/backends).
  Result<CgReport> solve_by(const RunGraph& run_graph, const OnIteration& on_iteration);

  /// What is replayed: for tools.
  const flow::Graph& iteration() const { return iteration_; }

 private:
  std::unique_ptr<CgState> state_;
  flow::Graph start_;
  flow::Graph iteration_;
};

}  // namespace thalweg::hpccg
