// SPDX-License-Identifier: MIT
// What memory a simulation has and will need. Included by mesh_simulation_*d.cpp.
#pragma once
#include <cstddef>

#include <thalweg/app/mesh_simulation.hpp>
#include <thalweg/step/memory.hpp>

namespace thalweg::app {

template <int D>
Need MeshSimulation<D>::need_of(const mesh::Forest<D>& forest) {
  const step::State<D> nothing;
  Need need{.cells = static_cast<double>(
                step::bytes_with(pools_, forest, state_ ? *state_ : nothing, saved()) +
                (backup_ ? backup_->size_bytes_with(forest, saved(), settings_.time) : 0))};
  if (n_captured_ == 0) {  // nothing to go by yet
    need.beside = least_update_bytes<D>(join_rule(), settings_.mesh.block_cells) *
                  extent_of(forest, settings_.time).updates;
    return need;
  }
  const auto moved = context_.transport.n_ranks() == 1
                         ? 0
                         : n_exchanged(mesh_->forest, forest) * sizeof(double) * block_size(false);
  const MeanUpkeep mean(context_.transport,
                        {.lists = list_bytes(), .step = most_step_bytes_, .once = once_bytes_},
                        {extent_of(mesh_->forest, settings_.time).blocks, updates_of_most_});
  need.beside =
      scratch_bytes() + mean.with(extent_of(forest, settings_.time), static_cast<double>(moved));
  return need;
}

template <int D>
Result<void> MeshSimulation<D>::check_memory(const mesh::Forest<D>& forest) {
  if (memory_limit() == 0) return {};
  const Need need = need_of(forest);
  auto fits = check_limit(context_.transport, need, memory_limit());
  if (fits && graph_) expected_ = need;
  return fits;
}

template <int D>
void MeshSimulation<D>::measure_before(const mesh::Forest<D>& next) {
  constexpr double few_updates = 1e5;  // of blocks, on a rank: captured in a quarter of a second
  if (n_captured_ > 0) return;
  double updates = 0;
  for (int l = 0; l < next.n_levels(); ++l)
    updates += static_cast<double>(next.level(l).n_global) *
               static_cast<double>(step::n_substeps(next.geometry, l, settings_.time));
  if (updates <= few_updates * context_.transport.n_ranks()) return;
  capture_step(new_recorder());
  graph_.reset();
}

template <int D>
void MeshSimulation<D>::check_held() {
  if (memory_limit() == 0) return;
  const auto fits = check_limit(context_.transport, held(), memory_limit());
  if (!fits) throw Error(fits.error().message);
}

template <int D>
std::size_t MeshSimulation<D>::block_size(bool with_ghosts) const {
  const auto doubles = [&](int n_ghosts, int n_components, const Centring<D>& centring) {
    return field::LevelField<D>::block_size(settings_.mesh.block_cells, with_ghosts ? n_ghosts : 0,
                                            n_components, centring);
  };
  std::size_t n = doubles(equations().n_ghosts(), equations().n_components(), {});
  for (const auto& points : problem_.points)
    if (with_ghosts || !points.is_derived)
      n += doubles(points.n_ghosts, 1, points.template centring<D>());
  return n;
}

}  // namespace thalweg::app
