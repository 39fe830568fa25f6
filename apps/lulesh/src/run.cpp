// SPDX-License-Identifier: MIT
#include <thalweg/lulesh/run.hpp>

#include <algorithm>
#include <bit>
#include <functional>

#include <fmt/format.h>

#include <thalweg/app/executor_config.hpp>
#include <thalweg/core/hash.hpp>
#include <thalweg/flow/collective.hpp>
#include <thalweg/flow/executor.hpp>
#include <thalweg/lulesh/simulation.hpp>

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

}  // namespace

app::Execution execution_of(const Options& options) {
  return {.model = options.model, .n_workers = options.workers(), .latency_us = options.latency_us};
}

Result<RunFacts> run(const Options& options, const app::Context& context) {
  flow::Transport& transport = context.transport;
  const auto say = [&](std::string_view lines) {
    if (!options.is_quiet) context.log.world(LogLevel::info, lines);
  };
  const auto now_s = [&] { return 1e-9 * static_cast<double>(context.clock.now_ns()); };
  say(first_lines(options, transport.n_ranks()));
  Simulation simulation(options.settings, options.model, options.workers(), transport.rank(),
                        transport.n_ranks());
  flow::Executor executor(
      app::executor_config(context, simulation.scratch_bytes(), context.execution.sink), transport,
      context.clock);
  flow::barrier(transport);
  const double start_s = now_s();
  const auto done = simulation.run(executor, [&](const CycleClock& clock) {
    if (options.shows_progress) say(cycle_line(clock));
  });
  if (!done) return std::unexpected(done.error());
  RunFacts facts{.clock = simulation.clock(),
                 .origin_energy = simulation.energy()[0],
                 .symmetry = symmetry_error(simulation.energy(), options.settings.s)};
  facts.elapsed_s = flow::all_reduce_unordered(
      transport, now_s() - start_s, [](double a, double b) { return std::max(a, b); }, 0.0);
  facts.hash = flow::all_reduce_unordered(transport, hash_of(simulation),
                                          std::plus<std::uint64_t>(), std::uint64_t{0});
  if (facts.clock.fault.check != Check::none) {
    context.log.world(LogLevel::error, fault_line(facts.clock));
    return facts;
  }
  say(last_lines(options, transport.n_ranks(), facts));
  if (options.prints_hash)
    context.log.world(LogLevel::info, fmt::format("hash {:016x}", facts.hash));
  return facts;
}

}  // namespace thalweg::lulesh
