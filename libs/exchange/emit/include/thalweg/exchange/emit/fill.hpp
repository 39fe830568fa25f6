// SPDX-License-Identifier: MIT
#pragma once
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
#include <thalweg/numerics/boundary.hpp>
#include <thalweg/numerics/prolongation.hpp>
#include <thalweg/numerics/scratch.hpp>

namespace thalweg::exchange {

/// What lies around the domain and how states are interpolated and mirrored.
template <class System>
struct Surroundings {
  static constexpr int D = System::dim;
  static constexpr int n_components = System::n_components;

  mesh::Geometry<D> geometry;
  numerics::Boundaries<D> boundaries;
  System system;
  numerics::Prolongation prolongation{};
  /// The states outside the faces that are Boundary::given; called from any worker.
  std::function<typename System::State(const numerics::CellOutside<System>&)> given{};
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
/// @tparam Around  Surroundings of cells, or of points: PointSurroundings
template <class Around, class Gathered>
struct ProlongPatch {
  static constexpr int D = Around::D;
  CoarsePatch<D> patch;
  Gathered coarse;
  std::shared_ptr<const Around> around;

  void operator()(View<double, D> to, std::span<std::byte> scratch_bytes) const {
    numerics::Scratch scratch(scratch_bytes);
    const View<double, D> cells = scratch.take(patch.patch, Around::n_components);
    coarse(cells);
    around->fill_outside(cells, patch.fine.level - 1);
    for (const auto& region : patch.regions)
      around->prolong(cells, to, region, around->geometry.ratio());
  }
};

/// Bytes of scratch that ProlongPatch needs for a block with ghost cells.
/// @param reach  of the prolongation
template <class System>
std::size_t scratch_bytes_prolong(const mesh::Geometry<System::dim>& geometry, int n_ghosts,
                                  int reach) {
  constexpr int D = System::dim;
  numerics::Scratch counting;
  // The patch lies within the coarsened block with ghosts and what is read around it; at an odd
  // place the coarsened box may be one cell longer.
  const Box<D> block = Box<D>{{}, geometry.block_cells()}.grown(n_ghosts);
  Box<D> patch = block.coarsened(geometry.ratio()).grown(reach);
  patch.hi += Index<D>::filled(1);
  counting.take(patch, System::n_components);
  return counting.n_bytes();
}

/// Record filling the ghost cells of all blocks of a level (FillPatch): from blocks of the same
/// level, else interpolated from the coarser one in space and time, else from the physical
/// boundary.
///
/// @param around   Surroundings of cells, or of points: PointSurroundings
/// @param coarser  none on level 0
template <class Around>
void emit_fill(flow::Recorder& recorder, const Around& around, const LevelData<Around::D>& level,
               const GhostPlan<Around::D>& plan, std::optional<CoarserLevel<Around::D>> coarser) {
  constexpr int D = Around::D;
  constexpr int n_components = Around::n_components;
  // One for all tasks: what it holds takes several heap calls to copy.
  const auto shared = std::make_shared<const Around>(around);
  const auto same_level = from_interior(level);
  const auto arrivals =
      emit_messages(recorder, "ghost", plan.transfers, n_components, level.level, same_level);
  std::vector<Arrival<D>> coarse_arrivals;
  if (coarser)
    coarse_arrivals = emit_messages(recorder, "coarse ghost", coarser->plan.transfers, n_components,
                                    level.level, from_time(coarser->data, coarser->theta));

  for (const auto& block : level.blocks) {
    std::vector<flow::Access> accesses{{block.ghosts, flow::Mode::out},
                                       {block.interior, flow::Mode::in}};
    accesses.insert(accesses.end(), around.reads.begin(), around.reads.end());
    auto ghosts = gather(block.key, plan.transfers, arrivals, same_level, accesses);
    const auto fill_outside = [shared, cells = block.cells, level_index = level.level] {
      shared->fill_outside(cells, level_index);
    };
    const flow::TaskOptions options{
        .home_worker = block.home_worker, .level = level.level, .block = block.key.code};
    const CoarsePatch<D>* patch = nullptr;
    if (coarser) {
      const auto found = with_destination(coarser->plan.patches, block.key, &CoarsePatch<D>::fine);
      if (!found.empty()) patch = &found.front();
    }
    if (patch == nullptr) {
      recorder.task(
          "fill", accesses,
          [ghosts = std::move(ghosts), cells = block.cells, fill_outside](flow::TaskContext&) {
            ghosts(cells);
            fill_outside();
          },
          options);
      continue;
    }
    auto coarse = gather(block.key, coarser->plan.transfers, coarse_arrivals,
                         from_time(coarser->data, coarser->theta), accesses);
    ProlongPatch<Around, decltype(coarse)> prolong{*patch, std::move(coarse), shared};
    recorder.task(
        "fill", accesses,
        [ghosts = std::move(ghosts), prolong = std::move(prolong), cells = block.cells,
         fill_outside](flow::TaskContext& context) {
          ghosts(cells);
          prolong(cells, context.scratch());
          fill_outside();
        },
        options);
  }
}

}  // namespace thalweg::exchange
