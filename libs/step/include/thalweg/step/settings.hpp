// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>

#include <thalweg/exchange/emit/fill.hpp>
#include <thalweg/numerics/prolongation.hpp>
#include <thalweg/numerics/scheme.hpp>
#include <thalweg/step/cell_functions.hpp>
#include <thalweg/step/source_terms.hpp>
#include <thalweg/step/stage_source.hpp>
#include <thalweg/step/state.hpp>
#include <thalweg/step/time_control.hpp>

namespace thalweg::step {

/// What a step needs to know beside the mesh and the state.
template <numerics::BlockScheme Scheme>
struct StepSettings {
  Scheme scheme;
  exchange::BoundaryContext<typename Scheme::System> around;
  TimeSettings time;
  SourceTerms<Scheme::dim> source{};  ///< none where there are none
  /// Of what states around a cell say; for schemes of several stages.
  SourceRate<typename Scheme::State, Scheme::dim> rate{};
};

/// Of which blocks a step keeps the state at its start.
template <numerics::BlockScheme Scheme>
Saved saved_by(const Scheme& scheme, const TimeSettings& time) {
  if (numerics::stages_of(scheme).size() > 1) return Saved::all;
  return time.subcycle ? Saved::read_by_finer : Saved::none;
}

/// Bytes of scratch that the tasks of a step need on each worker.
template <numerics::BlockScheme Scheme>
std::size_t scratch_bytes(const Scheme& scheme, const mesh::Geometry<Scheme::dim>& geometry,
                          const numerics::Prolongation& prolongation = {}) {
  const Box<Scheme::dim> block{{}, geometry.block_cells()};
  const StageSource<typename Scheme::State, Scheme::dim> source(block, Scheme::n_components);
  return std::max(scheme.scratch_bytes(block) + source.n_bytes(),
                  exchange::scratch_bytes_prolong<typename Scheme::System>(
                      geometry, scheme.n_ghosts, prolongation.reach()));
}

}  // namespace thalweg::step
