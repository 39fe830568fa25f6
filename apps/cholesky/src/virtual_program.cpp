// SPDX-License-Identifier: MIT
#include <thalweg/cholesky/virtual_program.hpp>

#include <algorithm>
#include <stdexcept>

#include <thalweg/app/execution_options.hpp>
#include <thalweg/cholesky/cost.hpp>
#include <thalweg/cholesky/dense/factorisation.hpp>
#include <thalweg/cholesky/dense/matrix.hpp>
#include <thalweg/cholesky/dense/open_blas.hpp>
#include <thalweg/cholesky/dense/tile_kernels.hpp>
#include <thalweg/cholesky/options.hpp>
#include <thalweg/cholesky/run.hpp>
#include <thalweg/core/error.hpp>

#include "with_scalar.hpp"

namespace thalweg::cholesky {
namespace {

constexpr std::int64_t most_tile_rows = 8;
constexpr int n_ranks_timed = 2;

/// So many factorisations of a small matrix with the same tiles, on a row of ranks.
Options short_run(Options options, std::int64_t n_times, int n_ranks) {
  options.n = std::min<std::int64_t>(options.n, most_tile_rows * options.tile);
  options.bump = static_cast<double>(options.n);  // so that there is a factor
  options.grid = {{1, n_ranks}};
  options.repeat = n_times;
  options.execution.executor.n_workers = 1;
  options.check = options.fingerprint = false;
  options.trace = "";
  return options;
}

}  // namespace

app::VirtualProgram virtual_program(std::span<const std::string> words, int n_ranks) {
  const Options options = parse_options(words, n_ranks, 0);
  app::expect_no_latency("--latency", options.execution.latency_us);
  const auto loaded = OpenBlas::load();
  if (!loaded) throw Error(loaded.error().message);
  const auto look = [options, blas = *loaded](const app::Context& context,
                                              const app::OnGraph& on_graph) {
    with_scalar(options.precision, [&]<Scalar T>() {
      Matrix<T> matrix(options.layout(), context.transport.rank());
      const TileKernels<T> kernels(blas, options.uplo);
      on_graph(Factorisation<T>(matrix, kernels, options.settings()).graph(),
               bytes_of_rank(options));
    });
  };
  const auto factorise = [options, blas = *loaded](const app::Context& context,
                                                   std::int64_t n_times) {
    const Options brief = short_run(options, n_times, context.transport.n_ranks());
    if (const auto done = run(brief, blas, context); !done)
      throw std::runtime_error(done.error().message);
  };
  return {.n_ranks = n_ranks,
          .execution = options.execution,
          .look_at_step = look,
          .n_ranks_timed = n_ranks_timed,
          .bytes_of_rank_timed = bytes_of_rank(short_run(options, 1, n_ranks_timed)),
          .is_one_step = true,
          .run_steps = factorise};
}

}  // namespace thalweg::cholesky
