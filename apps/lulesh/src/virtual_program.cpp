// SPDX-License-Identifier: MIT
#include <thalweg/lulesh/virtual_program.hpp>

#include <stdexcept>

#include <fmt/format.h>

#include <thalweg/app/execution_options.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/lulesh/options.hpp>
#include <thalweg/lulesh/run.hpp>
#include <thalweg/lulesh/simulation.hpp>

namespace thalweg::lulesh {
namespace {

/// A run of so many cycles, with as many tasks as the options say, and nothing beside.
Options short_run(Options options, std::int64_t n_cycles) {
  options.settings.last_cycle = n_cycles;
  options.execution.executor.n_workers = 1;
  options.is_quiet = true;
  options.writes_vtk = options.prints_times = options.prints_hash = false;
  options.checkpoint = options.restart = "";
  options.checkpoint_interval = 0;
  options.trace = {};
  return options;
}

}  // namespace

app::VirtualProgram virtual_program(std::span<const std::string> words, int n_ranks) {
  const Options options = parse_options(words, n_ranks, 0);
  app::expect_no_latency("--latency", options.execution.latency_us);
  if (!options.restart.empty())
    throw Error(fmt::format("--restart {} (all cycles have the same tasks); leave it out",
                            options.restart));
  const auto look = [options](const app::Context& context, const app::OnGraph& on_graph) {
    const Simulation simulation(options.settings, options.execution.model,
                                context.execution.executor.n_workers, context.transport.rank(),
                                context.transport.n_ranks());
    on_graph(simulation.graph(),
             bytes_of_rank(options.settings.s) + static_cast<double>(simulation.graph().n_bytes()));
  };
  const auto run_cycles = [options](const app::Context& context, std::int64_t n_cycles) {
    if (const auto done = run(short_run(options, n_cycles), context); !done)
      throw std::runtime_error(done.error().message);
  };
  return {.n_ranks = n_ranks,
          .execution = options.execution,
          .size = static_cast<double>(n_ranks),
          .look_at_step = look,
          .n_ranks_timed = 8,  // fewer have no neighbours
          .bytes_of_rank_timed = bytes_of_rank(options.settings.s),
          .run_steps = run_cycles};
}

}  // namespace thalweg::lulesh
