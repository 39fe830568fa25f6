// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <utility>
#include <vector>

#include <thalweg/exchange/emit/fill.hpp>
#include <thalweg/exchange/emit/gather.hpp>
#include <thalweg/exchange/emit/level_data.hpp>
#include <thalweg/exchange/plan/coarse.hpp>
#include <thalweg/exchange/plan/move.hpp>
#include <thalweg/flow/recorder.hpp>

namespace thalweg::exchange {

/// Record moving the cells of a level's blocks from where the old forest had them to where the new
/// one has them. Blocks that lie in the same memory in both stay there.
template <int D>
void emit_move(flow::Recorder& recorder, const LevelData<D>& before, const LevelData<D>& after,
               const MovePlan<D>& plan, int n_components) {
  const FromInterior<D> source{before};
  Gatherer gather(
      recorder, plan.transfers,
      emit_messages(recorder, "move", plan.transfers, n_components, after.level, source), source);
  std::vector<flow::Access> accesses;
  for (const auto& block : after.blocks) {
    const auto stays = with_destination(plan.transfers.locals, block.key, &Copy<D>::dst);
    if (!stays.empty() && before.at(block.key).cells.data() == block.cells.data()) continue;
    accesses.assign({{block.interior, flow::Mode::out}});
    const auto gathered = gather(block.key, block.cells, accesses);
    if (gathered.is_empty()) continue;
    recorder.task("move", accesses,
                  [gathered, cells = block.cells](flow::TaskContext&) { gathered(cells); },
                  {.preferred_worker = block.preferred_worker,
                   .level = after.level,
                   .block = block.key.code});
  }
}

/// Record interpolating the cells of a level's new blocks from the coarser level, which is
/// complete.
/// @param around  BoundaryContext of cells, or of points: PointBoundaryContext
template <class Around>
void emit_prolong(flow::Recorder& recorder, const Around& around, const LevelData<Around::D>& level,
                  const LevelData<Around::D>& coarser, const CoarsePlan<Around::D>& plan) {
  const FromInterior<Around::D> source{coarser};
  Gatherer gather(
      recorder, plan.transfers,
      emit_messages(recorder, "prolong", plan.transfers, Around::n_components, level.level, source),
      source);
  const auto shared = std::make_shared<const Around>(around);
  std::vector<flow::Access> accesses;
  for (const auto& patch : plan.patches) {
    const auto& block = level.at(patch.fine);
    accesses.assign({{block.interior, flow::Mode::out}});
    auto prolong = prolong_patch(recorder, plan, patch, shared, gather, accesses);
    recorder.task("prolong", accesses,
                  [prolong = std::move(prolong), cells = block.cells](flow::TaskContext& context) {
                    prolong(cells, context.scratch());
                  },
                  {.preferred_worker = block.preferred_worker,
                   .level = level.level,
                   .block = block.key.code});
  }
}

}  // namespace thalweg::exchange
