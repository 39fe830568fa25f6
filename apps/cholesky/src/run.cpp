// SPDX-License-Identifier: MIT
#include <thalweg/cholesky/run.hpp>

#include <functional>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>

#include <thalweg/app/check_on_all_ranks.hpp>
#include <thalweg/app/executor_config.hpp>
#include <thalweg/app/tracing.hpp>
#include <thalweg/cholesky/cost.hpp>
#include <thalweg/cholesky/dense/check.hpp>
#include <thalweg/cholesky/dense/generator.hpp>
#include <thalweg/cholesky/dense/solver.hpp>
#include <thalweg/core/exception_words.hpp>
#include <thalweg/core/hash.hpp>
#include <thalweg/flow/collective.hpp>
#include <thalweg/trace/sink_list.hpp>

#include "with_scalar.hpp"

namespace thalweg::cholesky {
namespace {

template <class T>
T value_or_throw(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().message);
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

/// A run in one precision.
template <Scalar T>
class Run {
 public:
  Run(const Options& options, const OpenBlas& blas, const app::Context& context)
      : o_(options),
        context_(context),
        element_{.seed = options.seed, .bump = options.bump},
        kernels_(blas, options.uplo),
        a_(options.layout(), context.transport.rank()) {}

  RunFacts operator()() {
    const double start_s = context_.clock.now_s();
    Factorisation<T> factorisation(a_, kernels_, o_.settings());
    say(fmt::format("recorded {} nodes in {:.3f} s", factorisation.graph().n_nodes(),
                    context_.clock.now_s() - start_s));
    app::Tracing tracing({.file = o_.trace}, context_.execution.executor.n_workers);
    trace::SinkList sinks{tracing.sink(), context_.execution.executor.sink};
    const auto config = app::executor_config(context_, 0, &sinks);
    flow::Executor executor(config, context_.transport, context_.clock);
    value_or_throw(app::check_on_all_ranks(
        context_.transport, OpenBlas::check_room(context_.execution.executor.n_workers)));
    for (std::int64_t i = 0; i < o_.repeat && facts_.info == 0; ++i)
      factorise(factorisation, executor);
    app::leave_trace(tracing, context_, {.file = o_.trace}, "--trace", 0, o_.repeat);
    if (o_.fingerprint && facts_.info == 0) hash();
    if (o_.check && facts_.info == 0) check(executor);
    return facts_;
  }

 private:
  void say(std::string_view line) const { context_.log.world(LogLevel::info, line); }

  void factorise(Factorisation<T>& factorisation, flow::Executor& executor) {
    a_.set(element_);
    flow::barrier(context_.transport);
    const double start_s = context_.clock.now_s();
    facts_.info = value_or_throw(factorisation.factorise(executor, context_.transport));
    const double took_s = context_.clock.now_s() - start_s;
    if (facts_.info == 0)
      say(fmt::format("factorised in {:.4g} s, {:.2f} GF/s", took_s, flops(o_) / took_s * 1e-9));
    else
      say(
          fmt::format("no factor (the leading minor of order {} is not positive definite); raise "
                      "--bump",
                      facts_.info));
  }

  /// Hash the factor's elements by their places.
  void hash() {
    std::uint64_t mine = 0;
    a_.for_each_element([&](std::int64_t row, std::int64_t column, T value) {
      const auto place = hash_number(static_cast<std::uint64_t>(row),
                                     hash_number(static_cast<std::uint64_t>(column), 0));
      mine += hash_bytes(std::as_bytes(std::span(&value, 1)), place);
    });
    facts_.hash = flow::all_reduce(context_.transport, mine, std::plus<std::uint64_t>());
    say(fmt::format("factor {:016x}", facts_.hash));
  }

  void check(flow::Executor& executor) {
    Solver<T> solver(a_, kernels_, o_.settings());
    std::vector<T> b(static_cast<std::size_t>(o_.n));
    for (std::size_t i = 0; i < b.size(); ++i)
      b[i] = element_(o_.n + static_cast<std::int64_t>(i), 0);  // below the matrix
    std::vector<T> x = b;
    value_or_throw(solver.solve(executor, context_.transport, x));
    Matrix<T> original(a_.layout(), a_.rank());
    original.set(element_);
    facts_.solution_residual = solution_residual<T>(original, x, b, context_.transport);
    facts_.factor_residual = value_or_throw(
        factor_residual(original, a_, kernels_, o_.settings(), executor, context_.transport));
    say(fmt::format("residual of the factor {:.3g}, of a solution {:.3g} (at most {:g})",
                    *facts_.factor_residual, *facts_.solution_residual, check_threshold));
  }

  const Options& o_;
  app::Context context_;
  RandomMatrix<T> element_;
  TileKernels<T> kernels_;
  Matrix<T> a_;
  RunFacts facts_;
};

}  // namespace

bool RunFacts::is_good() const {
  const auto is_small = [](const std::optional<double>& residual) {
    return !residual || *residual <= check_threshold;
  };
  return info == 0 && is_small(factor_residual) && is_small(solution_residual);
}

Result<RunFacts> run(const Options& options, const OpenBlas& blas,
                     const app::Context& context) try {
  context.log.world(
      LogLevel::info,
      fmt::format("{} x {}, precision {}, triangle {}, tiles of {}, grid {}x{}, {}", options.n,
                  options.n, to_string(options.precision), options.uplo == Uplo::lower ? "L" : "U",
                  options.tile, options.grid[0], options.grid[1], blas.description()));
  return with_scalar(options.precision,
                     [&]<Scalar T>() { return Run<T>(options, blas, context)(); });
} catch (const std::exception& error) {
  return std::unexpected(Failure{words_of(error)});
}

}  // namespace thalweg::cholesky
