// SPDX-License-Identifier: MIT
#include <thalweg/hpccg/run.hpp>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <vector>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <thalweg/app/executor_config.hpp>
#include <thalweg/app/tracing.hpp>
#include <thalweg/core/exception_words.hpp>
#include <thalweg/core/hash.hpp>
#include <thalweg/flow/collective.hpp>
#include <thalweg/flow/combine.hpp>
#include <thalweg/flow/executor.hpp>
#include <thalweg/hpccg/solver/conjugate_gradient.hpp>
#include <thalweg/hpccg/solver/stencil.hpp>
#include <thalweg/hpccg/task_times.hpp>
#include <thalweg/trace/sink_list.hpp>

namespace thalweg::hpccg {
namespace {

/// The solution and the residuals of a run, as they come.
class Run {
 public:
  Run(const Options& options, const app::Context& context) : o_(options), context_(context) {}

  RunFacts operator()() {
    const Grid grid(o_.n, o_.ranks, context_.transport.rank());
    switch (o_.format) {
      case Format::csr:
        solve(CsrStencil(grid));
        break;
      case Format::sell:
        solve(SellStencil(grid));
        break;
      case Format::free:
        solve(MatrixFreeStencil(grid));
        break;
    }
    report();
    return facts_;
  }

 private:
  void say(std::string_view line) const { context_.log.world(LogLevel::info, line); }

  template <SparseOperator A>
  void solve(const A& a) {
    const auto n_rows = static_cast<std::size_t>(a.n_rows());
    LargeVector<double> b(n_rows);
    LargeVector<double> x(n_rows);
    set_right_hand_side(a.grid(), b);
    const double setup_s = context_.clock.now_s();
    ConjugateGradient solver(a, b, x, o_.settings(), context_.transport.rank(),
                             context_.transport.n_ranks());
    app::Tracing tracing({.file = o_.trace}, context_.execution.executor.n_workers);
    TaskTimes times(context_.execution.executor.n_workers);
    trace::SinkList sinks{&times, tracing.sink(), context_.execution.executor.sink};
    const auto config = app::executor_config(context_, 0, &sinks);
    flow::Executor executor(config, context_.transport, context_.clock);
    flow::barrier(context_.transport);
    const double start_s = context_.clock.now_s();
    const auto done = solver.solve(executor, [&](std::int64_t k, double r) { note(k, r); });
    if (!done) throw std::runtime_error(done.error().message);
    facts_.total_s = context_.clock.now_s() - start_s;
    facts_.setup_s = start_s - setup_s;
    facts_.solution = *done;
    facts_.ddot_s = times.seconds(Part::ddot);
    facts_.waxpby_s = times.seconds(Part::waxpby);
    facts_.sparsemv_s = times.seconds(Part::sparsemv);
    facts_.exchange_s = times.seconds(Part::exchange);
    look_at(a.grid(), x);
    app::leave_trace(tracing, context_, {.file = o_.trace}, "--trace", 0, done->n_iterations);
  }

  /// Print a residual where the reference does.
  void note(std::int64_t k, double residual) {
    facts_.residuals_hash =
        hash_number(std::bit_cast<std::uint64_t>(residual), facts_.residuals_hash);
    const std::int64_t every = std::clamp<std::int64_t>(o_.max_iter / 10, 1, 50);
    if (k == 0)
      say(fmt::format("Initial Residual = {:.{}g}", residual, o_.digits));
    else if (k % every == 0 || k + 1 == o_.max_iter)
      say(fmt::format("Iteration = {}   Residual = {:.{}g}", k, residual, o_.digits));
  }

  /// Error and hash of the solution, of all ranks.
  void look_at(const Grid& grid, std::span<const double> x) {
    struct Seen {
      double error = 0;
      std::uint64_t hash = 0;
      double reduce_s = 0;
    } mine{.reduce_s = facts_.ddot_s};
    const Index<3> n = grid.n();
    const Index<3> at = grid.position();
    std::size_t row = 0;
    for (int z = 0; z < n[2]; ++z)
      for (int y = 0; y < n[1]; ++y)
        for (int i = 0; i < n[0]; ++i, ++row) {
          mine.error = flow::Max{}(mine.error, std::abs(x[row] - 1));
          std::uint64_t point = 0;
          for (const auto& [here, axis] : {std::pair{i, 0}, {y, 1}, {z, 2}})
            point = hash_number(
                static_cast<std::uint64_t>(here + static_cast<std::int64_t>(at[axis]) * n[axis]),
                point);
          mine.hash += hash_number(std::bit_cast<std::uint64_t>(x[row]), point);
        }
    const auto all = flow::all_gather(context_.transport, mine);
    facts_.least_reduce_s = facts_.most_reduce_s = mine.reduce_s;
    for (const Seen& rank : all) {
      facts_.largest_error = flow::Max{}(facts_.largest_error, rank.error);
      facts_.solution_hash += rank.hash;
      facts_.least_reduce_s = std::min(facts_.least_reduce_s, rank.reduce_s);
      facts_.most_reduce_s = std::max(facts_.most_reduce_s, rank.reduce_s);
      facts_.mean_reduce_s += rank.reduce_s / static_cast<double>(all.size());
    }
  }

  void report() const {
    if (o_.fingerprint)
      say(fmt::format("residuals {:016x}\nsolution {:016x}", facts_.residuals_hash,
                      facts_.solution_hash));
    if (context_.transport.rank() != Rank()) return;
    const std::string text = report_yaml(o_, facts_);
    // First where nothing can go wrong; the log ends the last line.
    say(std::string_view(text).substr(0, text.size() - 1));
    const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
    const auto name = fmt::format("{}/hpccg-1.0_{:%Y_%m_%d__%H_%M_%S}", o_.out,
                                  fmt::gmtime(std::chrono::system_clock::to_time_t(now)));
    // One that ended in the same second keeps its report.
    std::string path = name + ".yaml";
    for (int i = 2; context_.files.status(path).value_or(std::nullopt); ++i)
      path = fmt::format("{}_{}.yaml", name, i);
    if (const auto done = io::write_text(context_.files, path, text); !done)
      throw std::runtime_error(done.error().message);
  }

  const Options& o_;
  app::Context context_;
  RunFacts facts_;
};

}  // namespace

Result<RunFacts> run(const Options& options, const app::Context& context) try {
  return Run(options, context)();
} catch (const std::exception& error) {
  return std::unexpected(Failure{words_of(error)});
}

}  // namespace thalweg::hpccg
