// SPDX-License-Identifier: MIT
#include <thalweg/lulesh/run.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>

#include <fmt/format.h>

#include <thalweg/app/check_on_all_ranks.hpp>
#include <thalweg/app/executor_config.hpp>
#include <thalweg/app/run_control.hpp>
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

enum class Ending : std::uint8_t { over, stopped };

/// Run to the end, a fault, or until somebody asks to stop. Before the end a checkpoint that cannot
/// be written is a warning.
Result<Ending> run_cycles(const Options& options, const app::Context& context,
                          Simulation& simulation, flow::Executor& executor,
                          const OnCycle& on_cycle) {
  app::RunControl control(context, 0);
  const std::int64_t first = simulation.clock().cycle;
  const std::int64_t every = options.checkpoint_interval;
  bool is_due = false;
  while (!simulation.is_over()) {
    const std::int64_t now = simulation.clock().cycle;
    const auto directives = control.poll(now);
    if (directives.stop) return Ending::stopped;
    if ((is_due || directives.checkpoint) && !options.checkpoint.empty())
      if (const auto written = simulation.write_checkpoint(context, options.checkpoint); !written)
        context.log.world(LogLevel::warn, fmt::format("no checkpoint of cycle {}: {}", now,
                                                      written.error().message));
    const std::int64_t n_cycles = every > 0
                                      ? std::min(directives.n_steps, every - (now - first) % every)
                                      : directives.n_steps;
    const std::int64_t last = now + std::min(n_cycles, options.settings.last_cycle - now);
    if (const auto done = simulation.run_to(last, executor, on_cycle); !done)
      return std::unexpected(done.error());
    is_due = every > 0 && (simulation.clock().cycle - first) % every == 0;
  }
  return Ending::over;
}

}  // namespace

Result<RunFacts> run(const Options& options, const app::Context& context) {
  flow::Transport& transport = context.transport;
  const auto say = [&](std::string_view lines) {
    if (!options.is_quiet) context.log.world(LogLevel::info, lines);
  };
  check_targets(options, context);
  Simulation simulation(options.settings, options.execution.model,
                        options.execution.executor.n_workers, transport.rank(),
                        transport.n_ranks());
  app::Tracing tracing(options.trace, context.execution.executor.n_workers);
  trace::SinkList sinks{tracing.sink(), context.execution.executor.sink};
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
  const double start_s = context.clock.now_s();
  const std::int64_t first_cycle = simulation.clock().cycle;
  const auto ending =
      run_cycles(options, context, simulation, executor, [&](const CycleClock& clock) {
        if (options.shows_progress) say(cycle_line(clock));
      });
  if (!ending) return std::unexpected(ending.error());
  RunFacts facts{.clock = simulation.clock(),
                 .is_stopped = *ending == Ending::stopped,
                 .n_cycles = simulation.clock().cycle - first_cycle,
                 .origin_energy = simulation.energy()[0],
                 .symmetry = symmetry_error(simulation.energy(), options.settings.s)};
  facts.elapsed_s = flow::all_reduce(transport, context.clock.now_s() - start_s,
                                     [](double a, double b) { return std::max(a, b); });
  facts.time = flow::all_reduce(transport, executor.total_time(), sum_of_times);
  facts.hash = flow::all_reduce(transport, hash_of(simulation), std::plus<std::uint64_t>());
  app::leave_trace(tracing, context, options.trace, "--trace-cycles", first_cycle,
                   facts.clock.cycle);
  if (facts.clock.fault.check != Check::none) {
    context.log.world(LogLevel::error, fault_line(facts.clock));
    return facts;
  }
  if (!facts.is_stopped) {
    say(last_lines(options, transport.n_ranks(), facts));
    if (options.prints_times) context.log.world(LogLevel::info, time_line(facts.time));
    if (options.prints_hash)
      context.log.world(LogLevel::info, fmt::format("hash {:016x}", facts.hash));
  }
  // Behind the results, which are not lost with a file. A run that was over from the start leaves
  // a checkpoint, too, for what comes after it in a chain.
  if (!options.checkpoint.empty())
    if (const auto written = simulation.write_checkpoint(context, options.checkpoint); !written)
      return std::unexpected(written.error());
  if (facts.is_stopped)
    context.log.world(LogLevel::warn, fmt::format("stopped after cycle {} (as it was asked); go on "
                                                  "with --restart {}",
                                                  facts.clock.cycle, options.checkpoint));
  else if (options.writes_vtk)
    if (const auto written = simulation.write_vtk(context, options.out, options.n_files); !written)
      return std::unexpected(written.error());
  return facts;
}

}  // namespace thalweg::lulesh
