// SPDX-License-Identifier: MIT
#include <thalweg/exchange/emit/fill.hpp>

#include <cstddef>
#include <vector>

#include <thalweg/core/dimensions.hpp>
#include <thalweg/exchange/emit/gather.hpp>
#include <thalweg/exchange/emit/messages.hpp>
#include <thalweg/exchange/emit/prolong_patch.hpp>
#include <thalweg/exchange/emit/task_names.hpp>
#include <thalweg/exchange/plan/regions.hpp>
#include <thalweg/mesh/offsets.hpp>

namespace thalweg::exchange {

template <int D>
void emit_fill(flow::Recorder& recorder, const std::type_identity_t<FillContext<D>>& boundary,
               const LevelData<D>& level, const GhostPlan<D>& plan,
               std::type_identity_t<std::optional<CoarserLevel<D>>> coarser) {
  const int n_components = boundary.n_components();
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

  using Prolong = ProlongPatch<D, Gather<D, TimeSource<D>>>;
  std::vector<Prolong> prolongs;       // of the group at hand
  std::vector<Destination<D>> shares;  // likewise
  std::vector<Box<D>> regions;         // to be interpolated, of the block at hand
  shares.reserve(std::size_t{1} << D);
  if (coarser) prolongs.reserve(std::size_t{1} << D);
  if (coarser) regions.reserve(mesh::n_offsets<D>);
  std::vector<flow::Access> accesses;
  accesses.reserve(4 * mesh::n_offsets<D>);
  level.for_each_group([&](const BlockGroup<D>& group) {
    const BlockData<D>& front = group.front();
    accesses.assign({{front.ghosts, flow::Mode::out}, {front.interior, flow::Mode::in}});
    accesses.insert(accesses.end(), boundary.reads().begin(), boundary.reads().end());
    shares.clear();
    for (const auto& block : group.blocks) shares.push_back({block.key, group.share_of(block)});
    const auto ghosts = gather(shares, group.cells, accesses);
    prolongs.clear();
    for (std::size_t b = 0; coarser && b < group.blocks.size(); ++b) {
      const auto patch =
          with_destination(coarser->plan.patches, group.blocks[b].key, &CoarsePatch<D>::fine);
      if (patch.empty()) continue;
      regions.clear();
      for (const Box<D>& region : coarser->plan.regions_of(patch.front())) {
        // Where corners are wanted all layers are interpolated: few schemes want fewer.
        const Box<D> wanted = plan.reach.with_corners
                                  ? region
                                  : within_reach(region, group.blocks[b].valid, plan.reach);
        const Box<D> part = intersect(wanted, shares[b].part);
        if (!part.is_empty()) regions.push_back(part);
      }
      if (!regions.empty())
        prolongs.push_back(prolong_patch(recorder, patch.front(), regions, n_components,
                                         *gather_coarse, accesses));
    }
    recorder.task(
        group.task_name(task_names::fill), accesses,
        [boundary, ghosts, prolongs = copy_to_arena(recorder, prolongs), cells = group.cells,
         level_index = level.level](flow::TaskContext& context) {
          ghosts(cells);
          for (const Prolong& prolong : prolongs) prolong(boundary, cells, context.scratch());
          boundary.fill_boundaries(cells, level_index);
        },
        front.task_options());
  });
}

#define THALWEG_INSTANTIATE(D)                                                         \
  template void emit_fill(flow::Recorder&, const FillContext<D>&, const LevelData<D>&, \
                          const GhostPlan<D>&, std::optional<CoarserLevel<D>>)
THALWEG_FOR_DIMENSIONS(THALWEG_INSTANTIATE)
#undef THALWEG_INSTANTIATE

}  // namespace thalweg::exchange
