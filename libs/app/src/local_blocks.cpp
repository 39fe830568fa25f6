// SPDX-License-Identifier: MIT
#include <thalweg/app/local_blocks.hpp>

#include <cstddef>
#include <type_traits>

#include <thalweg/app/mesh_simulation.hpp>
#include <thalweg/core/dimensions.hpp>
#include <thalweg/core/error.hpp>

namespace thalweg::app {

namespace {

// Call f with a simulation as that of its dimension; false if it has no mesh.
template <class F>
bool with_mesh(AnySimulation& simulation, F f) {
  const auto try_dimension = [&]<int D>(std::integral_constant<int, D>) {
    if constexpr (is_compiled(D)) {
      if (const auto* const found = dynamic_cast<const MeshSimulation<D>*>(&simulation)) {
        f(*found);
        return true;
      }
    }
    return false;
  };
  return try_dimension(std::integral_constant<int, 1>{}) ||
         try_dimension(std::integral_constant<int, 2>{}) ||
         try_dimension(std::integral_constant<int, 3>{});
}

template <class T, int D>
std::vector<T> list(const auto& vector) {
  std::vector<T> all;
  for (int a = 0; a < D; ++a) all.push_back(vector[a]);
  return all;
}

template <int D>
LocalBlocks blocks_of(const MeshSimulation<D>& simulation) {
  const auto& geometry = simulation.mesh().forest.geometry;
  LocalBlocks all{.revision = simulation.mesh().forest.revision,
                  .lower = list<double, D>(geometry.config().lower),
                  .upper = list<double, D>(geometry.config().upper),
                  .levels = {}};
  for (std::size_t l = 0; l < simulation.state().cells.size(); ++l) {
    const auto& cells = simulation.state().cells[l];
    auto& level = all.levels.emplace_back();
    level.cell_size = list<double, D>(geometry.cell_size(static_cast<int>(l)));
    for (std::size_t b = 0; b < cells.size(); ++b) {
      const Box<D> valid = geometry.cells(cells.keys()[b]);
      const auto& view = cells.view(b);
      level.blocks.push_back({.lower = list<std::int64_t, D>(valid.lo),
                              .extent = list<std::int64_t, D>(geometry.block_cells()),
                              .n_ghosts = valid.lo[0] - view.box().lo[0],
                              .data = view.data()});
    }
  }
  return all;
}

}  // namespace

LocalBlocks local_blocks(AnySimulation& simulation) {
  LocalBlocks all;
  if (with_mesh(simulation, [&](const auto& mesh) { all = blocks_of(mesh); })) return all;
  throw Error(
      "this simulation has no blocks of cells (its equations keep them in another way); write a "
      "plotfile, and read that");
}

std::uint64_t blocks_revision(AnySimulation& simulation) {
  std::uint64_t revision = 0;
  with_mesh(simulation, [&](const auto& mesh) { revision = mesh.mesh().forest.revision; });
  return revision;
}

}  // namespace thalweg::app
