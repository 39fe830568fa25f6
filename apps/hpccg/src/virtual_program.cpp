// SPDX-License-Identifier: MIT
#include <thalweg/hpccg/virtual_program.hpp>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include <thalweg/app/execution_options.hpp>
#include <thalweg/hpccg/cost.hpp>
#include <thalweg/hpccg/options.hpp>
#include <thalweg/hpccg/run.hpp>
#include <thalweg/hpccg/solver/conjugate_gradient.hpp>
#include <thalweg/hpccg/solver/stencil.hpp>

namespace thalweg::hpccg {
namespace {

/// At most two ranks on each axis, which pack rows as those of a larger grid do.
Index<3> timed_grid(const Options& options) {
  return {{std::min(options.ranks[0], 2), std::min(options.ranks[1], 2), 2}};
}

/// A run of so many iterations, in blocks as the options say.
Options short_run(Options options, std::int64_t n_iterations) {
  options.blocks = options.settings().n_blocks;
  options.ranks = timed_grid(options);
  options.max_iter = n_iterations + 1;
  options.execution.executor.n_workers = 1;
  options.fingerprint = false;
  options.out = ".";
  options.trace = "";
  return options;
}

}  // namespace

app::VirtualProgram virtual_program(std::span<const std::string> words, int n_ranks) {
  const Options options = parse_options(words, n_ranks, 0);
  app::expect_no_latency("--latency", options.execution.latency_us);
  const auto look = [options](const app::Context& context, const app::OnGraph& on_graph) {
    // However the matrix is stored, tasks and messages are the same.
    const MatrixFreeStencil a(Grid(options.n, options.ranks, context.transport.rank()));
    const auto n_rows = static_cast<std::size_t>(a.n_rows());
    const std::vector<double> b(n_rows);
    std::vector<double> x(n_rows);
    const ConjugateGradient solver(a, b, x, options.settings(), context.transport.rank(),
                                   context.transport.n_ranks());
    on_graph(solver.iteration(),
             bytes_of_rank(options) + static_cast<double>(solver.iteration().n_bytes()));
  };
  const auto run_iterations = [options](const app::Context& context, std::int64_t n_iterations) {
    if (const auto done = run(short_run(options, n_iterations), context); !done)
      throw std::runtime_error(done.error().message);
  };
  return {.n_ranks = n_ranks,
          .execution = options.execution,
          .size = static_cast<double>(n_ranks),
          .look_at_step = look,
          .n_ranks_timed = product(timed_grid(options)),
          .bytes_of_rank_timed = bytes_of_rank(options),
          .run_steps = run_iterations};
}

}  // namespace thalweg::hpccg
