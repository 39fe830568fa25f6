// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <thalweg/exchange/emit/fill.hpp>
#include <thalweg/exchange/emit/reflux.hpp>
#include <thalweg/exchange/emit/restrict.hpp>
#include <thalweg/exchange/emit/task_names.hpp>
#include <thalweg/exchange/plan/regions.hpp>
#include <thalweg/flow/recorder.hpp>
#include <thalweg/numerics/reflux.hpp>
#include <thalweg/numerics/scheme.hpp>
#include <thalweg/step/backup.hpp>
#include <thalweg/step/detail/advance_group.hpp>
#include <thalweg/step/end_of_step.hpp>
#include <thalweg/step/record_faces.hpp>
#include <thalweg/step/settings.hpp>
#include <thalweg/step/split_source.hpp>
#include <thalweg/step/stage_source.hpp>
#include <thalweg/step/state.hpp>
#include <thalweg/step/substeps.hpp>
#include <thalweg/step/time_control.hpp>

namespace thalweg::step {

/// Records one step of level 0 with all substeps of the finer levels (Berger and Colella 1989):
///
///     step(l):  fill ghosts, save where level l + 1 interpolates in time, advance;
///               ratio(l) times step(l + 1); restrict l + 1 to l, reflux
///
/// then finds the next dt. The dt of a level is dt over the product of the ratios above it. A
/// scheme of several stages saves all blocks as it first advances them, and fills and advances in
/// each stage, from the coarser level at the stage's time.
///
/// Without subcycling all levels make the same step, stage by stage: fill ghosts of all, from the
/// coarser level as it is; advance all blocks but those that finer ones cover, which become the
/// means of these at the end of each stage; reflux.
///
/// Source terms act for half a step before a scheme whose last stage makes the step, in ghost cells
/// too, and for the other half after it (SplitSource): together of second order, and the scheme
/// need not know them. Where each stage has a share in the step their rate is added to that of the
/// scheme (StageSource).
///
/// Where the state at the start of a step is kept, a step that leaves inadmissible states, or
/// waves too fast for its dt, is rejected: TimeState::is_rejected, on all ranks
/// alike. No replay follows but one that may be under way, which advances nothing; who runs the
/// graph puts back what was kept.
/// @source Berger and Colella, JCP 82 (1989) 64; Almgren et al., ApJ 715 (2010) 1221, sec. 5
template <int D>
class StepRecorder {
 public:
  /// @param levels  the state's blocks as data of the recorder
  /// @param time_state  where the run stands; read and changed by the tasks, so it outlives the
  /// graph
  /// @param points  those of its arrays on faces and at nodes, if it has any
  /// @param backup  where blocks put their state before they are advanced; null: steps are final
  StepRecorder(flow::Recorder& recorder, const StepSettings<D>& settings, const Mesh<D>& mesh,
               const std::vector<exchange::LevelData<D>>& levels, TimeState& time_state,
               PointData<D> points = {}, StepBackup<D>* backup = nullptr)
      : recorder_(recorder),
        settings_(settings),
        mesh_(mesh),
        levels_(levels),
        points_(std::move(points)),
        backup_(backup),
        time_state_(time_state),
        time_state_datum_(recorder.datum("time")),
        dt_(recorder.datum("dt")),
        ghost_plans_(static_cast<std::size_t>(mesh.n_levels())) {
    for (const auto& level : levels)
      reports_.push_back(recorder.data<BlockReport>("block reports", level.blocks.size()));
    for (int l = 1; l < mesh.n_levels() && equations().faces() == nullptr; ++l) {
      const auto& reflux = plans(l).interface->reflux;
      fine_registers_.push_back(exchange::make_registers(
          recorder, reflux.produced, &exchange::FluxPatch<D>::fine, n_refluxed()));
      coarse_registers_.push_back(exchange::make_registers(
          recorder, reflux.consumed, &exchange::FluxPatch<D>::coarse, n_refluxed()));
    }
  }

  /// Record the step.
  ///
  /// @param observer  on every rank, at the end of the step, observer.sample() is called from some
  /// worker and returns that rank's StepSums, to which the step adds its fallbacks; on rank 0 then
  /// observer.report(TimeState, StepSums of all ranks). Neither holds up the step.
  template <class Observer>
  void record_step(Observer& observer) {
    recorder_.phase("advance time", flow::PhaseKind::level);
    recorder_.task(
        "advance time",
        std::vector<flow::Access>{{time_state_datum_, flow::Mode::inout}, {dt_, flow::Mode::in}},
        [&time_state = time_state_, time = settings_.time,
         backup = backup_](flow::TaskContext& context) {
          if (time_state.is_rejected) return context.request_stop();
          if (backup != nullptr) backup->time_state = time_state;
          // Tasks that read dt and not the time are not ordered with this one: dt stays untouched.
          const TimeState next = advanced(time_state, time);
          time_state.step = next.step;
          time_state.time = next.time;
          time_state.dt_before = next.dt_before;
          if (is_over(time_state, time)) context.request_stop();
        },
        {.priority = 1, .controls_termination = true});
    const auto on_faces = [&](FaceRecorder& faces) { faces.step(time_state_, dt_); };
    if (!record_faces(on_faces)) {
      if (settings_.time.subcycle)
        advance_level(0, 0, 0.0);
      else
        advance_without_subcycling();
    }
    const EndOfStep end = record_end();
    record_report(recorder_, observer, end, time_data(), time_settings());
    record_next_dt(recorder_, end.stable_dt, time_data(), time_settings());
  }

  /// Record only setting the faces of all blocks, at the start.
  void record_initial_faces(const SetFaces& initial) {
    record_faces([&](FaceRecorder& faces) { faces.set_faces(initial, time_state_.time); });
  }
  /// Record only making all levels consistent: coarse cells are the means of the finer ones; what
  /// follows from faces is what it is.
  void record_restriction() {
    if (record_faces([](FaceRecorder& faces) { faces.complete(); })) return;
    for (int l = mesh_.n_levels() - 1; l > 0; --l) {
      recorder_.phase("restrict", flow::PhaseKind::level);
      exchange::emit_restrict(recorder_, data(l), data(l - 1), plans(l).interface->restrict,
                              geometry().ratio(l - 1), equations().n_components());
    }
  }

  /// Record only the choice of the first dt.
  void record_first_dt() {
    record_next_dt(recorder_, record_end().stable_dt, time_data(), time_settings());
  }

 private:
  // Record what the faces do, if the equations are on faces.
  template <class Record>
  bool record_faces(Record record) {
    if constexpr (D == 2)
      if (const FaceEquations* faces = equations().faces()) {
        FaceRecorder recorder(recorder_, {settings_.equations, faces}, mesh_, levels_, points_,
                              backup_);
        record(recorder);
        return true;
      }
    return false;
  }
  const LevelPlans<D>& plans(int level) const {
    return mesh_.plans[static_cast<std::size_t>(level)];
  }
  const exchange::LevelData<D>& data(int level) const {
    return levels_[static_cast<std::size_t>(level)];
  }
  BlockReport& report_of(int level, std::size_t block) const {
    return reports_[static_cast<std::size_t>(level)].view()[block];
  }
  // Registers at the faces where a level ends: its own fluxes, and those of the coarser level.
  const exchange::RegisterSet<D>& fine_registers(int level) const {
    return fine_registers_[static_cast<std::size_t>(level - 1)];
  }
  const exchange::RegisterSet<D>& coarse_registers(int level) const {
    return coarse_registers_[static_cast<std::size_t>(level - 1)];
  }

  // For states outside the domain when a part of the step is over.
  exchange::BoundaryTime boundary_time(double part) const {
    return {[&time_state = time_state_, part] { return time_after(time_state, part); },
            {{time_state_datum_, flow::Mode::in}, {dt_, flow::Mode::in}}};
  }
  const Equations<D>& equations() const { return *settings_.equations; }
  bool saved_is_backup(int level) const {
    return step::saved_is_backup(saved_by(equations(), settings_.time), geometry(), level,
                                 settings_.time);
  }
  int n_refluxed() const { return equations().n_refluxed(); }
  std::span<const numerics::Stage> stages() const { return equations().stages(); }
  bool has_one_stage() const { return stages().size() == 1; }
  bool is_split() const {
    return settings_.source && (settings_.time.split_sources || numerics::is_one_step(stages()));
  }
  const mesh::Geometry<D>& geometry() const { return mesh_.forest.geometry; }
  // The dt of a level, in those of the root; exact, as ratios are powers of two.
  double share_of_dt(int level) const {
    return 1.0 / static_cast<double>(n_substeps(geometry(), level, settings_.time));
  }

  // @param substep_begins  after the step of level 0 has begun [dt of level 0]
  void advance_level(int level, int substep, double substep_begins) {
    const bool has_finer = level + 1 < mesh_.n_levels();
    recorder_.phase("level " + std::to_string(level), flow::PhaseKind::level);
    for (std::size_t k = 0; k < stages().size(); ++k) {
      const double begins = stages()[k].begins;
      const auto boundary = boundary_at(stage_begins(level, k, substep_begins));
      recorder_.phase("fill", flow::PhaseKind::step);
      fill(level, level > 0 ? (substep + begins) / geometry().ratio(level - 1) : 1.0, boundary, k);
      recorder_.phase("advance", flow::PhaseKind::step);
      if (has_finer && has_one_stage()) save(level);
      advance_blocks(level, substep, k, substep_begins, boundary);
    }
    if (!has_finer) return;

    const int ratio = geometry().ratio(level);
    for (int s = 0; s < ratio; ++s)
      advance_level(level + 1, s, substep_begins + s * share_of_dt(level + 1));
    synchronise(level);
  }

  void advance_without_subcycling() {
    for (std::size_t k = 0; k < stages().size(); ++k) {
      if (k > 0) record_restriction();
      const auto boundary = boundary_at(stages()[k].begins);
      recorder_.phase("fill", flow::PhaseKind::level);
      for (int l = 0; l < mesh_.n_levels(); ++l) fill(l, 1.0, boundary, k);
      recorder_.phase("advance", flow::PhaseKind::step);
      for (int l = 0; l < mesh_.n_levels(); ++l) advance_blocks(l, 0, k, 0.0, boundary);
    }
    for (int l = mesh_.n_levels() - 1; l-- > 0;) synchronise(l);
  }

  // When a stage of a level begins, likewise.
  double stage_begins(int level, std::size_t k, double substep_begins) const {
    return substep_begins + stages()[k].begins * share_of_dt(level);
  }
  // What fills ghost cells when a part of the step is over.
  exchange::FillContext<D> boundary_at(double part) const {
    return equations().boundary(boundary_time(part));
  }
  // @param theta  of the coarser level's step that is over
  void fill(int level, double theta, const exchange::FillContext<D>& boundary, std::size_t k) {
    std::optional<exchange::CoarserLevel<D>> coarser;
    if (level > 0) coarser.emplace(data(level - 1), plans(level).interface->coarse, theta);
    exchange::emit_fill(recorder_, boundary, data(level), ghost_plan(level, k), coarser);
  }
  int n_ghosts_of(const numerics::Stage& stage) const {
    return stage.n_ghosts > 0 ? stage.n_ghosts : equations().n_ghosts();
  }
  // The ghost cells that a stage reads. Rates may read all of them, and a source that acts on
  // ghost cells must find states in the corners too.
  exchange::GhostReach reach_of(const numerics::Stage& stage) const {
    if (settings_.rate) return {equations().n_ghosts()};
    return {n_ghosts_of(stage), stage.reads_corners || is_split()};
  }
  // The plan for these; where it is not the whole one it is made once a level, and serves all
  // stages that read the same.
  const exchange::GhostPlan<D>& ghost_plan(int level, std::size_t k) {
    const auto& whole = plans(level).ghost;
    const exchange::GhostReach reach = reach_of(stages()[k]);
    if (whole.reach == reach) return whole;
    auto& parts = ghost_plans_[static_cast<std::size_t>(level)];
    const auto part = std::ranges::find(parts, reach, &exchange::GhostPlan<D>::reach);
    if (part != parts.end()) return *part;
    return parts.emplace_back(exchange::within_reach(whole, geometry(), reach));
  }

  // @param boundary  when the stage begins
  void advance_blocks(int level, int substep, std::size_t k, double substep_begins,
                      const exchange::FillContext<D>& boundary) {
    const numerics::Stage& rule = stages()[k];
    const double begins = stage_begins(level, k, substep_begins);
    // Stages without a weight leave no fluxes.
    const bool is_first_with_fluxes = std::ranges::none_of(
        stages().first(k), [](double weight) { return weight > 0; }, &numerics::Stage::weight);
    const auto stage = std::make_shared<const detail::StageContext<D>>(detail::StageContext<D>{
        .equations = settings_.equations,
        .boundary =
            is_split() ? equations().boundary_after_source(boundary_time(begins)) : boundary,
        .split_source = is_split() ? settings_.source : SourceTerms<D>(),
        .stage_source = is_split() ? SourceTerms<D>() : settings_.source,
        .rate = settings_.rate,
        .backup = backup_,
        .time_state = time_state_,
        .most_retries = most_retries(),
        .level = level,
        .ratio = level > 0 ? geometry().ratio(level - 1) : 1,
        .share_of_dt = share_of_dt(level),
        .substep_begins = substep_begins,
        .stage_begins = begins,
        .k = k,
        .rule = rule,
        .n_ghosts = n_ghosts_of(rule),
        .is_last_stage = k + 1 == stages().size(),
        // What is put back if a step is rejected must outlive it, so a block is saved in a task
        // that knows whether the step before stands.
        .saves_start = !has_one_stage() && k == 0,
        // The first thing that the step does to the block, which may make many substeps.
        .saves_backup =
            backup_ != nullptr && !saved_is_backup(level) && k == 0 && substep_begins == 0,
        .sets_fine_registers = substep == 0 && is_first_with_fluxes,
        .sets_coarse_registers = is_first_with_fluxes});
    data(level).for_each_group([&](const exchange::BlockGroup<D>& group) {
      if (settings_.time.subcycle || !mesh_.is_covered(group.front().key))
        advance_group(group, stage);
    });
  }

  // Give a level what the next finer one has found.
  void synchronise(int level) {
    recorder_.phase("synchronise level " + std::to_string(level), flow::PhaseKind::level);
    const auto& finer = *plans(level + 1).interface;
    exchange::emit_restrict(recorder_, data(level + 1), data(level), finer.restrict,
                            geometry().ratio(level), equations().n_components());
    exchange::emit_reflux(recorder_, data(level), finer.reflux, fine_registers(level + 1),
                          coarse_registers(level + 1), geometry().cell_size(level), n_refluxed(),
                          // A pointer, as every task has a copy, which then needs no heap; tasks
                          // that advance blocks keep the equations.
                          [equations = settings_.equations.get()](const auto&... of_faces) {
                            equations->correct_cells(of_faces...);
                          });
  }

  // Save what the finer level interpolates from; of schemes of several stages the tasks that
  // advance do so.
  void save(int level) {
    for (const auto& block : data(level).blocks) {
      if (!block.saved) continue;
      flow::TaskOptions options = block.task_options();
      options.priority = 1;
      recorder_.task(
          "save",
          std::vector<flow::Access>{{block.interior, flow::Mode::in},
                                    {block.saved->datum, flow::Mode::out}},
          [from = block.cells, to = block.saved->cells](flow::TaskContext&) {
            numerics::copy_cells<D>(from, to, to.box());
          },
          options);
    }
  }

  void advance_group(const exchange::BlockGroup<D>& group,
                     const std::shared_ptr<const detail::StageContext<D>>& stage) {
    const int level = stage->level;
    const exchange::BlockData<D>& front = group.front();
    const bool has_fluxes = stage->rule.weight > 0;
    auto& accesses = accesses_;
    accesses.assign(
        {{dt_, flow::Mode::in},
         {front.ghosts, stage->split_source && stage->k == 0 ? flow::Mode::inout : flow::Mode::in},
         {front.interior, flow::Mode::inout}});
    if (!has_one_stage())
      accesses.push_back(
          {front.saved->datum, stage->saves_start ? flow::Mode::out : flow::Mode::in});
    if (settings_.source || settings_.rate) accesses.push_back({time_state_datum_, flow::Mode::in});
    // The registers that a block has in a set, which its task then uses.
    const auto attach = [&](const exchange::RegisterSet<D>& set, const mesh::Key<D>& key,
                            bool sets) -> typename detail::AdvancedBlock<D>::Registers {
      const auto* const found = exchange::find_registers(set, key);
      if (found == nullptr) return {};
      accesses.push_back({found->datum, sets ? flow::Mode::out : flow::Mode::inout});
      return found->registers;
    };
    const auto blocks = recorder_.array<detail::AdvancedBlock<D>>(group.blocks.size());
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      const exchange::BlockData<D>& block = group.blocks[i];
      blocks[i] = {.b = group.first + i, .valid = block.valid, .fine = {}, .coarse = {}};
      if (has_fluxes && level > 0)
        blocks[i].fine = attach(fine_registers(level), block.key, stage->sets_fine_registers);
      if (has_fluxes && level + 1 < mesh_.n_levels())
        blocks[i].coarse =
            attach(coarse_registers(level + 1), block.key, stage->sets_coarse_registers);
    }
    flow::TaskOptions options = front.task_options();
    options.cost = 10.0 * static_cast<double>(group.blocks.size());
    recorder_.task(
        group.task_name(has_fluxes ? exchange::task_names::advance
                                   : exchange::task_names::predictor),
        accesses,
        detail::AdvanceGroup<D>{.stage = stage,
                                .report = report_of(level, group.first),
                                .cells = group.cells,
                                .valid = group.valid,
                                .saved = has_one_stage() ? View<double, D>() : group.saved,
                                .blocks = blocks},
        options);
  }

  EndOfStep record_end() {
    return record_end_of_step(recorder_, settings_, geometry(), levels_, reports_, time_data(),
                              most_retries());
  }
  TimeData time_data() const { return {time_state_, time_state_datum_, dt_}; }
  // Those of the step, with no retries where nothing is kept.
  TimeSettings time_settings() const {
    TimeSettings time = settings_.time;
    time.retries = most_retries();
    return time;
  }
  int most_retries() const { return backup_ == nullptr ? 0 : settings_.time.retries; }
  flow::Recorder& recorder_;
  const StepSettings<D>& settings_;
  const Mesh<D>& mesh_;
  const std::vector<exchange::LevelData<D>>& levels_;
  PointData<D> points_;
  StepBackup<D>* backup_;
  TimeState& time_state_;
  flow::DatumId time_state_datum_;
  flow::DatumId dt_;
  std::vector<flow::Data<BlockReport>> reports_;                  ///< by level
  std::vector<std::vector<exchange::GhostPlan<D>>> ghost_plans_;  ///< of parts, by level
  std::vector<exchange::RegisterSet<D>> fine_registers_;
  std::vector<exchange::RegisterSet<D>> coarse_registers_;
  std::vector<flow::Access> accesses_;  ///< of the task at hand; here, as there are very many
};

}  // namespace thalweg::step
