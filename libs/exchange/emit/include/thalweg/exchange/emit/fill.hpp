// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <thalweg/exchange/emit/gather.hpp>
#include <thalweg/exchange/emit/level_data.hpp>
#include <thalweg/exchange/emit/messages.hpp>
#include <thalweg/exchange/plan/coarse.hpp>
#include <thalweg/exchange/plan/ghost.hpp>
#include <thalweg/flow/recorder.hpp>
#include <thalweg/mesh/geometry.hpp>
#include <thalweg/mesh/offsets.hpp>
#include <thalweg/numerics/boundary.hpp>
#include <thalweg/numerics/prolongation.hpp>
#include <thalweg/numerics/scratch.hpp>

namespace thalweg::exchange {

/// What lies around the domain and how states are interpolated and mirrored.
template <class System>
struct BoundaryContext {
  static constexpr int D = System::dim;
  static constexpr int n_components = System::n_components;

  mesh::Geometry<D> geometry;
  numerics::Boundaries<D> boundaries;
  System system;
  numerics::Prolongation prolongation{};
  /// The states outside the faces that are Boundary::dirichlet or held; called from any worker.
  std::function<typename System::State(const numerics::BoundaryCell<System>&)> given{};
  std::function<double()> time{};     ///< for which given is asked; called from tasks
  std::vector<flow::Access> reads{};  ///< what time() reads, for tasks to declare

  /// Fill the cells of a view of a level that lie outside the domain.
  void fill_outside(const View<double, D>& cells, int level) const {
    using State = typename System::State;
    numerics::fill_boundaries(system, cells, geometry.domain_cells(level), boundaries,
                              [&](int face, const Index<D>& cell, const State& inside) {
                                return given({face, geometry.centre(level, cell), time(), inside});
                              });
  }
  /// Interpolate a region of fine cells from coarse ones around it.
  void prolong(const View<const double, D>& coarse, const View<double, D>& fine,
               const Box<D>& region, int ratio) const {
    numerics::prolong<System>(system, prolongation, coarse, fine, region, ratio);
  }
};

/// The next coarser level as a source of ghost cells, at a moment within its last step.
template <int D>
struct CoarserLevel {
  const LevelData<D>& data;
  const CoarsePlan<D>& plan;
  double theta = 1;  ///< 0: the saved state, 1: the present one
};

/// Prolongs the cells that a coarser level gives to one block.
/// @tparam Around  BoundaryContext of cells, or of points: PointBoundaryContext
template <class Around, class Gathered>
struct ProlongPatch {
  static constexpr int D = Around::D;
  int level;                        ///< the finer one
  Box<D> patch;                     ///< of the coarser one
  std::span<const Box<D>> regions;  ///< of the block
  Gathered coarse;                  ///< brings the data of the patch
  std::shared_ptr<const Around> around;

  void operator()(View<double, D> to, std::span<std::byte> scratch_bytes) const {
    numerics::Scratch scratch(scratch_bytes);
    const View<double, D> cells = scratch.take(patch, Around::n_components);
    coarse(cells);
    around->fill_outside(cells, level - 1);
    for (const auto& region : regions)
      around->prolong(cells, to, region, around->geometry.ratio(level - 1));
  }
};

/// Make what prolongs the cells of one block of a plan.
/// @param gather    a Gatherer of the plan's transfers
/// @param accesses  what that reads is added here
template <class Around, class Source>
auto prolong_patch(flow::Recorder& recorder, const CoarsePlan<Around::D>& plan,
                   const CoarsePatch<Around::D>& patch, const std::shared_ptr<const Around>& around,
                   Gatherer<Around::D, Source>& gather, std::vector<flow::Access>& accesses) {
  const View<double, Around::D> shape(nullptr, patch.patch, Around::n_components);
  auto coarse = gather(patch.fine, shape, accesses);
  return ProlongPatch<Around, decltype(coarse)>{patch.fine.level, patch.patch,
                                                copy_to_arena(recorder, plan.regions_of(patch)),
                                                coarse, around};
}

/// Bytes of scratch that ProlongPatch needs for a block with ghost cells.
/// @param reach  of the prolongation
template <class System>
std::size_t scratch_bytes_prolong(const mesh::Geometry<System::dim>& geometry, int n_ghosts,
                                  int reach) {
  constexpr int D = System::dim;
  numerics::Scratch counting;
  // The patch lies within the coarsened block with ghosts and what is read around it; at an odd
  // place the coarsened box may be one cell longer. The smaller the ratio the larger it is.
  int ratio = geometry.ratio(0);
  for (int l = 1; l < geometry.max_level(); ++l) ratio = std::min(ratio, geometry.ratio(l));
  const Box<D> block = Box<D>{{}, geometry.block_cells()}.grown(n_ghosts);
  Box<D> patch = block.coarsened(ratio).grown(reach);
  patch.hi += Index<D>::filled(1);
  counting.take(patch, System::n_components);
  return counting.n_bytes();
}

/// Record filling the ghost cells of all blocks of a level (FillPatch): from blocks of the same
/// level, else interpolated from the coarser one in space and time, else from the physical
/// boundary.
///
/// @param around   BoundaryContext of cells, or of points: PointBoundaryContext
/// @param coarser  none on level 0
template <class Around>
void emit_fill(flow::Recorder& recorder, const Around& around, const LevelData<Around::D>& level,
               const GhostPlan<Around::D>& plan, std::optional<CoarserLevel<Around::D>> coarser) {
  constexpr int D = Around::D;
  constexpr int n_components = Around::n_components;
  // One for all tasks: what it holds takes several heap calls to copy.
  const auto shared = std::make_shared<const Around>(around);
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

  std::vector<flow::Access> accesses;
  accesses.reserve(4 * mesh::n_offsets<D>);
  for (const auto& block : level.blocks) {
    accesses.assign({{block.ghosts, flow::Mode::out}, {block.interior, flow::Mode::in}});
    accesses.insert(accesses.end(), around.reads.begin(), around.reads.end());
    const auto ghosts = gather(block.key, block.cells, accesses);
    const auto fill_outside = [shared, cells = block.cells, level_index = level.level] {
      shared->fill_outside(cells, level_index);
    };
    const flow::TaskOptions options{
        .preferred_worker = block.preferred_worker, .level = level.level, .block = block.key.code};
    const CoarsePatch<D>* patch = nullptr;
    if (coarser) {
      const auto found = with_destination(coarser->plan.patches, block.key, &CoarsePatch<D>::fine);
      if (!found.empty()) patch = &found.front();
    }
    if (patch == nullptr) {
      recorder.task(
          "fill", accesses,
          [ghosts, cells = block.cells, fill_outside](flow::TaskContext&) {
            ghosts(cells);
            fill_outside();
          },
          options);
      continue;
    }
    auto prolong = prolong_patch(recorder, coarser->plan, *patch, shared, *gather_coarse, accesses);
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

}  // namespace thalweg::exchange
