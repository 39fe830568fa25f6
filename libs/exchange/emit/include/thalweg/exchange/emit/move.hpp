// SPDX-License-Identifier: MIT
#pragma once
#include <type_traits>

#include <thalweg/exchange/emit/fill.hpp>
#include <thalweg/exchange/emit/level_data.hpp>
#include <thalweg/exchange/plan/coarse.hpp>
#include <thalweg/exchange/plan/move.hpp>
#include <thalweg/flow/recorder.hpp>

namespace thalweg::exchange {

/// Record moving the cells of a level's blocks from where the old forest had them to where the new
/// one has them. Blocks that lie in the same memory in both stay there.
template <int D>
void emit_move(flow::Recorder& recorder, const LevelData<D>& before, const LevelData<D>& after,
               const MovePlan<D>& plan, int n_components);

/// Record interpolating the cells of a level's new blocks from the coarser level, which is
/// complete.
/// @param boundary  BoundaryContext of cells, or of points: PointBoundaryContext
template <int D>
void emit_prolong(flow::Recorder& recorder, const std::type_identity_t<FillContext<D>>& boundary,
                  const LevelData<D>& level, const LevelData<D>& coarser,
                  const CoarsePlan<D>& plan);

}  // namespace thalweg::exchange
