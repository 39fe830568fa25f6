// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <thalweg/app/block_costs.hpp>
#include <thalweg/app/checkpoint.hpp>
#include <thalweg/app/context.hpp>
#include <thalweg/app/memory.hpp>
#include <thalweg/app/problem.hpp>
#include <thalweg/app/rounds.hpp>
#include <thalweg/app/statistics.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/flow/collective.hpp>
#include <thalweg/flow/graph.hpp>
#include <thalweg/mesh/costs.hpp>
#include <thalweg/mesh/regrid.hpp>
#include <thalweg/numerics/system.hpp>
#include <thalweg/step/fill_levels.hpp>
#include <thalweg/step/memory.hpp>
#include <thalweg/step/mesh.hpp>
#include <thalweg/step/record_step.hpp>
#include <thalweg/step/regrid.hpp>
#include <thalweg/step/state.hpp>

namespace thalweg::app {

/// One problem on an adaptive mesh, advanced step by step. Collective: all ranks do the same calls.
///
/// The graph of a step is captured once a mesh and replayed; a regrid that changes nothing keeps
/// it. After a Failure the caller ends all ranks through the transport.
template <class Scheme>
class Simulation {
 public:
  static constexpr int D = Scheme::dim;
  using System = typename Scheme::System;

  /// Build the mesh around the initial data.
  /// @param on_step  called on rank 0 after each step, from some worker
  /// @errors throws Error for settings out of range, std::runtime_error, perhaps on this rank
  /// alone, where a cell's initial state is no state of the system or the first dt fails
  Simulation(const Context& context, Problem<Scheme> problem, const Settings<D>& settings,
             std::function<void(const StepStatistics&)> on_step = {});

  /// Go on from a checkpoint, on any number of ranks, to the same bits.
  /// @errors throws Error, on all ranks alike, where its mesh or components are others than the
  /// problem's; std::runtime_error, perhaps on this rank alone, where it cannot be read
  Simulation(const Context& context, Problem<Scheme> problem, const Settings<D>& settings,
             const Checkpoint& from, std::function<void(const StepStatistics&)> on_step = {});

  const step::Moment& moment() const { return moment_; }
  /// The step after which the mesh was last looked at.
  std::int64_t last_regrid() const { return last_regrid_; }
  const step::Mesh<D>& mesh() const { return *mesh_; }
  const step::State<D>& state() const { return *state_; }
  const Problem<Scheme>& problem() const { return problem_; }
  const Context& context() const { return context_; }
  const flow::Executor& executor() const { return executor_; }
  const flow::Graph& step_graph() const { return *graph_; }
  /// How uneven levels were before and after each regrid since this was made, mean over those that
  /// had the level; by level.
  std::vector<mesh::LevelImbalance> imbalance() const;
  /// Regrids since this was made, whether or not they changed anything.
  int n_regrids() const { return n_regrids_; }
  /// Bytes of cells on this rank.
  std::size_t field_bytes() const { return pools_.cells.size_bytes() + pools_.saved.size_bytes(); }
  /// Bytes of cells, of what is known of the mesh, and of a step's graph with its messages, flux
  /// registers and scratch, on this rank.
  std::size_t held_bytes() const { return static_cast<std::size_t>(held().total()); }
  /// What this rank was expected to hold at most with the mesh that a regrid last took on, and
  /// while it was taken on. 0 without a limit.
  std::size_t expected_bytes() const { return static_cast<std::size_t>(expected_.total()); }
  bool is_over() const { return step::is_over(moment_, settings_.time); }

  /// Advance until a step number is reached or the run is over, regridding on the way.
  /// @errors names the step, and the task and rank that failed; or says, on all ranks alike, that
  /// the next mesh was refused: see is_refused
  Result<void> advance_to(std::int64_t step);
  /// Whether the last failure was a regrid that needs more memory than Settings allow some rank.
  ///
  /// Nothing was changed then, so a checkpoint can be written; a run that goes on from it with a
  /// higher limit, or on more ranks, makes that regrid and comes to the bits of one never stopped.
  bool is_refused() const { return is_refused_; }

  /// Move the mesh with the solution: tag, make the new forest, move blocks. Keeps the graph if no
  /// rank's blocks changed.
  /// @errors as advance_to
  Result<void> regrid();

  /// Fill the ghost cells for who reads neighbours: derived fields.
  Result<void> fill_ghosts();

 private:
  struct Empty {};
  Simulation(Empty, const Context& context, Problem<Scheme> problem, const Settings<D>& settings,
             std::function<void(const StepStatistics&)> on_step);

  std::unexpected<Failure> regrid_failed(const Failure& why) const {
    return std::unexpected(
        Failure{fmt::format("regrid after step {}: {}", moment_.step, why.message)});
  }

  int n_workers() const { return static_cast<int>(executor_.config().n_workers); }
  step::PlanSettings plan_settings() const {
    return {problem_.scheme.n_ghosts, settings_.max_comm_tasks, settings_.prolongation.reach()};
  }
  step::Saved saved() const {
    return numerics::stages_of(problem_.scheme).size() > 1 ? step::Saved::all
                                                           : step::Saved::read_by_finer;
  }
  TransportRounds rounds() { return TransportRounds(context_.transport); }

  struct Before {
    std::optional<step::Mesh<D>> mesh;
    step::State<D> state;
  };
  // Take on a forest: plans, and memory for its blocks, with what can be kept of the mesh and the
  // state before. Returns what is left of these.
  Before adopt(mesh::Forest<D> forest);
  bool is_new(const mesh::Forest<D>& forest);
  double scratch_bytes() const {
    return static_cast<double>(executor_.config().n_workers * executor_.config().scratch_bytes);
  }
  double list_bytes() const {
    return static_cast<double>(step::n_bytes(*mesh_) + step::n_bytes(*state_));
  }
  double step_bytes() const {
    return static_cast<double>(graph_->n_bytes() + executor_.n_bytes_to_run(*graph_));
  }
  Need held() const {
    return {static_cast<double>(field_bytes()), list_bytes() + step_bytes() + scratch_bytes()};
  }
  Need need_of(const mesh::Forest<D>& forest);
  // Say what is wrong with a forest that would take more memory than is allowed, or refuse to begin
  // with what there is. Collective.
  Result<void> check_memory(const mesh::Forest<D>& forest);
  void check_held();
  void set_initial();

  bool is_physical(const typename Scheme::State& state) const {
    for (std::size_t c = 0; c < Scheme::n_components; ++c)
      if (!std::isfinite(numerics::component(state, c))) return false;
    return problem_.scheme.system.admissible(state);
  }

  [[noreturn]] void reject(const typename Scheme::State& state, int level, const Index<D>& cell) {
    std::vector<double> values;
    for (std::size_t c = 0; c < Scheme::n_components; ++c)
      values.push_back(numerics::component(state, c));
    throw std::runtime_error(fmt::format(
        "initial state on rank {} (step 0): cell ({}) on level {} would be ({:g}), which is no "
        "state of the equations; check what the deck says of the problem",
        context_.transport.rank()(), fmt::join(cell.at, ", "), level, fmt::join(values, ", ")));
  }

  Result<std::vector<mesh::Key<D>>> tagged_blocks();
  mesh::PartitionedForest<D> next_forest(const std::vector<mesh::Key<D>>& wanted);
  void note(const std::vector<mesh::LevelImbalance>& imbalance);
  Result<void> run_once(flow::Recorder&& recorder);
  flow::Recorder new_recorder() const {
    return {context_.transport.rank(),
            context_.transport.n_ranks(),
            {.grain = context_.execution.grain}};
  }
  void capture_step(flow::Recorder&& recorder);
  enum class Restrict { no, yes };
  Result<void> prepare_first_step(Restrict restrict_first);

  std::uint64_t revision() const { return mesh_->forest.revision; }

  Context context_;
  Problem<Scheme> problem_;
  Settings<D> settings_;
  step::StepSettings<Scheme> step_settings_;
  step::Pools pools_;
  std::optional<BlockCosts> costs_;  ///< where partitions ask for them
  flow::Executor executor_;
  StepObserver observer_;
  std::optional<step::Mesh<D>> mesh_;
  std::optional<step::State<D>> state_;
  std::optional<flow::Graph> graph_;
  step::Moment moment_;
  std::int64_t last_regrid_ = 0;
  int n_regrids_ = 0;
  std::vector<std::pair<mesh::LevelImbalance, int>> imbalance_;  ///< sums, and of how many regrids
  double once_bytes_ = 0;  ///< of the last graph that was run once, and of its run
  // Of the largest graph of a step so far, whose memory smaller ones have; and what it was made of.
  double most_step_bytes_ = 0;
  double updates_of_most_ = 0;
  Need expected_;
  bool is_refused_ = false;
};

// Outside of the class, as then they are not inline: an explicit instantiation in one file of an
// application spares all others the time to compile kernels.

template <class Scheme>
Simulation<Scheme>::Simulation(Empty, const Context& context, Problem<Scheme> problem,
                               const Settings<D>& settings,
                               std::function<void(const StepStatistics&)> on_step)
    : context_(context),
      problem_(std::move(problem)),
      settings_(settings),
      step_settings_{problem_.scheme,
                     {geometry_of<D>(settings.mesh, problem_.boundaries), problem_.boundaries,
                      problem_.scheme.system, settings.prolongation, problem_.outside,
                      [this] { return moment_.time; }},
                     settings.time,
                     problem_.source},
      pools_{field::BlockPool(
                 field::LevelField<D>::block_size(settings.mesh.block_cells,
                                                  problem_.scheme.n_ghosts, Scheme::n_components),
                 settings.blocks_from),
             field::BlockPool(field::LevelField<D>::block_size(settings.mesh.block_cells, 0,
                                                               Scheme::n_components),
                              settings.blocks_from)},
      costs_(settings.partition.cost == Cost::measured
                 ? std::optional<BlockCosts>(std::in_place, std::vector<std::string>{"advance"},
                                             context.execution.sink)
                 : std::nullopt),
      executor_({.n_workers = context.execution.n_workers,
                 .depth = context.execution.depth,
                 .scratch_bytes = step::scratch_bytes(
                     problem_.scheme, step_settings_.around.geometry, settings.prolongation),
                 .sink = costs_ ? &*costs_ : context.execution.sink,
                 .picker = context.execution.picker,
                 .progress = context.execution.progress,
                 .posting = context.execution.posting,
                 .watchdog_s = context.execution.watchdog_s,
                 .checker = context.execution.checker,
                 .log = &context.log},
                context.transport, context.clock),
      observer_(executor_, context.clock, context.transport.n_ranks(), std::move(on_step)) {
  if (std::ranges::any_of(problem_.boundaries, numerics::is_told) && !problem_.outside)
    throw Error(
        "a boundary is given, but the problem does not say the states outside (nothing can come in "
        "there); set Problem::outside, or another kind of boundary");
}

template <class Scheme>
Simulation<Scheme>::Simulation(const Context& context, Problem<Scheme> problem,
                               const Settings<D>& settings,
                               std::function<void(const StepStatistics&)> on_step)
    : Simulation(Empty{}, context, std::move(problem), settings, std::move(on_step)) {
  auto roots = mesh::dealt_forest(
      mesh::initial_forest(step_settings_.around.geometry, context.transport.rank(),
                           context.transport.n_ranks()),
      rounds(), settings_.partition.partitioner);
  if (const auto fits = check_memory(roots); !fits) throw Error(fits.error().message);
  adopt(std::move(roots));
  set_initial();
  for (int pass = 0; pass < settings_.mesh.max_level; ++pass) {
    const auto wanted = tagged_blocks();
    if (!wanted) throw std::runtime_error(wanted.error().message);
    auto forest = next_forest(*wanted).forest;
    if (!is_new(forest)) break;
    if (const auto fits = check_memory(forest); !fits) throw Error(fits.error().message);
    adopt(std::move(forest));
    set_initial();
  }
  capture_step(new_recorder());
  check_held();
  if (const auto done = prepare_first_step(Restrict::yes); !done)
    throw std::runtime_error(done.error().message);
}

template <class Scheme>
Simulation<Scheme>::Simulation(const Context& context, Problem<Scheme> problem,
                               const Settings<D>& settings, const Checkpoint& from,
                               std::function<void(const StepStatistics&)> on_step)
    : Simulation(Empty{}, context, std::move(problem), settings, std::move(on_step)) {
  const auto& geometry = step_settings_.around.geometry;
  const auto& manifest = from.manifest;
  if (geometry_of<D>(manifest) != geometry || manifest.components.size() != Scheme::n_components)
    throw Error(
        fmt::format("'{}' has another mesh or other components than the problem (a run "
                    "goes on with those it began with); use the deck it was written with",
                    from.path));
  auto forest = read_forest(context_, geometry, from, settings_.partition.partitioner);
  if (!forest) throw Error(forest.error().message);
  if (const auto fits = check_memory(*forest); !fits) throw Error(fits.error().message);
  adopt(std::move(*forest));
  if (const auto done = read_cells(context_, from, *mesh_, *state_); !done)
    throw std::runtime_error(done.error().message);
  // dt follows from the cells and the dt before, so that the end of time may be another one.
  moment_ = {.step = manifest.step,
             .time = manifest.time,
             .dt = manifest.dt_before,
             .dt_before = manifest.dt_before};
  last_regrid_ = manifest.last_regrid;
  capture_step(new_recorder());
  check_held();
  if (const auto done = prepare_first_step(Restrict::no); !done)
    throw std::runtime_error(done.error().message);
}

template <class Scheme>
Result<void> Simulation<Scheme>::advance_to(std::int64_t step) {
  observer_.restart_clock();
  while (!is_over() && moment_.step < step) {
    std::int64_t target = step;
    if (const int interval = settings_.regrid_interval; interval > 0) {
      if (moment_.step > last_regrid_ && moment_.step % interval == 0)
        if (const auto done = regrid(); !done) return done;
      target = std::min(target, (moment_.step / interval + 1) * interval);
    }
    const auto first_step = static_cast<std::uint64_t>(moment_.step + 1);
    const auto n_steps = static_cast<std::uint64_t>(target - moment_.step);
    const auto report = executor_.run(*graph_, n_steps, first_step);
    if (!report) return std::unexpected(report.error());
  }
  return {};
}

template <class Scheme>
Result<void> Simulation<Scheme>::regrid() {
  const auto wanted = tagged_blocks();
  if (!wanted) return regrid_failed(wanted.error());
  auto next = next_forest(*wanted);
  const bool changes = is_new(next.forest);
  if (changes)
    if (const auto fits = check_memory(next.forest); !fits) {
      is_refused_ = true;
      return regrid_failed(fits.error());
    }
  last_regrid_ = moment_.step;
  note(next.imbalance);
  if (!changes) return {};
  auto step_recorder = flow::Recorder::replacing(std::move(*graph_));
  graph_.reset();
  const Before before = adopt(std::move(next.forest));

  flow::Recorder recorder = new_recorder();
  step::record_move(recorder, step_settings_.around, *before.mesh, before.state, *mesh_, *state_,
                    n_workers(), plan_settings(), rounds());
  if (const auto done = run_once(std::move(recorder)); !done) return regrid_failed(done.error());
  capture_step(std::move(step_recorder));
  return {};
}

template <class Scheme>
Result<void> Simulation<Scheme>::fill_ghosts() {
  flow::Recorder recorder = new_recorder();
  const auto levels = step::bind(recorder, *mesh_, *state_, n_workers());
  step::record_fill(recorder, step_settings_.around, *mesh_, levels);
  return run_once(std::move(recorder));
}

template <class Scheme>
typename Simulation<Scheme>::Before Simulation<Scheme>::adopt(mesh::Forest<D> forest) {
  Before before{std::exchange(mesh_, std::nullopt), state_ ? std::move(*state_) : step::State<D>{}};
  mesh_.emplace(step::make_mesh(std::move(forest), plan_settings(), rounds(),
                                before.mesh ? &*before.mesh : nullptr));
  state_.emplace(step::make_state(*mesh_, problem_.scheme.n_ghosts, Scheme::n_components, pools_,
                                  before.state, saved()));
  std::vector<std::int64_t> blocks_per_level;
  std::int64_t zone_updates = 0;
  const std::int64_t cells_per_block = Box<D>{{}, settings_.mesh.block_cells}.n_cells();
  for (int l = 0; l < mesh_->n_levels(); ++l) {
    const std::int64_t n_blocks = mesh_->forest.level(l).n_global;
    blocks_per_level.push_back(n_blocks);
    zone_updates += n_blocks * cells_per_block * mesh_->forest.geometry.ratio_to_root(l);
  }
  observer_.set_mesh(std::move(blocks_per_level), zone_updates);
  return before;
}

template <class Scheme>
bool Simulation<Scheme>::is_new(const mesh::Forest<D>& forest) {
  const int differs = mesh::has_same_blocks(forest, mesh_->forest) ? 0 : 1;
  return flow::all_reduce(context_.transport, differs, std::plus<int>{}) > 0;
}

template <class Scheme>
Need Simulation<Scheme>::need_of(const mesh::Forest<D>& forest) {
  const step::State<D> nothing;
  Need need{.cells = static_cast<double>(
                step::bytes_with(pools_, forest, state_ ? *state_ : nothing, saved()))};
  if (!graph_) return need;  // nothing to go by yet
  const auto moved = context_.transport.n_ranks() == 1
                         ? 0
                         : n_exchanged(mesh_->forest, forest) * sizeof(double) *
                               field::LevelField<D>::block_size(settings_.mesh.block_cells, 0,
                                                                Scheme::n_components);
  const MeanUpkeep mean(context_.transport,
                        {.lists = list_bytes(), .step = most_step_bytes_, .once = once_bytes_},
                        {extent_of(mesh_->forest).blocks, updates_of_most_});
  need.beside = scratch_bytes() + mean.with(extent_of(forest), static_cast<double>(moved));
  return need;
}

template <class Scheme>
Result<void> Simulation<Scheme>::check_memory(const mesh::Forest<D>& forest) {
  if (settings_.memory_limit_bytes == 0) return {};
  const Need need = need_of(forest);
  auto fits = check_limit(context_.transport, need, settings_.memory_limit_bytes);
  if (fits && graph_) expected_ = need;
  return fits;
}

template <class Scheme>
void Simulation<Scheme>::check_held() {
  if (settings_.memory_limit_bytes == 0) return;
  const auto fits = check_limit(context_.transport, held(), settings_.memory_limit_bytes);
  if (!fits) throw Error(fits.error().message);
}

template <class Scheme>
void Simulation<Scheme>::set_initial() {
  const auto& geometry = mesh_->forest.geometry;
  for (int l = 0; l < mesh_->n_levels(); ++l) {
    const auto& level = state_->cells[static_cast<std::size_t>(l)];
    const auto dx = geometry.cell_size(l);
    for (std::size_t b = 0; b < level.size(); ++b) {
      const auto& cells = level.view(b);
      for_each(geometry.cells(level.keys()[b]), [&](const Index<D>& i) {
        const auto state = problem_.initial(geometry.centre(l, i), dx);
        if (!is_physical(state)) reject(state, l, i);
        numerics::store(state, cells.at(0, i), cells.component_stride());
      });
    }
  }
}

template <class Scheme>
auto Simulation<Scheme>::tagged_blocks() -> Result<std::vector<mesh::Key<D>>> {
  flow::Recorder recorder = new_recorder();
  const auto levels = step::bind(recorder, *mesh_, *state_, n_workers());
  const auto tags =
      step::record_tags(recorder, step_settings_.around, *mesh_, levels, problem_.tag);
  if (const auto done = run_once(std::move(recorder)); !done) return std::unexpected(done.error());
  return step::wanted_blocks(mesh_->forest, tags, settings_.regrid_buffer);
}

template <class Scheme>
auto Simulation<Scheme>::next_forest(const std::vector<mesh::Key<D>>& wanted)
    -> mesh::PartitionedForest<D> {
  const mesh::Forest<D>& old = mesh_->forest;
  const auto sets = mesh::nested_sets<D>(old, wanted, rounds());
  const auto weights = costs_ ? mesh::weights_by_cost(old, sets, costs_->take(old), rounds())
                              : mesh::unit_weights(sets);
  return mesh::partition(old, sets, weights, rounds(), settings_.partition.threshold,
                         settings_.partition.partitioner);
}

template <class Scheme>
void Simulation<Scheme>::note(const std::vector<mesh::LevelImbalance>& imbalance) {
  ++n_regrids_;
  if (imbalance_.size() < imbalance.size()) imbalance_.resize(imbalance.size(), {{0, 0}, 0});
  for (std::size_t l = 0; l < imbalance.size(); ++l) {
    auto& [sum, n] = imbalance_[l];
    sum.before += imbalance[l].before;
    sum.after += imbalance[l].after;
    ++n;
  }
}

template <class Scheme>
std::vector<mesh::LevelImbalance> Simulation<Scheme>::imbalance() const {
  std::vector<mesh::LevelImbalance> means;
  for (const auto& [sum, n] : imbalance_) means.push_back({sum.before / n, sum.after / n});
  return means;
}

template <class Scheme>
Result<void> Simulation<Scheme>::run_once(flow::Recorder&& recorder) {
  auto graph = flow::capture(std::move(recorder), context_.execution.model, revision());
  once_bytes_ = static_cast<double>(graph.n_bytes() + executor_.n_bytes_to_run(graph));
  const auto report = executor_.run(graph, 1);
  if (!report) return std::unexpected(report.error());
  return {};
}

template <class Scheme>
void Simulation<Scheme>::capture_step(flow::Recorder&& recorder) {
  const auto levels = step::bind(recorder, *mesh_, *state_, n_workers());
  step::StepRecorder<Scheme>(recorder, step_settings_, *mesh_, levels, moment_)
      .record_step(observer_);
  graph_.emplace(flow::capture(std::move(recorder), context_.execution.model, revision()));
  if (step_bytes() < most_step_bytes_) return;
  most_step_bytes_ = step_bytes();
  updates_of_most_ = extent_of(mesh_->forest).updates;
}

template <class Scheme>
Result<void> Simulation<Scheme>::prepare_first_step(Restrict restrict_first) {
  flow::Recorder recorder = new_recorder();
  const auto levels = step::bind(recorder, *mesh_, *state_, n_workers());
  step::StepRecorder<Scheme> step(recorder, step_settings_, *mesh_, levels, moment_);
  if (restrict_first == Restrict::yes) step.record_restriction();
  step.record_first_dt();
  return run_once(std::move(recorder));
}

}  // namespace thalweg::app
