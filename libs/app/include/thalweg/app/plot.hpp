// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <thalweg/app/any_simulation.hpp>
#include <thalweg/app/context.hpp>
#include <thalweg/app/derived.hpp>
#include <thalweg/app/shared_plotfile.hpp>
#include <thalweg/core/box.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/core/vec.hpp>
#include <thalweg/core/view.hpp>
#include <thalweg/flow/collective.hpp>
#include <thalweg/io/plotfile.hpp>
#include <thalweg/step/mesh.hpp>
#include <thalweg/step/state.hpp>
#include <thalweg/step/time_control.hpp>

namespace thalweg::app {

/// What a plotfile holds, and where it goes.
struct PlotTarget {
  std::string path;                    ///< of this plotfile
  std::vector<std::string> variables;  ///< names: those of components, then of derived fields
  std::vector<int> components;         ///< of the state, which ones are written; they ascend
  int ranks_per_file = 16;
  std::string deck{};  ///< that is written beside it
  bool is_subcycled = false;
  io::NumberType numbers = io::NumberType::float64;
};

namespace detail {

/// What a plotfile of the present state holds, with this rank's blocks.
template <int D>
io::PlotDescription<D> describe_plot(const step::Mesh<D>& mesh, const step::TimeState& time_state,
                                     const PlotTarget& target) {
  const auto& geometry = mesh.forest.geometry;
  io::PlotDescription<D> plot{.variables = target.variables,
                              .time = time_state.time,
                              .step = time_state.step,
                              .is_subcycled = target.is_subcycled,
                              .lower = geometry.config().lower,
                              .upper = geometry.config().upper,
                              .levels = {},
                              .deck = target.deck,
                              .numbers = target.numbers};
  for (int l = 0; l < mesh.n_levels(); ++l) {
    io::PlotLevel<D> level{
        .domain = geometry.domain_cells(l), .cell_size = geometry.cell_size(l), .boxes = {}};
    for (const auto& key : mesh.forest.level(l).keys) level.boxes.push_back(geometry.cells(key));
    plot.levels.push_back(std::move(level));
  }
  return plot;
}

/// Without one of the axes.
template <class T, int D>
BasicVec<T, D - 1> without_axis(const BasicVec<T, D>& v, int axis) {
  BasicVec<T, D - 1> rest;
  for (int a = 0; a < D - 1; ++a) rest[a] = v[a < axis ? a : a + 1];
  return rest;
}
template <int D>
Box<D - 1> without_axis(const Box<D>& box, int axis) {
  return {without_axis(box.lo, axis), without_axis(box.hi, axis)};
}

/// The cells of a plane in this rank's blocks: what they are in the mesh, and in a plotfile.
template <int D>
struct PlaneCells {
  struct OfBlock {
    std::size_t block;  ///< by its position among this rank's on its level
    Box<D> cells;       ///< one thick
  };
  std::vector<std::vector<OfBlock>> levels;
  io::PlotDescription<D - 1> plot;
};

/// Find the cells of a plane among those of a whole plotfile. Levels that no rank has in it are
/// left out. Collective.
template <int D>
PlaneCells<D> cells_of_plane(flow::Transport& transport, const mesh::Geometry<D>& geometry,
                             const io::PlotDescription<D>& whole, const PlotPlane& plane) {
  const auto axis = plane.axis;
  PlaneCells<D> found{.levels = {},
                      .plot = {.variables = whole.variables,
                               .time = whole.time,
                               .step = whole.step,
                               .is_subcycled = whole.is_subcycled,
                               .lower = without_axis(whole.lower, axis),
                               .upper = without_axis(whole.upper, axis),
                               .levels = {},
                               .deck = whole.deck,
                               .numbers = whole.numbers}};
  Vec<D> point = whole.lower;
  point[axis] = plane.at;
  int n_levels = 0;
  for (std::size_t l = 0; l < whole.levels.size(); ++l) {
    const auto& from = whole.levels[l];
    const int index = geometry.cell_at(static_cast<int>(l), point)[axis];
    auto& of_level = found.levels.emplace_back();
    io::PlotLevel<D - 1> level{.domain = without_axis(from.domain, axis),
                               .cell_size = without_axis(from.cell_size, axis),
                               .boxes = {}};
    for (std::size_t b = 0; b < from.boxes.size(); ++b) {
      Box<D> cells = from.boxes[b];
      if (index < cells.lo[axis] || index >= cells.hi[axis]) continue;
      cells.lo[axis] = index;
      cells.hi[axis] = index + 1;
      of_level.push_back({b, cells});
      level.boxes.push_back(without_axis(cells, axis));
    }
    if (!of_level.empty()) n_levels = static_cast<int>(l) + 1;
    found.plot.levels.push_back(std::move(level));
  }
  n_levels = flow::all_reduce(transport, n_levels, [](int a, int b) { return std::max(a, b); });
  found.plot.levels.resize(static_cast<std::size_t>(n_levels));
  return found;
}

}  // namespace detail

/// Write the state as a plotfile; complete on all ranks when it returns. Collective.
/// @param derived  the fields that are written beside the components
/// @pre the ghost cells are filled if a field reads neighbours
/// @errors as write_shared_plotfile
template <int D>
[[nodiscard]] Result<void> write_plot(const Context& context, const step::Mesh<D>& mesh,
                                      const step::State<D>& state,
                                      const step::TimeState& time_state, const PlotTarget& target,
                                      const std::vector<DerivedField<D>>& derived = {},
                                      const Workers& workers = {}) {
  return write_shared_plotfile(
      context, target.path, detail::describe_plot(mesh, time_state, target), target.ranks_per_file,
      [&](int l, std::size_t b, auto&& put) {
        const auto& cells = state.cells[static_cast<std::size_t>(l)];
        if (derived.empty() && std::ssize(target.components) == cells.view(b).n_components())
          put(cells.view(b));
        else
          put(detail::WithDerived<D>(mesh.forest.geometry, cells, b,
                                     mesh.forest.geometry.cells(cells.keys()[b]), time_state.time,
                                     target.components, derived)
                  .cells);
      },
      workers);
}

/// Write the cells that a plane goes through as a plotfile of a dimension less. Collective.
/// @pre as write_plot, and the axis is one of the mesh's, the plane in its domain
/// @errors as write_shared_plotfile
template <int D>
  requires(D > 1)
[[nodiscard]] Result<void> write_plane(const Context& context, const step::Mesh<D>& mesh,
                                       const step::State<D>& state,
                                       const step::TimeState& time_state, const PlotTarget& target,
                                       const PlotPlane& plane,
                                       const std::vector<DerivedField<D>>& derived = {},
                                       const Workers& workers = {}) {
  const auto whole = detail::describe_plot(mesh, time_state, target);
  auto found = detail::cells_of_plane(context.transport, mesh.forest.geometry, whole, plane);
  return write_shared_plotfile(
      context, target.path, std::move(found.plot), target.ranks_per_file,
      [&](int l, std::size_t k, auto&& put) {
        const auto& [block, cells] = found.levels[static_cast<std::size_t>(l)][k];
        const detail::WithDerived<D> slab(mesh.forest.geometry,
                                          state.cells[static_cast<std::size_t>(l)], block, cells,
                                          time_state.time, target.components, derived);
        // One cell thick, so that its numbers lie as those of a plane.
        put(View<const double, D - 1>(slab.values.data(), detail::without_axis(cells, plane.axis),
                                      slab.cells.n_components()));
      },
      workers);
}

}  // namespace thalweg::app
