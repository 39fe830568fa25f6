// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>
#include <type_traits>
#include <vector>

#include <thalweg/core/view.hpp>
#include <thalweg/exchange/emit/level_data.hpp>
#include <thalweg/exchange/plan/reflux.hpp>
#include <thalweg/flow/recorder.hpp>
#include <thalweg/numerics/reflux.hpp>

namespace thalweg::exchange {

/// The coarse faces of a patch in the index space of its coarse block; face i is the lower of cell
/// i.
template <int D>
Box<D> coarse_faces(const FluxPatch<D>& patch) {
  return patch.side == 0 ? patch.region.shifted(Index<D>::unit(patch.axis)) : patch.region;
}

/// The same faces in the index space of its fine block, coarsened; the domain may wrap in between.
template <int D>
Box<D> fine_faces(const FluxPatch<D>& patch, const Box<D>& fine_cells, int ratio) {
  Box<D> faces = fine_cells.coarsened(ratio);
  faces.lo[patch.axis] = patch.side == 0 ? faces.lo[patch.axis] : faces.hi[patch.axis];
  faces.hi[patch.axis] = faces.lo[patch.axis] + 1;
  return faces;
}

/// Room for the flux through one patch, integrated over a coarse step: dt * F for each coarse face.
template <int D>
struct FluxRegister {
  FluxPatch<D> patch;
  View<double, D> values;  ///< on coarse_faces(patch)
};

/// The registers at the faces of one block, filled by the task that advances it.
template <int D>
struct BlockRegisters {
  mesh::Key<D> block;
  flow::DatumId datum;
  std::span<const FluxRegister<D>> registers;  ///< live as long as the recording
};

/// The registers of one side, fine or coarse, of a level boundary, sorted by block.
template <int D>
using RegisterSet = std::vector<BlockRegisters<D>>;

/// Find the registers of a block, if it has any.
template <int D>
const BlockRegisters<D>* find_registers(const RegisterSet<D>& set, const mesh::Key<D>& block) {
  const auto it = std::ranges::lower_bound(set, block, {}, &BlockRegisters<D>::block);
  return it != set.end() && it->block == block ? &*it : nullptr;
}

/// Make room for the fluxes of patches, grouped by one of their two blocks.
///
/// @param block  &FluxPatch<D>::fine or &FluxPatch<D>::coarse
template <int D>
RegisterSet<D> make_registers(flow::Recorder& recorder, std::vector<FluxPatch<D>> patches,
                              mesh::Key<D> FluxPatch<D>::* block, int n_components);

/// Corrects the cells along some faces: numerics::correct_cells, or what a system makes of it.
template <int D>
using CorrectCells = std::type_identity_t<std::function<void(
    const View<double, D>& cells, const View<const double, D>& coarse,
    const View<const double, D>& fine, const Box<D>& faces, int axis, numerics::Side, double h)>>;

/// Record replacing coarse fluxes by fine ones at the faces where a level ends (reflux).
///
/// @param fine    registers of the fine blocks: sums over the substeps
/// @param coarse  registers of the coarse blocks: what their own step used
/// @param dx      cell size of the coarse level
template <int D>
void emit_reflux(flow::Recorder& recorder, const LevelData<D>& coarse_level,
                 const RefluxPlan<D>& plan, const RegisterSet<D>& fine,
                 const RegisterSet<D>& coarse, Vec<D> dx, int n_components,
                 const CorrectCells<D>& correct = numerics::correct_cells<D>);

}  // namespace thalweg::exchange
