// SPDX-License-Identifier: MIT
// What a simulation is made of, and its steps. Included by mesh_simulation_*d.cpp.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <thalweg/app/check_on_all_ranks.hpp>
#include <thalweg/app/executor_config.hpp>
#include <thalweg/app/mesh_simulation.hpp>
#include <thalweg/flow/collective.hpp>
#include <thalweg/mesh/regrid.hpp>
#include <thalweg/step/fill_levels.hpp>
#include <thalweg/step/initial.hpp>
#include <thalweg/step/initial_tags.hpp>
#include <thalweg/step/record_step.hpp>

#include "first_failure.hpp"

namespace thalweg::app {

namespace detail {

/// Where the memory of the state comes from.
template <int D>
step::Pools make_pools(const BlockProblem<D>& problem, const Settings<D>& settings,
                       const Context& context) {
  using Field = field::LevelField<D>;
  const step::Equations<D>& equations = *problem.equations;
  const auto& block_cells = settings.mesh.block_cells;
  const auto rule = settings.join_blocks
                        ? step::join_rule(equations, settings.time,
                                          static_cast<int>(context.execution.executor.n_workers),
                                          context.transport.n_ranks())
                        : field::JoinRule{};
  const auto pools = [&](int n_ghosts) {
    return Field::array_pools(block_cells, n_ghosts, equations.n_components(), rule,
                              settings.block_source);
  };
  std::vector<field::BlockPool> of_points;
  for (const auto& points : problem.points)
    of_points.emplace_back(
        Field::block_size(block_cells, points.n_ghosts, 1, points.template centring<D>()),
        settings.block_source);
  const auto saved = step::saved_by(equations, settings.time);
  return {pools(equations.n_ghosts()), pools(step::n_saved_ghosts(saved)), std::move(of_points),
          rule};
}

/// What looks at the initial state of blocks, and keeps what is wrong with it.
template <int D>
step::CheckCells<D> keeping_objections(const step::Equations<D>& equations, FirstFailure& to) {
  return [&equations, &to](const View<const double, D>& cells, const Box<D>& valid, int level) {
    auto wrong = step::objection_to_initial<D>(equations, cells, valid, level);
    if (wrong) to.keep(*std::move(wrong));
    return !wrong;
  };
}

/// Look at the cells of all blocks of this rank.
template <int D>
void check_blocks(const step::Mesh<D>& mesh, const step::State<D>& state,
                  const step::CheckCells<D>& check) {
  for (int l = 0; l < mesh.n_levels(); ++l) {
    const auto& blocks = state.cells[static_cast<std::size_t>(l)];
    for (std::size_t b = 0; b < blocks.size(); ++b)
      check(blocks.view(b), mesh.forest.geometry.cells(blocks.keys()[b]), l);
  }
}

/// @errors throws Error, on all ranks alike, where one has kept something. Collective
inline void throw_if_any(flow::Transport& transport, const FirstFailure& wrong_state) {
  if (const auto all = check_on_all_ranks(transport, wrong_state.result()); !all)
    throw Error(all.error().message);
}

}  // namespace detail

template <int D>
MeshSimulation<D>::MeshSimulation(const Context& context, BlockProblem<D> problem,
                                  const Settings<D>& settings, OnStep on_step)
    : context_(context),
      problem_(std::move(problem)),
      settings_(settings),
      step_settings_{problem_.equations, settings.time, problem_.source, problem_.rate,
                     problem_.longest_dt},
      pools_(detail::make_pools(problem_, settings, context)),
      costs_(settings.partition.cost == Cost::measured
                 ? std::optional<BlockCosts>(std::in_place, names_of_costs())
                 : std::nullopt),
      sinks_{costs_ ? &*costs_ : nullptr, context.execution.executor.sink},
      executor_(
          executor_config(context,
                          settings.block_source == field::BlockSource::addresses
                              ? 0  // no task that is run asks for any
                              : step::scratch_bytes(equations(), problem_.geometry, join_rule()),
                          &sinks_),
          context.transport, context.clock),
      observer_(executor_, context.clock, context.transport.n_ranks(), std::move(on_step)) {
  if (settings.time.retries > 0)
    backup_.emplace(settings.mesh.block_cells, equations().n_components(), problem_.points,
                    settings.block_source);
}

template <int D>
MeshSimulation<D>::~MeshSimulation() = default;

template <int D>
void MeshSimulation<D>::install_roots() {
  auto roots = mesh::reassigned_forest(
      mesh::initial_forest(problem_.geometry, context_.transport.rank(),
                           context_.transport.n_ranks(), collectives_,
                           settings_.partition.directory_for(context_.transport.n_ranks())),
      collectives_, settings_.partition.partitioner);
  install_if_it_fits(std::move(roots));
}

template <int D>
void MeshSimulation<D>::install_if_it_fits(mesh::Forest<D> forest) {
  if (const auto fits = check_memory(forest); !fits) throw Error(fits.error().message);
  install_mesh(std::move(forest));
}

template <int D>
bool MeshSimulation<D>::install_wanted(const std::vector<mesh::Key<D>>& wanted) {
  auto forest = next_forest(wanted).forest;
  if (!is_new(forest)) return false;
  measure_before(forest);
  install_if_it_fits(std::move(forest));
  return true;
}

template <int D>
auto MeshSimulation<D>::wanted_at_start() -> Result<std::vector<mesh::Key<D>>> {
  if (const auto done = set_initial(); !done) return std::unexpected(done.error());
  return tagged_blocks();
}

template <int D>
auto MeshSimulation<D>::wanted_without_cells(std::vector<step::TaggedLevel<D>>& known)
    -> Result<std::vector<mesh::Key<D>>> {
  if (!problem_.tag) return std::vector<mesh::Key<D>>{};
  FirstFailure wrong_state;
  const step::CheckCells<D> check = detail::keeping_objections(equations(), wrong_state);
  const step::SetCells<D> set = wrong_state.keeping("the initial state", problem_.initial);
  const step::InitialCells<D> at{*mesh_, boundary(), equations(), set, check, time_state_.time};
  known.resize(
      static_cast<std::size_t>(std::min(mesh_->n_levels(), problem_.geometry.max_level())));
  std::vector<std::vector<mesh::Key<D>>> all;
  for (int l = 0; l < static_cast<int>(known.size()); ++l) {
    step::TaggedLevel<D>& level = known[static_cast<std::size_t>(l)];
    if (const auto& keys = mesh_->forest.level(l).keys; level.blocks != keys) {
      std::vector<std::vector<mesh::Key<D>>> of_blocks;
      flow::Recorder recorder = new_recorder();
      step::record_wanted_at_start(recorder, at, problem_.tag, settings_.regrid_buffer.of(l),
                                   n_workers(), l, of_blocks);
      if (const auto done = run_once(std::move(recorder)); !done)
        return std::unexpected(done.error());
      detail::throw_if_any(context_.transport, wrong_state);
      level = {keys, step::merged_keys(of_blocks)};
    }
    all.push_back(level.wanted);
  }
  return step::merged_keys(all);
}

template <int D>
Result<WantedBlocks> MeshSimulation<D>::find_wanted_blocks() {
  install_roots();
  WantedBlocks all;
  std::vector<step::TaggedLevel<D>> known;
  for (int pass = 0; pass < settings_.mesh.max_level; ++pass) {
    const auto wanted = settings_.block_source == field::BlockSource::addresses
                            ? wanted_without_cells(known)
                            : wanted_at_start();
    if (!wanted) return std::unexpected(wanted.error());
    auto& names = all.emplace_back();
    for (const auto& key : *wanted) names.push_back({key.level, key.code});
    const bool is_last = pass + 1 == settings_.mesh.max_level;
    if (is_last || !install_wanted(*wanted)) break;
  }
  return all;
}

template <int D>
Result<void> MeshSimulation<D>::build_mesh() {
  install_roots();
  bool is_new = true;
  for (int pass = 0; is_new && pass < settings_.mesh.max_level; ++pass) {
    const auto wanted = wanted_at_start();
    if (!wanted) return std::unexpected(wanted.error());
    is_new = install_wanted(*wanted);
  }
  if (is_new)
    if (const auto done = set_initial(); !done) return done;
  return prepare();
}

template <int D>
void MeshSimulation<D>::build_without_cells(const WantedBlocks& wanted) {
  install_roots();
  const auto rank = static_cast<std::size_t>(context_.transport.rank()());
  const auto n_ranks = static_cast<std::size_t>(context_.transport.n_ranks());
  for (const auto& of_pass : wanted) {
    std::vector<mesh::Key<D>> mine;  // an equal share
    for (std::size_t i = of_pass.size() * rank / n_ranks; i < of_pass.size() * (rank + 1) / n_ranks;
         ++i) {
      const mesh::Key<D> key{of_pass[i].level, of_pass[i].code};
      if (key.level > problem_.geometry.max_level()) continue;
      if (!problem_.geometry.contains(key))
        throw Error(
            "a checkpoint with other blocks than the deck has (no step can be made of them); use "
            "the deck that it was written with");
      mine.push_back(key);
    }
    install_wanted(mine);
  }
}

template <int D>
const flow::Graph& MeshSimulation<D>::step_graph() {
  if (!graph_) capture_step(new_recorder());
  return *graph_;
}

template <int D>
Result<void> MeshSimulation<D>::read(const Checkpoint& from) {
  const auto& geometry = problem_.geometry;
  const auto& manifest = from.manifest;
  if (!may_go_on(geometry_of<D>(manifest), geometry) ||
      manifest.face_fields != detail::n_face_fields(problem_.points))
    throw Error(
        fmt::format("'{}' has another mesh or other fields than the problem (a run goes on with "
                    "those it began with); use the deck it was written with",
                    from.path));
  check_components(from, problem_.components.names);
  auto forest = read_forest(context_, geometry, from, settings_.partition, settings_.mode);
  if (!forest) throw Error(forest.error().message);
  install_if_it_fits(std::move(*forest));
  if (auto done =
          check_on_all_ranks(context_.transport, read_cells(context_, from, *mesh_, *state_));
      !done)
    return done;
  FirstFailure wrong_state;
  detail::check_blocks<D>(
      *mesh_, *state_, [&](const View<const double, D>& cells, const Box<D>& valid, int level) {
        const auto wrong = step::objection_to_state<D>(equations(), cells, valid, level);
        if (wrong)
          wrong_state.keep(
              fmt::format("'{}' (step {}): {}; check what was changed since it was "
                          "written, or go on from another checkpoint",
                          from.path, manifest.step, *wrong));
        return !wrong;
      });
  detail::throw_if_any(context_.transport, wrong_state);
  // dt follows from the cells and the dt before, so that the end of time may be another one.
  time_state_ = {.step = manifest.step,
                 .time = manifest.time,
                 .dt = manifest.dt_before,
                 .dt_before = manifest.dt_before};
  last_regrid_ = manifest.last_regrid;
  return prepare();
}

template <int D>
Result<void> MeshSimulation<D>::prepare() {
  if (settings_.graph_capture == GraphCapture::eager || n_captured_ == 0)
    capture_first_step();
  else
    expected_ = need_of(mesh_->forest);
  return run_once(recorded(new_recorder(), [](auto& step) {
    step.record_restriction();
    step.record_first_dt();
  }));
}

template <int D>
void MeshSimulation<D>::capture_first_step() {
  capture_step(new_recorder());
  check_held();
}

template <int D>
template <class Record>
flow::Recorder MeshSimulation<D>::recorded(flow::Recorder&& recorder, const Record& f,
                                           step::StepBackup<D>* backup) {
  const auto levels = step::bind(recorder, *mesh_, *state_, n_workers());
  step::StepRecorder<D> step(recorder, step_settings_, *mesh_, levels, time_state_,
                             step::bind_points(recorder, *mesh_, *state_, n_workers()), backup);
  f(step);
  return std::move(recorder);
}

template <int D>
Result<void> MeshSimulation<D>::advance_to(std::int64_t step) {
  is_refused_ = false;
  if (!graph_) capture_first_step();
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
    if (!time_state_.is_rejected) continue;
    if (const auto done = put_back(); !done) return done;
  }
  return {};
}

template <int D>
Result<void> MeshSimulation<D>::put_back() {
  const step::TimeState rejected = std::exchange(time_state_, backup_->time_state);
  time_state_.dt = rejected.dt;
  time_state_.n_retries = rejected.n_retries + 1;
  backup_->put_back(*state_);
  return run_once(recorded(new_recorder(), [](auto& step) { step.record_restriction(); }),
                  static_cast<std::uint64_t>(time_state_.step + 1));
}

template <int D>
std::int64_t MeshSimulation<D>::n_blocks() const {
  std::int64_t n = 0;
  for (const auto& level : mesh_->forest.levels) n += std::ssize(level.keys);
  return n;
}

template <int D>
Result<void> MeshSimulation<D>::fill_ghosts() {
  flow::Recorder recorder = new_recorder();
  const auto levels = step::bind(recorder, *mesh_, *state_, n_workers());
  step::record_fill(recorder, boundary(), *mesh_, levels);
  return run_once(std::move(recorder));
}

template <int D>
typename MeshSimulation<D>::Before MeshSimulation<D>::install_mesh(mesh::Forest<D> forest,
                                                                   Plans plans) {
  Before before{std::exchange(mesh_, std::nullopt), state_ ? std::move(*state_) : step::State<D>{}};
  mesh_.emplace(
      step::make_mesh(std::move(forest), plan_settings(), collectives_,
                      before.mesh && plans == Plans::kept_where_same ? &*before.mesh : nullptr));
  state_.emplace(step::make_state(*mesh_, equations().n_ghosts(), equations().n_components(),
                                  pools_, before.state, saved()));
  if (backup_) backup_->set_mesh(*mesh_, *state_, saved(), settings_.time);
  std::vector<std::int64_t> blocks_per_level;
  std::int64_t zone_updates = 0;
  for (int l = 0; l < mesh_->n_levels(); ++l) {
    const LevelWork work = work_of(l);
    blocks_per_level.push_back(work.n_blocks);
    zone_updates += work.zone_updates;
  }
  observer_.set_mesh(std::move(blocks_per_level), zone_updates);
  return before;
}

template <int D>
auto MeshSimulation<D>::work_of(int level) const -> LevelWork {
  const std::int64_t n_blocks = mesh_->forest.level(level).n_global;
  const std::int64_t n_advanced =
      settings_.time.subcycle
          ? n_blocks
          : n_blocks - collectives_.all_reduce(mesh_->n_covered(level), std::plus<std::int64_t>{});
  return {.n_blocks = settings_.mode == MeshMode::leaf ? n_advanced : n_blocks,
          .zone_updates = n_advanced * Box<D>{{}, settings_.mesh.block_cells}.n_cells() *
                          step::n_substeps(mesh_->forest.geometry, level, settings_.time)};
}

template <int D>
Result<void> MeshSimulation<D>::set_initial() {
  return problem_.initial_faces ? set_initial_faces() : set_initial_cells();
}

template <int D>
Result<void> MeshSimulation<D>::set_initial_faces() {
  FirstFailure failure;
  const step::SetFaces initial =
      failure.keeping("the initial state on faces", problem_.initial_faces);
  const auto done = run_once(recorded(new_recorder(), [&](auto& step) {
    step.record_initial_faces(initial);
    step.record_restriction();
  }));
  if (!done) return done;  // others may wait for messages of this rank
  detail::throw_if_any(context_.transport, failure);
  FirstFailure wrong_state;
  detail::check_blocks(*mesh_, *state_, detail::keeping_objections(equations(), wrong_state));
  detail::throw_if_any(context_.transport, wrong_state);
  return {};
}

template <int D>
Result<void> MeshSimulation<D>::set_initial_cells() {
  FirstFailure wrong_state;
  const step::CheckCells<D> check = detail::keeping_objections(equations(), wrong_state);
  const step::SetCells<D> initial = wrong_state.keeping("the initial state", problem_.initial);
  flow::Recorder recorder = new_recorder();
  const auto levels = step::bind(recorder, *mesh_, *state_, n_workers());
  step::record_initial(recorder, mesh_->forest.geometry, levels, initial, check, time_state_.time);
  // There are no messages in this graph, so it ends on all ranks, also where it fails on one.
  auto done = check_on_all_ranks(context_.transport, run_once(std::move(recorder)));
  if (done) detail::throw_if_any(context_.transport, wrong_state);
  return done;
}

template <int D>
Result<void> MeshSimulation<D>::run_once(flow::Recorder&& recorder,
                                         std::optional<std::uint64_t> step) {
  auto graph = flow::capture(std::move(recorder), context_.execution.model);
  once_bytes_ = static_cast<double>(graph.n_bytes() + executor_.n_bytes_to_run(graph));
  const auto report = executor_.run(graph, 1, step);
  if (!report) return std::unexpected(report.error());
  return {};
}

template <int D>
flow::Recorder MeshSimulation<D>::replacing_step() {
  if (!graph_) return new_recorder();
  auto recorder = flow::Recorder::replacing(std::move(*graph_));
  graph_.reset();
  return recorder;
}

template <int D>
void MeshSimulation<D>::capture_step(flow::Recorder&& recorder) {
  graph_.emplace(
      flow::capture(recorded(
                        std::move(recorder), [&](auto& step) { step.record_step(observer_); },
                        backup_ ? &*backup_ : nullptr),
                    context_.execution.model));
  ++n_captured_;
  const double bytes = step_bytes();
  if (bytes < most_step_bytes_) return;
  most_step_bytes_ = bytes;
  updates_of_most_ = extent_of(mesh_->forest, settings_.time).updates;
}

}  // namespace thalweg::app
