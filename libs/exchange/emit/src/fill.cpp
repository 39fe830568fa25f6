// SPDX-License-Identifier: MIT
#include <thalweg/exchange/emit/fill.hpp>

#include <utility>

#include <thalweg/core/dimensions.hpp>
#include <thalweg/exchange/emit/gather.hpp>
#include <thalweg/exchange/emit/messages.hpp>
#include <thalweg/exchange/emit/prolong_patch.hpp>
#include <thalweg/exchange/plan/regions.hpp>
#include <thalweg/mesh/offsets.hpp>

namespace thalweg::exchange {

template <int D>
void emit_fill(flow::Recorder& recorder, const std::type_identity_t<FillContext<D>>& around,
               const LevelData<D>& level, const GhostPlan<D>& plan,
               std::type_identity_t<std::optional<CoarserLevel<D>>> coarser) {
  const int n_components = around.n_components();
  const FromInterior<D> same_level{level};
  Gatherer gather(
      recorder, plan.transfers,
      emit_messages(recorder, "ghost", plan.transfers, n_components, level.level, same_level),
      same_level);
  std::optional<Gatherer<D, FromTime<D>>> gather_coarse;
  if (coarser) {
    const FromTime<D> at_moment{coarser->data, coarser->theta};
    const auto& transfers = coarser->plan.transfers;
    gather_coarse.emplace(
        recorder, transfers,
        emit_messages(recorder, "coarse ghost", transfers, n_components, level.level, at_moment),
        at_moment);
  }

  std::vector<Box<D>> regions;  // to be interpolated, of the block at hand
  if (coarser) regions.reserve(mesh::n_offsets<D>);
  std::vector<flow::Access> accesses;
  accesses.reserve(4 * mesh::n_offsets<D>);
  for (const auto& block : level.blocks) {
    accesses.assign({{block.ghosts, flow::Mode::out}, {block.interior, flow::Mode::in}});
    accesses.insert(accesses.end(), around.reads().begin(), around.reads().end());
    const auto ghosts = gather(block.key, block.cells, accesses);
    const auto fill_outside = [around, cells = block.cells, level_index = level.level] {
      around.fill_outside(cells, level_index);
    };
    const flow::TaskOptions options{
        .preferred_worker = block.preferred_worker, .level = level.level, .block = block.key.code};
    const CoarsePatch<D>* patch = nullptr;
    if (coarser) {
      const auto found = with_destination(coarser->plan.patches, block.key, &CoarsePatch<D>::fine);
      if (!found.empty()) patch = &found.front();
    }
    regions.clear();
    if (patch != nullptr)
      for (const Box<D>& region : coarser->plan.regions_of(*patch)) {
        // Where corners are wanted all layers are interpolated: few schemes want fewer.
        const Box<D> part =
            plan.with_corners ? region : within_reach(region, block.valid, {plan.n_ghost, false});
        if (!part.is_empty()) regions.push_back(part);
      }
    if (regions.empty()) {
      recorder.task(
          "fill", accesses,
          [ghosts, cells = block.cells, fill_outside](flow::TaskContext&) {
            ghosts(cells);
            fill_outside();
          },
          options);
      continue;
    }
    auto prolong = prolong_patch(recorder, *patch, regions, around, *gather_coarse, accesses);
    recorder.task(
        "fill", accesses,
        [ghosts, prolong = std::move(prolong), cells = block.cells,
         fill_outside](flow::TaskContext& context) {
          ghosts(cells);
          prolong(cells, context.scratch());
          fill_outside();
        },
        options);
  }
}

#define THALWEG_INSTANTIATE(D)                                                         \
  template void emit_fill(flow::Recorder&, const FillContext<D>&, const LevelData<D>&, \
                          const GhostPlan<D>&, std::optional<CoarserLevel<D>>)
THALWEG_FOR_DIMENSIONS(THALWEG_INSTANTIATE)
#undef THALWEG_INSTANTIATE

}  // namespace thalweg::exchange
