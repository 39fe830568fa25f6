// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <thalweg/exchange/emit/fill.hpp>
#include <thalweg/flow/recorder.hpp>
#include <thalweg/step/mesh.hpp>

namespace thalweg::step {

/// Record filling the ghost cells of a level, as they are between two steps.
template <int D>
void record_fill_level(flow::Recorder& recorder, const exchange::FillContext<D>& boundary,
                       const Mesh<D>& mesh, const std::vector<exchange::LevelData<D>>& levels,
                       std::size_t l) {
  const auto& plans = mesh.plans[l];
  recorder.phase("fill level " + std::to_string(l), flow::PhaseKind::level);
  std::optional<exchange::CoarserLevel<D>> coarser;
  if (l > 0) coarser.emplace(levels[l - 1], plans.interface->coarse);
  exchange::emit_fill(recorder, boundary, levels[l], plans.ghost, coarser);
}

/// The same of all levels.
template <int D>
void record_fill(flow::Recorder& recorder, const exchange::FillContext<D>& boundary,
                 const Mesh<D>& mesh, const std::vector<exchange::LevelData<D>>& levels) {
  for (std::size_t l = 0; l < levels.size(); ++l)
    record_fill_level(recorder, boundary, mesh, levels, l);
}

}  // namespace thalweg::step
