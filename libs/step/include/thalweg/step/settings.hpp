// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <memory>

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

/// Bytes of scratch that the tasks of a step need on each worker.
template <int D>
std::size_t scratch_bytes(const Equations<D>& equations, const mesh::Geometry<D>& geometry) {
  const Box<D> block{{}, geometry.block_cells()};
  const int n = equations.n_components();
  const std::size_t of_source =
      std::max(StageSource<D>(block, n).n_bytes(), SplitSource<D>::n_bytes(block, n));
  return std::max(equations.scratch_bytes(block) + of_source, equations.scratch_bytes_prolong());
}

}  // namespace thalweg::step
