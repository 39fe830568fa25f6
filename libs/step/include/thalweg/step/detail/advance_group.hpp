// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>

#include <fmt/format.h>

#include <thalweg/core/box.hpp>
#include <thalweg/core/vec.hpp>
#include <thalweg/core/view.hpp>
#include <thalweg/exchange/emit/fill.hpp>
#include <thalweg/exchange/emit/reflux.hpp>
#include <thalweg/exchange/plan/regions.hpp>
#include <thalweg/flow/task.hpp>
#include <thalweg/numerics/copy.hpp>
#include <thalweg/numerics/reflux.hpp>
#include <thalweg/numerics/scheme.hpp>
#include <thalweg/step/backup.hpp>
#include <thalweg/step/cell_functions.hpp>
#include <thalweg/step/end_of_step.hpp>
#include <thalweg/step/equations.hpp>
#include <thalweg/step/source_terms.hpp>
#include <thalweg/step/split_source.hpp>
#include <thalweg/step/stage_source.hpp>
#include <thalweg/step/time_control.hpp>

namespace thalweg::step::detail {

/// What the tasks share that advance the blocks of a level by one stage of a step: with a copy
/// each, recording would take several heap calls a task.
template <int D>
struct StageContext {
  std::shared_ptr<const Equations<D>> equations;
  exchange::FillContext<D> boundary;  ///< where sources are split, when they have acted outside
  SourceTerms<D> split_source;        ///< acts before the scheme and after it
  SourceTerms<D> stage_source;        ///< whose rate is added in each stage
  AddRate<D> rate;
  const StepBackup<D>* backup;  ///< null: steps are final
  const TimeState& time_state;
  int most_retries;  ///< 0 without a backup

  int level;
  int ratio;              ///< to the coarser level, 1 where there is none
  double share_of_dt;     ///< of the level [dt of level 0]
  double substep_begins;  ///< of the level, after the step of level 0 has begun [dt of level 0]
  double stage_begins;    ///< likewise

  std::size_t k;         ///< number of the stage
  numerics::Stage rule;  ///< the stage as the scheme has it
  int n_ghosts;          ///< layers that it reads
  bool is_last_stage;
  bool saves_start;   ///< the state at the start of the level's step, for later stages
  bool saves_backup;  ///< the state at the start of that of level 0, to take it again
  /// Whether its fluxes are the first in the registers; else they are added to those there.
  bool sets_fine_registers;
  bool sets_coarse_registers;
};

/// What the task that advances joined blocks must know of each.
template <int D>
struct AdvancedBlock {
  using Registers = std::span<const exchange::FluxRegister<D>>;

  std::size_t b;  ///< number of the block in its level
  Box<D> valid;
  Registers fine;    ///< at the faces where its level ends
  Registers coarse;  ///< at those where the finer level does
};

/// The task that advances a block, or joined ones, by one stage: source terms, the scheme, and the
/// fluxes at the ends of levels. Nothing where the step before was rejected.
/// @errors  throws std::runtime_error that names the cell whose new state is inadmissible, where
/// the step cannot be taken again
template <int D>
struct AdvanceGroup {
  std::shared_ptr<const StageContext<D>> stage;
  BlockReport& report;
  View<double, D> cells;
  Box<D> valid;
  View<double, D> saved;  ///< the state at the start; none where there is one stage
  std::span<const AdvancedBlock<D>> blocks;

  void operator()(flow::TaskContext& context) const {
    if (stage->time_state.is_rejected) return;
    if (stage->saves_start) numerics::copy_cells<D>(cells, saved, saved.box());
    if (stage->saves_backup)
      for (const auto& block : blocks)
        numerics::copy_cells<D>(cells, stage->backup->cells(stage->level, block.b), block.valid);
    const double dt = stage->share_of_dt * stage->time_state.dt;
    auto scratch = context.scratch();
    const auto start = act_before(scratch);
    StageSource<D> of_stage(valid, cells.n_components());
    const bool has_rate = stage->stage_source || stage->rate;
    if (has_rate)
      scratch =
          of_stage.evaluate(stage->stage_source, stage->rate, stage->boundary.geometry(), cells,
                            {stage->level, time_after(stage->stage_begins), dt}, scratch);
    const auto size = stage->equations->step_size(dt, stage->level, valid);
    const auto done = stage->equations->update_stage(stage->k, cells, start, valid, size, scratch);
    if (done.inadmissible) return give_up(*done.inadmissible);
    report.fallbacks_so_far += done.fallbacks;
    report.fallbacks_so_far.unresolved_sources += of_stage.n_unresolved();
    if (has_rate) of_stage.add(cells, stage->rule.acts);
    if (stage->split_source && stage->is_last_stage) split().act_after(cells, valid);
    for (const auto& block : blocks) leave_fluxes(block, done.flux, stage->rule.weight * dt);
  }

  // When a part of the step is over; the clock has moved on to its end by then. Only where there
  // are sources do tasks declare that they read the time.
  double time_after(double part) const { return step::time_after(stage->time_state, part); }

  SplitSource<D> split() const {
    return {stage->split_source,
            stage->boundary,
            {stage->level, time_after(stage->substep_begins),
             0.5 * stage->share_of_dt * stage->time_state.dt}};
  }

  // Let split sources act, in the first stage; returns the state at the start as the scheme is to
  // see it, and keeps a part of the scratch for it.
  View<const double, D> act_before(std::span<std::byte>& scratch) const {
    if (!stage->split_source) return saved;
    if (stage->k == 0) {
      split().act_before(cells, valid.grown(stage->n_ghosts));
      return saved;
    }
    const auto start = split().start_of_scheme(saved, scratch);
    scratch = scratch.subspan(SplitSource<D>::scratch_bytes(valid, cells.n_components()));
    return start;
  }

  // What is left of a step that will be taken again is void, but must not trip over what is no
  // state.
  void give_up(const Index<D>& cell) const {
    const int n_retries = stage->time_state.n_retries;
    if (n_retries >= stage->most_retries) {
      const auto block = std::ranges::find_if(
          blocks, [&](const AdvancedBlock<D>& b) { return b.valid.contains(cell); });
      fail_in_cell<D>(*stage->equations, {cells, cell, block->valid, stage->level},
                      fmt::format("after dt = {:g}", stage->share_of_dt * stage->time_state.dt),
                      n_retries);
    }
    report.is_inadmissible_so_far = true;
    for (const auto& block : blocks)
      numerics::copy_cells<D>(stage->backup->cells(stage->level, block.b), cells, block.valid);
  }

  void leave_fluxes(const AdvancedBlock<D>& block, const numerics::FluxViews<D>& flux,
                    double acts) const {
    using enum numerics::Accumulate;
    const auto along = [&](int axis) { return flux[static_cast<std::size_t>(axis)]; };
    for (const auto& r : block.fine) {
      const auto faces = exchange::fine_faces(r.patch, block.valid, stage->ratio);
      const View<double, D> values(r.values.data(), faces, r.values.n_components());
      numerics::record_fine_flux<D>(along(r.patch.axis), stage->ratio, r.patch.axis, values, faces,
                                    acts, stage->sets_fine_registers ? set : add);
    }
    for (const auto& r : block.coarse)
      numerics::record_flux<D>(along(r.patch.axis), r.values, r.values.box(), acts,
                               stage->sets_coarse_registers ? set : add);
  }
};

}  // namespace thalweg::step::detail
