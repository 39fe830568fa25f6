// SPDX-License-Identifier: MIT
#include <thalweg/lulesh/run.hpp>

#include <algorithm>
#include <bit>
#include <functional>

#include <fmt/format.h>

#include <thalweg/app/check_on_all_ranks.hpp>
#include <thalweg/app/executor_config.hpp>
#include <thalweg/app/tracing.hpp>
#include <thalweg/core/hash.hpp>
#include <thalweg/flow/collective.hpp>
#include <thalweg/flow/executor.hpp>
#include <thalweg/lulesh/simulation.hpp>
#include <thalweg/trace/sink_list.hpp>

namespace thalweg::lulesh {
namespace {

/// Of all elements of a rank, by their numbers among all: those of ranks are added up.
std::uint64_t hash_of(const Simulation& simulation) {
  std::uint64_t sum = 0;
  const auto energy = simulation.energy();
  for (std::uint32_t e = 0; e < energy.size(); ++e)
    sum +=
        hash_number(std::bit_cast<std::uint64_t>(energy[e]), simulation.cube().global_element(e));
  return sum;
}

flow::WorkerTime sum_of_times(const flow::WorkerTime& a, const flow::WorkerTime& b) {
  return {.work_ns = a.work_ns + b.work_ns,
          .overhead_ns = a.overhead_ns + b.overhead_ns,
          .idle_ns = a.idle_ns + b.idle_ns,
          .n_tasks = a.n_tasks + b.n_tasks,
          .n_parks = a.n_parks + b.n_parks,
          .n_late = a.n_late + b.n_late};
}

/// Make sure that the files that a run is to leave can be written, while nothing is lost yet.
void check_targets(const Options& options, const app::Context& context) {
  const auto check = [&](std::string_view option, const std::string& path) {
    Result<void> mine;
    if (context.transport.rank() == Rank(0)) {
      const auto made = io::make_temporary(context.files, path);
      mine = made ? context.files.remove(*made) : std::unexpected(made.error());
    }
    if (const auto all = app::check_on_all_ranks(context.transport, mine); !all)
      throw Error(fmt::format("{}: {}; give another place", option, all.error().message));
  };
  if (!options.checkpoint.empty()) check("--checkpoint", options.checkpoint);
  if (options.writes_vtk) check("--out", options.out + "/lulesh");
}

}  // namespace

Result<RunFacts> run(const Options& options, const app::Context& context) {
  flow::Transport& transport = context.transport;
  const auto say = [&](std::string_view lines) {
    if (!options.is_quiet) context.log.world(LogLevel::info, lines);
  };
  const auto now_s = [&] { return 1e-9 * static_cast<double>(context.clock.now_ns()); };
  check_targets(options, context);
  Simulation simulation(options.settings, options.execution.model, options.execution.n_workers,
                        transport.rank(), transport.n_ranks());
  app::Tracing tracing(options.trace, context.execution.n_workers);
  trace::SinkList sinks{tracing.sink(), context.execution.sink};
  const auto config = app::executor_config(context, simulation.scratch_bytes(), &sinks);
  flow::Executor executor(config, transport, context.clock);
  if (!options.restart.empty())
    if (const auto read = simulation.read_checkpoint(context, options.restart); !read)
      throw Error(fmt::format("--restart: {}; give a file that such a run has written",
                              read.error().message));
  if (simulation.clock().cycle > options.settings.last_cycle)
    throw Error(fmt::format("-i {} (the checkpoint is of cycle {}, behind it); give more cycles",
                            options.settings.last_cycle, simulation.clock().cycle));
  say(first_lines(options, transport.n_ranks()));
  flow::barrier(transport);
  const double start_s = now_s();
  const std::int64_t first_cycle = simulation.clock().cycle;
  // One that is over from the start leaves a checkpoint, too, for what comes after it in a chain.
  do {
    const std::int64_t n_left = options.settings.last_cycle - simulation.clock().cycle;
    const std::int64_t n_cycles =
        options.checkpoint_interval > 0 ? std::min(options.checkpoint_interval, n_left) : n_left;
    const auto done = simulation.run_to(simulation.clock().cycle + n_cycles, executor,
                                        [&](const CycleClock& clock) {
                                          if (options.shows_progress) say(cycle_line(clock));
                                        });
    if (!done) return std::unexpected(done.error());
    if (options.checkpoint.empty() || simulation.clock().fault.check != Check::none) continue;
    if (const auto written = simulation.write_checkpoint(context, options.checkpoint); !written)
      return std::unexpected(written.error());
  } while (!simulation.is_over());
  RunFacts facts{.clock = simulation.clock(),
                 .n_cycles = simulation.clock().cycle - first_cycle,
                 .origin_energy = simulation.energy()[0],
                 .symmetry = symmetry_error(simulation.energy(), options.settings.s)};
  facts.elapsed_s = flow::all_reduce(transport, now_s() - start_s,
                                     [](double a, double b) { return std::max(a, b); });
  facts.time = flow::all_reduce(transport, executor.total_time(), sum_of_times);
  facts.hash = flow::all_reduce(transport, hash_of(simulation), std::plus<std::uint64_t>());
  app::leave_trace(tracing, context, options.trace, "--trace-cycles", first_cycle,
                   facts.clock.cycle);
  if (facts.clock.fault.check != Check::none) {
    context.log.world(LogLevel::error, fault_line(facts.clock));
    return facts;
  }
  if (options.writes_vtk)
    if (const auto written = simulation.write_vtk(context, options.out, options.n_files); !written)
      return std::unexpected(written.error());
  say(last_lines(options, transport.n_ranks(), facts));
  if (options.prints_times) context.log.world(LogLevel::info, time_line(facts.time));
  if (options.prints_hash)
    context.log.world(LogLevel::info, fmt::format("hash {:016x}", facts.hash));
  return facts;
}

}  // namespace thalweg::lulesh
