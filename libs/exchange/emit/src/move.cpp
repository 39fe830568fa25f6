// SPDX-License-Identifier: MIT
#include <thalweg/exchange/emit/move.hpp>

#include <utility>
#include <vector>

#include <thalweg/core/dimensions.hpp>
#include <thalweg/exchange/emit/gather.hpp>
#include <thalweg/exchange/emit/messages.hpp>
#include <thalweg/exchange/emit/prolong_patch.hpp>

namespace thalweg::exchange {

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
    accesses.assign({{block.interior, block.sets()}});
    const auto gathered = gather(block.key, block.cells, accesses);
    if (gathered.is_empty()) continue;
    recorder.task(
        "move", accesses, [gathered, cells = block.cells](flow::TaskContext&) { gathered(cells); },
        block.task_options());
  }
}

template <int D>
void emit_prolong(flow::Recorder& recorder, const std::type_identity_t<FillContext<D>>& boundary,
                  const LevelData<D>& level, const LevelData<D>& coarser,
                  const CoarsePlan<D>& plan) {
  const FromInterior<D> source{coarser};
  Gatherer gather(recorder, plan.transfers,
                  emit_messages(recorder, "prolong", plan.transfers, boundary.n_components(),
                                level.level, source),
                  source);
  std::vector<flow::Access> accesses;
  for (const auto& patch : plan.patches) {
    const auto& block = level.at(patch.fine);
    accesses.assign({{block.interior, block.sets()}});
    const auto prolong = prolong_patch(recorder, patch, plan.regions_of(patch),
                                       boundary.n_components(), gather, accesses);
    recorder.task(
        "prolong", accesses,
        [boundary, prolong, cells = block.cells](flow::TaskContext& context) {
          prolong(boundary, cells, context.scratch());
        },
        block.task_options());
  }
}

#define THALWEG_INSTANTIATE(D)                                                            \
  template void emit_move(flow::Recorder&, const LevelData<D>&, const LevelData<D>&,      \
                          const MovePlan<D>&, int);                                       \
  template void emit_prolong(flow::Recorder&, const FillContext<D>&, const LevelData<D>&, \
                             const LevelData<D>&, const CoarsePlan<D>&)
THALWEG_FOR_DIMENSIONS(THALWEG_INSTANTIATE)
#undef THALWEG_INSTANTIATE

}  // namespace thalweg::exchange
