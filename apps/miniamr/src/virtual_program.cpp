// SPDX-License-Identifier: MIT
#include <thalweg/miniamr/virtual_program.hpp>

#include <algorithm>
#include <stdexcept>

#include <thalweg/app/rounds.hpp>
#include <thalweg/flow/graph.hpp>
#include <thalweg/flow/recorder.hpp>
#include <thalweg/miniamr/data/checksum.hpp>
#include <thalweg/miniamr/data/store.hpp>
#include <thalweg/miniamr/options.hpp>
#include <thalweg/miniamr/refining.hpp>
#include <thalweg/miniamr/run.hpp>

#include "presets.hpp"
#include "timestep.hpp"

namespace thalweg::miniamr {
namespace {

/// The mesh after the first refinement is made without blocks' cells, and this rank's graph of the
/// first timestep on it.
void look_at_timestep(const Options& options, const app::Context& context,
                      const app::OnGraph& on_graph) {
  const Rank rank = context.transport.rank();
  const int n_ranks = context.transport.n_ranks();
  app::TransportCollectives collectives(context.transport);
  Refining<app::TransportCollectives> refining(options, rank, n_ranks, collectives);
  if (options.num_refine > 0 || options.uniform_refine)
    refining.refine(refinement_of(options, options.objects), options.num_refine,
                    [](const Transition&, Purpose) {});
  const data::Layout layout = refining.layout();
  data::Store store(shape_of(options));
  store.assign(keys_of(layout));
  data::Checksums checksums;
  checksums.last.resize(static_cast<std::size_t>(options.num_vars));
  flow::Recorder recorder(rank, n_ranks);
  const auto stages = stages_of(options, 1, context.execution.n_workers, nullptr, nullptr);
  data::record_timestep(recorder, stages, layout, store, checksums);
  const auto graph = flow::capture(std::move(recorder), context.execution.model);
  on_graph(graph, static_cast<double>(store.size_bytes() + graph.n_bytes()));
}

/// A run of so many timesteps on eight ranks, which have neighbours across all axes, refined at its
/// start alone. Together they have the root blocks of a rank, as times depend on whether blocks
/// stay in the cache.
Options short_run(Options options, std::int64_t n_steps) {
  options.ranks = {2, 2, 2};
  for (int a = 0; a < 3; ++a) options.init[a] = (options.init[a] + 1) / 2;
  options.num_refine = std::min(options.num_refine, 1);
  options.max_blocks.reset();
  options.refine_freq = 0;
  options.num_tsteps = static_cast<int>(n_steps);
  options.time.reset();
  options.threads = 1;
  options.reports = {false, false, false, false};
  options.plot_freq = options.plotfile_freq = 0;
  options.report_diffusion = options.fingerprint = false;
  return options;
}

}  // namespace

app::VirtualProgram virtual_program(std::span<const std::string> words, int n_ranks) {
  const Options options = parse_options(words, n_ranks);
  if (options.stages_per_ts == 0)
    throw Error("--stages_per_ts 0 (a timestep would have no tasks to predict); give 1 or more");
  const auto look = [options](const app::Context& context, const app::OnGraph& on_graph) {
    look_at_timestep(options, context, on_graph);
  };
  const auto run_timesteps = [options](const app::Context& context, std::int64_t n_steps) {
    if (const auto done = run(short_run(options, n_steps), context); !done)
      throw std::runtime_error(done.error().message);
  };
  return {.n_ranks = n_ranks,
          .execution = execution_of(options),
          .look_at_step = look,
          .n_ranks_timed = 8,
          .run_steps = run_timesteps};
}

}  // namespace thalweg::miniamr
