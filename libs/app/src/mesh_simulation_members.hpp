// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <thalweg/app/plot.hpp>
#include <thalweg/app/mesh_simulation.hpp>
#include <thalweg/app/totals.hpp>
#include <thalweg/flow/collective.hpp>
#include <thalweg/mesh/costs.hpp>
#include <thalweg/mesh/regrid.hpp>
#include <thalweg/step/fill_levels.hpp>
#include <thalweg/step/initial.hpp>
#include <thalweg/step/memory.hpp>
#include <thalweg/step/record_step.hpp>
#include <thalweg/step/regrid.hpp>

namespace thalweg::app {

template <int D>
MeshSimulation<D>::MeshSimulation(const Context& context, BlockProblem<D> problem,
                                  const Settings<D>& settings, OnStep on_step)
    : context_(context),
      problem_(std::move(problem)),
      settings_(settings),
      step_settings_{problem_.equations, settings.time, problem_.source, problem_.rate},
      pools_{field::BlockPool(field::LevelField<D>::block_size(settings.mesh.block_cells,
                                                               equations().n_ghosts(),
                                                               equations().n_components()),
                              settings.blocks_from),
             field::BlockPool(field::LevelField<D>::block_size(settings.mesh.block_cells, 0,
                                                               equations().n_components()),
                              settings.blocks_from)},
      costs_(settings.partition.cost == Cost::measured
                 ? std::optional<BlockCosts>(std::in_place, std::vector<std::string>{"advance"},
                                             context.execution.sink)
                 : std::nullopt),
      executor_({.n_workers = context.execution.n_workers,
                 .depth = context.execution.depth,
                 .scratch_bytes = step::scratch_bytes(equations(), problem_.geometry),
                 .sink = costs_ ? &*costs_ : context.execution.sink,
                 .picker = context.execution.picker,
                 .progress = context.execution.progress,
                 .posting = context.execution.posting,
                 .watchdog_s = context.execution.watchdog_s,
                 .checker = context.execution.checker,
                 .log = &context.log},
                context.transport, context.clock),
      observer_(executor_, context.clock, context.transport.n_ranks(), std::move(on_step)) {}

template <int D>
Result<void> MeshSimulation<D>::build_mesh() {
  auto roots = mesh::reassigned_forest(
      mesh::initial_forest(problem_.geometry, context_.transport.rank(),
                           context_.transport.n_ranks(), collectives_,
                           settings_.partition.directory_for(context_.transport.n_ranks())),
      collectives_, settings_.partition.partitioner);
  if (const auto fits = check_memory(roots); !fits) throw Error(fits.error().message);
  install_mesh(std::move(roots));
  if (auto done = set_initial(); !done) return done;
  for (int pass = 0; pass < settings_.mesh.max_level; ++pass) {
    const auto wanted = tagged_blocks();
    const Result<void> mine =
        wanted ? Result<void>() : Result<void>(std::unexpected(wanted.error()));
    if (auto all = check_on_all_ranks(context_.transport, mine); !all) return all;
    auto forest = next_forest(*wanted).forest;
    if (!is_new(forest)) break;
    if (const auto fits = check_memory(forest); !fits) throw Error(fits.error().message);
    install_mesh(std::move(forest));
    if (auto done = set_initial(); !done) return done;
  }
  return prepare(true);
}

template <int D>
Result<void> MeshSimulation<D>::read(const Checkpoint& from) {
  const auto& geometry = problem_.geometry;
  const auto& manifest = from.manifest;
  if (geometry_of<D>(manifest) != geometry || std::ssize(manifest.components) != equations().n_components())
    throw Error(
        fmt::format("'{}' has another mesh or other components than the problem (a run "
                    "goes on with those it began with); use the deck it was written with",
                    from.path));
  auto forest = read_forest(context_, geometry, from, settings_.partition);
  if (!forest) throw Error(forest.error().message);
  if (const auto fits = check_memory(*forest); !fits) throw Error(fits.error().message);
  install_mesh(std::move(*forest));
  if (auto done =
          check_on_all_ranks(context_.transport, read_cells(context_, from, *mesh_, *state_));
      !done)
    return done;
  // dt follows from the cells and the dt before, so that the end of time may be another one.
  time_state_ = {.step = manifest.step,
                 .time = manifest.time,
                 .dt = manifest.dt_before,
                 .dt_before = manifest.dt_before};
  last_regrid_ = manifest.last_regrid;
  return prepare(false);
}

template <int D>
Result<void> MeshSimulation<D>::prepare(bool restricts) {
  capture_step(new_recorder());
  check_held();
  flow::Recorder recorder = new_recorder();
  const auto levels = step::bind(recorder, *mesh_, *state_, n_workers());
  step::StepRecorder<D> step(recorder, step_settings_, *mesh_, levels, time_state_);
  if (restricts) step.record_restriction();
  step.record_first_dt();
  return run_once(std::move(recorder));
}

template <int D>
Result<void> MeshSimulation<D>::advance_to(std::int64_t step) {
  observer_.restart_clock();
  while (!is_over() && time_state_.step < step) {
    std::int64_t target = step;
    if (const int interval = settings_.regrid_interval; interval > 0) {
      if (time_state_.step > last_regrid_ && time_state_.step % interval == 0)
        if (const auto done = regrid(); !done) return done;
      target = std::min(target, (time_state_.step / interval + 1) * interval);
    }
    const auto first_step = static_cast<std::uint64_t>(time_state_.step + 1);
    const auto n_steps = static_cast<std::uint64_t>(target - time_state_.step);
    const auto report = executor_.run(*graph_, n_steps, first_step);
    if (!report) return std::unexpected(report.error());
  }
  return {};
}

template <int D>
Result<void> MeshSimulation<D>::regrid() {
  const auto wanted = tagged_blocks();
  if (!wanted) return regrid_failed(wanted.error());
  auto next = next_forest(*wanted);
  const bool changes = is_new(next.forest);
  if (changes)
    if (const auto fits = check_memory(next.forest); !fits) {
      is_refused_ = true;
      return regrid_failed(fits.error());
    }
  last_regrid_ = time_state_.step;
  record_imbalance(next.imbalance);
  if (!changes) return {};
  auto step_recorder = flow::Recorder::replacing(std::move(*graph_));
  graph_.reset();
  const Before before = install_mesh(std::move(next.forest));

  flow::Recorder recorder = new_recorder();
  step::record_move(recorder, boundary(), *before.mesh, before.state, *mesh_, *state_,
                    n_workers(), plan_settings(), problem_.refined, time_state_.time, collectives_);
  if (const auto done = run_once(std::move(recorder)); !done) return regrid_failed(done.error());
  capture_step(std::move(step_recorder));
  return {};
}

template <int D>
Result<void> MeshSimulation<D>::fill_ghosts() {
  flow::Recorder recorder = new_recorder();
  const auto levels = step::bind(recorder, *mesh_, *state_, n_workers());
  step::record_fill(recorder, boundary(), *mesh_, levels);
  return run_once(std::move(recorder));
}

template <int D>
typename MeshSimulation<D>::Before MeshSimulation<D>::install_mesh(mesh::Forest<D> forest) {
  Before before{std::exchange(mesh_, std::nullopt), state_ ? std::move(*state_) : step::State<D>{}};
  mesh_.emplace(step::make_mesh(std::move(forest), plan_settings(), collectives_,
                                before.mesh ? &*before.mesh : nullptr));
  state_.emplace(step::make_state(*mesh_, equations().n_ghosts(), equations().n_components(), pools_,
                                  before.state, saved()));
  std::vector<std::int64_t> blocks_per_level;
  std::int64_t block_updates = 0;
  std::int64_t n_covered = 0;
  const std::int64_t cells_per_block = Box<D>{{}, settings_.mesh.block_cells}.n_cells();
  for (int l = 0; l < mesh_->n_levels(); ++l) {
    const std::int64_t n_blocks = mesh_->forest.level(l).n_global;
    blocks_per_level.push_back(n_blocks);
    block_updates += n_blocks * step::n_substeps(mesh_->forest.geometry, l, settings_.time);
    n_covered += mesh_->n_covered(l);
  }
  if (!settings_.time.subcycle)
    block_updates -= flow::all_reduce(context_.transport, n_covered, std::plus<std::int64_t>{});
  observer_.set_mesh(std::move(blocks_per_level), block_updates * cells_per_block);
  return before;
}

template <int D>
bool MeshSimulation<D>::is_new(const mesh::Forest<D>& forest) {
  const int differs = mesh::has_same_blocks(forest, mesh_->forest) ? 0 : 1;
  return flow::all_reduce(context_.transport, differs, std::plus<int>{}) > 0;
}

template <int D>
Need MeshSimulation<D>::need_of(const mesh::Forest<D>& forest) {
  const step::State<D> nothing;
  Need need{.cells = static_cast<double>(
                step::bytes_with(pools_, forest, state_ ? *state_ : nothing, saved()))};
  if (!graph_) return need;  // nothing to go by yet
  const auto moved = context_.transport.n_ranks() == 1
                         ? 0
                         : n_exchanged(mesh_->forest, forest) * sizeof(double) *
                               field::LevelField<D>::block_size(settings_.mesh.block_cells, 0,
                                                                equations().n_components());
  const MeanUpkeep mean(context_.transport,
                        {.lists = list_bytes(), .step = most_step_bytes_, .once = once_bytes_},
                        {extent_of(mesh_->forest, settings_.time).blocks, updates_of_most_});
  need.beside =
      scratch_bytes() + mean.with(extent_of(forest, settings_.time), static_cast<double>(moved));
  return need;
}

template <int D>
Result<void> MeshSimulation<D>::check_memory(const mesh::Forest<D>& forest) {
  if (memory_limit() == 0) return {};
  const Need need = need_of(forest);
  auto fits = check_limit(context_.transport, need, memory_limit());
  if (fits && graph_) expected_ = need;
  return fits;
}

template <int D>
void MeshSimulation<D>::check_held() {
  if (memory_limit() == 0) return;
  const auto fits = check_limit(context_.transport, held(), memory_limit());
  if (!fits) throw Error(fits.error().message);
}

template <int D>
Result<void> MeshSimulation<D>::set_initial() {
  flow::Recorder recorder = new_recorder();
  const auto levels = step::bind(recorder, *mesh_, *state_, n_workers());
  step::record_initial(recorder, mesh_->forest.geometry, problem_.equations, levels,
                       problem_.initial, time_state_.time);
  return check_on_all_ranks(context_.transport, run_once(std::move(recorder)));
}

template <int D>
auto MeshSimulation<D>::tagged_blocks() -> Result<std::vector<mesh::Key<D>>> {
  if (!problem_.tag) return std::vector<mesh::Key<D>>{};
  flow::Recorder recorder = new_recorder();
  const auto levels = step::bind(recorder, *mesh_, *state_, n_workers());
  const auto tags = step::record_tags(recorder, boundary(), *mesh_, levels, problem_.tag,
                                      time_state_.time);
  if (const auto done = run_once(std::move(recorder)); !done) return std::unexpected(done.error());
  return step::wanted_blocks(mesh_->forest, tags, settings_.regrid_buffer);
}

template <int D>
auto MeshSimulation<D>::next_forest(const std::vector<mesh::Key<D>>& wanted)
    -> mesh::PartitionedForest<D> {
  const mesh::Forest<D>& old = mesh_->forest;
  const auto sets = mesh::nested_sets<D>(old, wanted, collectives_);
  const auto weights = costs_ ? mesh::weights_by_cost(old, sets, costs_->take(old), collectives_)
                              : mesh::unit_weights(sets);
  return mesh::partition(old, sets, weights, collectives_, settings_.partition.threshold,
                         settings_.partition.partitioner);
}

template <int D>
void MeshSimulation<D>::record_imbalance(const std::vector<mesh::LevelImbalance>& imbalance) {
  ++n_regrids_;
  if (imbalance_.size() < imbalance.size()) imbalance_.resize(imbalance.size(), {{0, 0}, 0});
  for (std::size_t l = 0; l < imbalance.size(); ++l) {
    auto& [sum, n] = imbalance_[l];
    sum.before += imbalance[l].before;
    sum.after += imbalance[l].after;
    ++n;
  }
}

template <int D>
std::vector<mesh::LevelImbalance> MeshSimulation<D>::imbalance() const {
  std::vector<mesh::LevelImbalance> means;
  for (const auto& [sum, n] : imbalance_) means.push_back({sum.before / n, sum.after / n});
  return means;
}

template <int D>
Result<void> MeshSimulation<D>::run_once(flow::Recorder&& recorder) {
  auto graph = flow::capture(std::move(recorder), context_.execution.model, revision());
  once_bytes_ = static_cast<double>(graph.n_bytes() + executor_.n_bytes_to_run(graph));
  const auto report = executor_.run(graph, 1);
  if (!report) return std::unexpected(report.error());
  return {};
}

template <int D>
void MeshSimulation<D>::capture_step(flow::Recorder&& recorder) {
  const auto levels = step::bind(recorder, *mesh_, *state_, n_workers());
  step::StepRecorder<D>(recorder, step_settings_, *mesh_, levels, time_state_)
      .record_step(observer_);
  graph_.emplace(flow::capture(std::move(recorder), context_.execution.model, revision()));
  const double bytes = step_bytes();
  if (bytes < most_step_bytes_) return;
  most_step_bytes_ = bytes;
  updates_of_most_ = extent_of(mesh_->forest, settings_.time).updates;
}

template <int D>
CostEstimate MeshSimulation<D>::cost() const {
  const auto sum = [&](auto x) {
    return static_cast<double>(flow::all_reduce(context_.transport, x, std::plus<decltype(x)>{}));
  };
  CostEstimate estimate;
  const auto& forest = mesh_->forest;
  const double block_bytes = sizeof(double) * static_cast<double>(field::LevelField<D>::block_size(
                                                  settings_.mesh.block_cells,
                                                  equations().n_ghosts(), equations().n_components()));
  const std::int64_t block_cells = Box<D>{{}, settings_.mesh.block_cells}.n_cells();
  for (int l = 0; l < forest.n_levels(); ++l) {
    const std::int64_t n_blocks = forest.level(l).n_global;
    const double n_idle = settings_.time.subcycle ? 0 : sum(mesh_->n_covered(l));
    const auto n_substeps =
        static_cast<double>(step::n_substeps(forest.geometry, l, settings_.time));
    estimate.levels.push_back({.n_blocks = n_blocks,
                               .n_cells = n_blocks * block_cells,
                               .updates = n_substeps * static_cast<double>(block_cells) *
                                          (static_cast<double>(n_blocks) - n_idle),
                               .bytes = static_cast<double>(n_blocks) * block_bytes});
  }
  estimate.field_bytes = sum(std::uint64_t{field_bytes()});
  estimate.held_bytes = sum(std::uint64_t{held_bytes()});
  return estimate;
}

template <int D>
auto MeshSimulation<D>::series_fields() const -> std::vector<DerivedField<D>> {
  std::vector<DerivedField<D>> fields;
  for (const auto& field : problem_.derived)
    if (field.reads == Reads::cell) fields.push_back(field);
  return fields;
}

template <int D>
std::vector<io::Column> MeshSimulation<D>::series_columns() const {
  std::vector<io::Column> columns{{"time", "time"}, {"dt", "time"}};
  const auto add_extrema = [&](const std::string& name, const std::string& unit) {
    columns.push_back({name + " min", unit});
    columns.push_back({name + " max", unit});
  };
  const auto& units = problem_.component_units;
  for (std::size_t c = 0; c < units.size(); ++c) {
    const auto& name = problem_.component_names[c];
    columns.push_back({name + " total", units[c]});
    add_extrema(name, units[c].empty() ? "" : units[c] + "/volume");
  }
  for (const auto& field : series_fields()) add_extrema(field.name, field.unit);
  return columns;
}

template <int D>
std::vector<double> MeshSimulation<D>::series_values() const {
  const auto sums = totals();
  const auto ranges =
      extremes(context_.transport, *mesh_, *state_, equations().n_components(), series_fields());
  std::vector<double> values{time_state_.time, time_state_.dt_before};
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    if (i < sums.size()) values.push_back(sums[i]);
    values.insert(values.end(), {ranges[i].min, ranges[i].max});
  }
  return values;
}

template <int D>
std::vector<double> MeshSimulation<D>::totals() const {
  return app::totals(context_.transport, *mesh_, *state_, equations().n_components());
}

template <int D>
Result<void> MeshSimulation<D>::write_plot(const PlotRequest& request) {
  std::vector<DerivedField<D>> derived;
  for (const auto& name : request.derived)
    for (const auto& field : problem_.derived)
      if (field.name == name || (!name.empty() && field.group == name)) derived.push_back(field);
  if (std::ranges::any_of(derived, [](const auto& f) { return f.reads == Reads::neighbours; }))
    if (auto filled = fill_ghosts(); !filled) return filled;
  return app::write_plot(context_, *mesh_, *state_, time_state_,
                         {request.path, problem_.component_names, request.ranks_per_file}, derived);
}

template <int D>
Result<Checkpoint> MeshSimulation<D>::write_checkpoint(const CheckpointTarget& target) const {
  return app::write_checkpoint(context_, *mesh_, *state_, time_state_, last_regrid_, target);
}

}  // namespace thalweg::app
