// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <memory>

#include <thalweg/field/joined_blocks.hpp>
#include <thalweg/mesh/geometry.hpp>
#include <thalweg/numerics/scheme.hpp>
#include <thalweg/step/cell_functions.hpp>
#include <thalweg/step/equations.hpp>
#include <thalweg/step/source_terms.hpp>
#include <thalweg/step/split_source.hpp>
#include <thalweg/step/stage_source.hpp>
#include <thalweg/step/state.hpp>
#include <thalweg/step/time_control.hpp>

namespace thalweg::step {

/// What a step needs to know beside the mesh and the state.
template <int D>
struct StepSettings {
  std::shared_ptr<const Equations<D>> equations;
  TimeSettings time;
  SourceTerms<D> source{};  ///< none where there are none
  AddRate<D> rate{};        ///< of what states around a cell say; for schemes all of whose stages
                            ///< have a share in the step
  FindLongestDt<D> longest_dt{};  ///< none where nothing but signals limits steps
};

/// Of which blocks a step keeps the state at its start.
template <int D>
Saved saved_by(const Equations<D>& equations, const TimeSettings& time) {
  const auto stages = equations.stages();
  if (std::ranges::any_of(stages, &numerics::Stage::reads_around_start))
    return Saved::all_and_around;
  if (stages.size() > 1) return Saved::all;
  return time.subcycle ? Saved::read_by_finer : Saved::none;
}

/// Which blocks are joined.
///
/// None where equations are on faces, of which neighbours have those between them both. Without
/// subcycling blocks under finer ones are not advanced, which may lie beside others. Where there
/// are several workers, here or on other ranks, each has a few arrays: to share, and to advance
/// while messages are on their way.
/// @param n_workers  of this rank
template <int D>
field::JoinRule join_rule(const Equations<D>& equations, const TimeSettings& time, int n_workers,
                          int n_ranks) {
  using enum field::JoinLevels;
  constexpr int n_each = 4;
  return {
      .levels = equations.faces() != nullptr ? none
                : time.subcycle              ? all
                                             : finest,
      .least_arrays = n_workers * n_ranks == 1 ? 1 : static_cast<std::size_t>(n_each * n_workers)};
}

/// Bytes of scratch that the tasks of a step need on each worker.
/// @param rule  of which blocks are joined
template <int D>
std::size_t scratch_bytes(const Equations<D>& equations, const mesh::Geometry<D>& geometry,
                          const field::JoinRule& rule = {}) {
  const auto& block_cells = geometry.block_cells();
  const auto block =
      field::joined_cells(Box<D>{{}, block_cells}, rule.template most_joined<D>(block_cells));
  const int n = equations.n_components();
  const std::size_t of_source =
      StageSource<D>::scratch_bytes(block, n) + SplitSource<D>::scratch_bytes(block, n);
  return std::max(equations.scratch_bytes(block) + of_source, equations.scratch_bytes_prolong());
}

}  // namespace thalweg::step
