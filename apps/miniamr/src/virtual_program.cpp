// SPDX-License-Identifier: MIT
#include <thalweg/miniamr/virtual_program.hpp>

#include <algorithm>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include <thalweg/app/execution_options.hpp>
#include <thalweg/app/executor_config.hpp>
#include <thalweg/app/free_memory.hpp>
#include <thalweg/exchange/emit/collectives.hpp>
#include <thalweg/flow/executor.hpp>
#include <thalweg/flow/graph.hpp>
#include <thalweg/flow/recorder.hpp>
#include <thalweg/miniamr/data/checksum.hpp>
#include <thalweg/miniamr/data/initial.hpp>
#include <thalweg/miniamr/data/store.hpp>
#include <thalweg/miniamr/options.hpp>
#include <thalweg/miniamr/refining.hpp>
#include <thalweg/miniamr/reservation.hpp>
#include <thalweg/miniamr/run.hpp>
#include <thalweg/miniamr/time_control.hpp>

#include "graph_of_change.hpp"
#include "presets.hpp"
#include "timestep.hpp"

namespace thalweg::miniamr {
namespace {

/// Refine a mesh without blocks' cells as a run does at its start.
template <class R>
void refine_at_start(const Options& options, Refining<R>& refining) {
  if (options.num_refine > 0 || options.uniform_refine)
    refining.refine(refinement_of(options, options.objects), options.num_refine,
                    [](const Transition&, Purpose) {});
}

/// The mesh after the first refinement is made without blocks' cells, and this rank's graph of the
/// first timestep on it.
void look_at_timestep(const Options& options, const app::Context& context,
                      const app::OnGraph& on_graph) {
  const Rank rank = context.transport.rank();
  const int n_ranks = context.transport.n_ranks();
  exchange::TransportCollectives collectives(context.transport);
  Refining<exchange::TransportCollectives> refining(options, rank, n_ranks, collectives);
  refine_at_start(options, refining);
  const data::Layout layout = refining.layout();
  data::Store store(shape_of(options));
  store.assign(keys_of(layout));
  data::Checksums checksums;
  checksums.last.resize(static_cast<std::size_t>(options.num_vars));
  flow::Recorder recorder(rank, n_ranks);
  const auto stages = stages_of(options, 1, context.execution.executor.n_workers, nullptr, nullptr);
  data::record_timestep(recorder, stages, layout, store, checksums);
  const auto graph = flow::capture(std::move(recorder), context.execution.model);
  on_graph(graph, static_cast<double>(store.size_bytes() + graph.n_bytes()));
}

/// Where objects are when a run refines for the first time after its start.
std::vector<Object> moved_objects(const Options& options) {
  std::vector<Object> objects = options.objects;
  for (int step = 0; step < options.refine_freq; ++step) {
    const double delta = step_length(options, objects);
    for (Object& object : objects) advance(object, delta, options.quirks);
  }
  return objects;
}

/// What a refinement looks like that is made for its graphs alone.
struct SeenRefinement {
  app::MeshWork work;
  std::int64_t ns = 0;  ///< it took, of the context's clock
};

/// The refinement after the one at the start: this rank's graph of each change.
SeenRefinement look_at_refinement(const Options& options, const app::Context& context,
                                  const app::OnChange& on_change) {
  exchange::TransportCollectives collectives(context.transport);
  Refining<exchange::TransportCollectives> refining(options, context.transport.rank(),
                                                    context.transport.n_ranks(), collectives);
  refine_at_start(options, refining);
  const Refinement refinement = refinement_of(options, moved_objects(options));
  auto keys = keys_of(refining.layout());
  constexpr int n_gathered = 2;  // once it is over: blocks by level with a hash, partners
  SeenRefinement seen{.work = {.n_blocks = static_cast<std::int64_t>(keys.size()),
                               .n_collectives = n_gathered - collectives.n_calls()},
                      .ns = -context.clock.now_ns()};
  const auto without_time = [&](const auto& f) {
    const std::int64_t start_ns = context.clock.now_ns();
    f();
    seen.ns -= context.clock.now_ns() - start_ns;
  };
  std::size_t n_changes = 0;
  std::optional<data::Store> store;  // of one change: a run has one all the time
  refining.refine(refinement, options.passes(), [&](const Transition& transition, Purpose) {
    without_time([&] { store.emplace(shape_of(options)).assign(keys); });
    on_change(n_changes++, graph_of_change(transition, *store, context));
    keys = keys_of(transition.layout);
    without_time([&] { store.reset(); });
  });
  seen.ns += context.clock.now_ns();
  seen.work.n_collectives += collectives.n_calls();
  return seen;
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
  options.trace = {};
  return options;
}

/// Read and write so much memory that what was in the cache is there no longer.
void evict_from_cache(std::vector<double>& elsewhere) {
  for (double& x : elsewhere) x += 1;
}

/// Options of refinements that have all kinds of tasks, on eight ranks with a root block each.
Options for_timed_refinements(Options options) {
  options.num_refine = 1;
  options.init = {1, 1, 1};
  options.objects.clear();
  options.inbalance = options.limit_move = 0;
  options.lb_opt = BalanceWhen::each_stage;
  options.ties = TieRule::exact;
  return options;
}

/// Run refinements with steps 1, 2 ... n: all blocks are split, and joined again where they are;
/// then one is, whose children are made on many ranks; then another, for which some of them move;
/// and all are joined again from many ranks. As in a run, where all blocks were swept before, their
/// cells are not in the cache.
void run_refinements(const Options& options, const app::Context& context, std::int64_t n) {
  const Rank rank = context.transport.rank();
  const int n_ranks = context.transport.n_ranks();
  exchange::TransportCollectives collectives(context.transport);
  Refining<exchange::TransportCollectives> refining(options, rank, n_ranks, collectives);
  data::Store store(shape_of(options));
  // Pages that are new take longer than what is first written to them.
  constexpr std::size_t n_most = 16;  // blocks of a rank, with those that are split or joined
  store.reserve(n_most, [memory = app::FreeMemory()] { return memory.is_plenty(); });
  store.assign(keys_of(refining.layout()));
  data::set_hashed(store, options.root_blocks());
  flow::Executor executor(app::executor_config(context, data::scratch_bytes(shape_of(options)),
                                               context.execution.executor.sink),
                          context.transport, context.clock);
  std::vector<double> elsewhere(std::size_t{4} << 20);  // 32 MiB of each rank
  const auto sphere = [](double centre, double radius) {
    return Object{
        .type = 2, .centre = {{centre, centre, centre}}, .size = {{radius, radius, radius}}};
  };
  const Object in_all = sphere(0.5, 0.4), in_first = sphere(0.25, 0.1), in_last = sphere(0.75, 0.1);
  const std::vector<Object> objects[] = {{in_all}, {}, {in_first}, {in_first, in_last}, {}};
  for (std::int64_t step = 1; step <= n; ++step) {
    evict_from_cache(elsewhere);
    const auto apply = [&](const Transition& transition, Purpose) {
      auto graph = graph_of_change(transition, store, context);
      const auto done = executor.run(graph, 1, static_cast<std::uint64_t>(step));
      if (!done) throw std::runtime_error(done.error().message);
      store.end_regrid();
    };
    refining.refine(refinement_of(options, objects[(step - 1) % 5]), 1, apply);
  }
}

/// What a refinement takes for each block beside tasks, on a mesh like that of a rank: the least of
/// some times.
double time_mesh_of_block(Options options, const app::Context& context) {
  options.ranks = {1, 1, 1};
  options.max_blocks.reset();
  constexpr int n_times = 3;
  double least = std::numeric_limits<double>::max();
  for (int n = 0; n < n_times; ++n) {
    const auto seen = look_at_refinement(options, context, [](std::size_t, const flow::Graph&) {});
    least = std::min(least, static_cast<double>(seen.ns) / static_cast<double>(seen.work.n_blocks));
  }
  return least;
}

app::VirtualRefinement refinement_of_run(const Options& options) {
  const auto look = [options](const app::Context& context, const app::OnChange& on_change) {
    return look_at_refinement(options, context, on_change).work;
  };
  const auto run = [options](const app::Context& context, std::int64_t n) {
    // The first one is not heard; six have all kinds of tasks.
    run_refinements(for_timed_refinements(short_run(options, 0)), context,
                    std::max<std::int64_t>(n, 6));
  };
  const auto time = [options](const app::Context& context) {
    return time_mesh_of_block(options, context);
  };
  return {.n_steps = options.refine_freq, .look = look, .run = run, .time_block = time};
}

}  // namespace

app::VirtualProgram virtual_program(std::span<const std::string> words, int n_ranks) {
  const Options options = parse_options(words, n_ranks);
  app::expect_no_latency("--latency_us", options.latency_us);
  if (options.stages_per_ts == 0)
    throw Error("--stages_per_ts 0 (a timestep would have no tasks to predict); give 1 or more");
  const auto look = [options](const app::Context& context, const app::OnGraph& on_graph) {
    look_at_timestep(options, context, on_graph);
  };
  const auto run_timesteps = [options](const app::Context& context, std::int64_t n_steps) {
    if (const auto done = run(short_run(options, n_steps), context); !done)
      throw std::runtime_error(done.error().message);
  };
  app::VirtualProgram program{.n_ranks = n_ranks,
                              .execution = execution_of(options),
                              .look_at_step = look,
                              .n_ranks_timed = 8,
                              .bytes_of_rank_timed = bytes_of_first_blocks(short_run(options, 1)),
                              .run_steps = run_timesteps};
  const bool refines = options.num_refine > 0 && !options.uniform_refine && options.refine_freq > 0;
  if (refines && (options.time || options.refine_freq <= options.timesteps()))
    program.refinement = refinement_of_run(options);
  return program;
}

}  // namespace thalweg::miniamr
