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
struct OfStage {
  std::shared_ptr<const Equations<D>> equations;
  exchange::FillContext<D> around;  ///< where sources are split, when they have acted outside
  SourceTerms<D> source;
  AddRate<D> rate;
  const StepBackup<D>* backup;  ///< null: steps are final
  const TimeState& time_state;
  int most_retries;

  int level;
  int ratio;             ///< to the coarser level, 1 where there is none
  double fraction;       ///< of the dt of level 0
  double part;           ///< of the step, over when the level begins its own
  double part_of_stage;  ///< and when the stage begins

  std::size_t k;  ///< number of the stage
  numerics::Stage stage;
  int n_ghosts;  ///< layers that it reads
  bool is_last;
  bool splits;                ///< sources act before the scheme and after it
  bool saves;                 ///< the state at the start of the step, for later stages
  bool backs_up;              ///< the same, for a step that is taken again
  bool is_first;              ///< to leave fluxes in all substeps
  bool is_first_with_fluxes;  ///< to leave them in its own
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
  std::shared_ptr<const OfStage<D>> of_stage;
  BlockReport& report;
  View<double, D> cells;
  Box<D> valid;
  View<double, D> saved;  ///< the state at the start; none where there is one stage
  std::span<const AdvancedBlock<D>> blocks;

  void operator()(flow::TaskContext& context) const {
    const OfStage<D>& of = *of_stage;
    if (of.time_state.is_rejected) return;
    if (of.saves) numerics::copy_cells<D>(cells, saved, saved.box());
    if (of.backs_up)
      for (const auto& block : blocks)
        numerics::copy_cells<D>(cells, of.backup->cells(of.level, block.b), block.valid);
    const double dt = of.fraction * of.time_state.dt;
    auto scratch = context.scratch();
    const auto start = act_before(scratch);
    StageSource<D> unsplit(valid, cells.n_components());
    const bool is_unsplit = (of.source && !of.splits) || of.rate;
    if (is_unsplit)
      scratch = unsplit.evaluate(of.source, of.rate, of.around.geometry(), cells,
                                 {of.level, time_after(of.part_of_stage), dt}, scratch);
    const auto size = of.equations->step_size(dt, of.level, valid);
    const auto done = of.equations->update_stage(of.k, cells, start, valid, size, scratch);
    if (done.inadmissible) return give_up(*done.inadmissible);
    report.fallbacks_so_far += done.fallbacks;
    if (of.splits && of.is_last) split().act_after(cells, valid);
    if (is_unsplit) unsplit.add(cells, of.stage.acts);
    for (const auto& block : blocks) leave_fluxes(block, done.flux, of.stage.weight * dt);
  }

  // When a part of the step is over; the clock has moved on to its end by then. Only where there
  // are sources do tasks declare that they read the time.
  double time_after(double part) const { return step::time_after(of_stage->time_state, part); }

  SplitSource<D> split() const {
    const OfStage<D>& of = *of_stage;
    return {of.source,
            of.around,
            {of.level, time_after(of.part), 0.5 * of.fraction * of.time_state.dt}};
  }

  // Let split sources act, in the first stage; returns the state at the start as the scheme is to
  // see it, and keeps a part of the scratch for it.
  View<const double, D> act_before(std::span<std::byte>& scratch) const {
    if (!of_stage->splits) return saved;
    if (of_stage->k == 0) {
      split().act_before(cells, valid.grown(of_stage->n_ghosts));
      return saved;
    }
    const auto start = split().start_of_scheme(saved, scratch);
    scratch = scratch.subspan(SplitSource<D>::n_bytes(valid, cells.n_components()));
    return start;
  }

  // What is left of a step that will be taken again is void, but must not trip over what is no
  // state.
  void give_up(const Index<D>& cell) const {
    const OfStage<D>& of = *of_stage;
    const int n_retries = of.time_state.n_retries;
    if (of.backup == nullptr || n_retries >= of.most_retries) {
      const auto block = std::ranges::find_if(
          blocks, [&](const AdvancedBlock<D>& b) { return b.valid.contains(cell); });
      fail_in_cell<D>(*of.equations, {cells, cell, block->valid, of.level},
                      fmt::format("after dt = {:g}", of.fraction * of.time_state.dt), n_retries);
    }
    report.is_inadmissible_so_far = true;
    for (const auto& block : blocks)
      numerics::copy_cells<D>(of.backup->cells(of.level, block.b), cells, block.valid);
  }

  void leave_fluxes(const AdvancedBlock<D>& block, const numerics::FluxViews<D>& flux,
                    double acts) const {
    const OfStage<D>& of = *of_stage;
    using enum numerics::Accumulate;
    const auto along = [&](int axis) { return flux[static_cast<std::size_t>(axis)]; };
    for (const auto& r : block.fine) {
      const auto faces = exchange::fine_faces(r.patch, block.valid, of.ratio);
      const View<double, D> values(r.values.data(), faces, r.values.n_components());
      numerics::record_fine_flux<D>(along(r.patch.axis), of.ratio, r.patch.axis, values, faces,
                                    acts, of.is_first ? set : add);
    }
    for (const auto& r : block.coarse)
      numerics::record_flux<D>(along(r.patch.axis), r.values, r.values.box(), acts,
                               of.is_first_with_fluxes ? set : add);
  }
};

}  // namespace thalweg::step::detail
