// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <thalweg/app/context.hpp>
#include <thalweg/app/derived.hpp>
#include <thalweg/app/shared_plotfile.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/core/view.hpp>
#include <thalweg/field/level_field.hpp>
#include <thalweg/io/plotfile.hpp>
#include <thalweg/step/cell_functions.hpp>
#include <thalweg/step/mesh.hpp>
#include <thalweg/step/state.hpp>
#include <thalweg/step/time_control.hpp>

namespace thalweg::app {

/// Where plotfiles go.
struct PlotTarget {
  std::string path;  ///< of this plotfile
  std::vector<std::string> variables;
  int ranks_per_file = 16;
  std::string deck{};  ///< that is written beside it
  bool is_subcycled = false;
};

namespace detail {

/// The layout of a plotfile of the present state, of this rank's blocks.
template <int D>
io::PlotDescription<D> describe_plot(const step::Mesh<D>& mesh, const step::TimeState& time_state,
                                     const std::vector<std::string>& variables) {
  const auto& geometry = mesh.forest.geometry;
  io::PlotDescription<D> plot{.variables = variables,
                              .time = time_state.time,
                              .step = time_state.step,
                              .lower = geometry.config().lower,
                              .upper = geometry.config().upper,
                              .levels = {}};
  for (int l = 0; l < mesh.n_levels(); ++l) {
    io::PlotLevel<D> level{
        .domain = geometry.domain_cells(l), .cell_size = geometry.cell_size(l), .boxes = {}};
    for (const auto& key : mesh.forest.level(l).keys) level.boxes.push_back(geometry.cells(key));
    plot.levels.push_back(std::move(level));
  }
  return plot;
}

/// The valid cells of a block and its derived fields.
template <int D>
struct WithDerived {
  std::vector<double> values;
  View<double, D> cells;

  WithDerived(const mesh::Geometry<D>& geometry, const field::LevelField<D>& level, std::size_t b,
              double time, const std::vector<DerivedField<D>>& derived)
      : values(View<double, D>::size_of(
            geometry.cells(level.keys()[b]),
            level.view(b).n_components() + static_cast<int>(derived.size()))),
        cells(values.data(), geometry.cells(level.keys()[b]),
              level.view(b).n_components() + static_cast<int>(derived.size())) {
    const auto& state = level.view(b);
    const auto& valid = cells.box();
    for (int c = 0; c < state.n_components(); ++c)
      for_each(valid, [&](const Index<D>& i) { cells[c, i] = state[c, i]; });
    const step::LevelContext<D> context(geometry, level.keys()[b].level, time);
    for (std::size_t f = 0; f < derived.size(); ++f)
      derived[f].set(context, state, valid,
                     View<double, D>(cells.at(state.n_components() + static_cast<int>(f), valid.lo),
                                     valid, 1));
  }
};

}  // namespace detail

/// Write the state as a plotfile; complete on all ranks when it returns. Collective.
/// @param derived  fields that are written beside the components
/// @pre the ghost cells are filled if a field reads neighbours
/// @errors as write_shared_plotfile
template <int D>
Result<void> write_plot(const Context& context, const step::Mesh<D>& mesh,
                        const step::State<D>& state, const step::TimeState& time_state,
                        const PlotTarget& target, const std::vector<DerivedField<D>>& derived = {},
                        const Workers& workers = {}) {
  auto variables = target.variables;
  for (const auto& field : derived) variables.push_back(field.name);
  auto plot = detail::describe_plot(mesh, time_state, variables);
  plot.deck = target.deck;
  plot.is_subcycled = target.is_subcycled;
  return write_shared_plotfile(
      context, target.path, std::move(plot), target.ranks_per_file,
      [&](int l, std::size_t b, auto&& put) {
        const auto& cells = state.cells[static_cast<std::size_t>(l)];
        if (derived.empty())
          put(cells.view(b));
        else
          put(detail::WithDerived<D>(mesh.forest.geometry, cells, b, time_state.time, derived)
                  .cells);
      },
      workers);
}

}  // namespace thalweg::app
