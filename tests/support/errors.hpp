// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <thalweg/app/covered_boxes.hpp>
#include <thalweg/app/simulation.hpp>
#include <thalweg/numerics/system.hpp>
#include <thalweg/step/cell_functions.hpp>

namespace thalweg::testing {

/// What a run leaves of a known solution.
struct Errors {
  std::vector<double> l1;  ///< of each component: mean of |u - exact| over the domain
  std::int64_t n_leaf_cells = 0;

  /// The root of the sum of their squares, as Athena++ reports it.
  double norm() const {
    double squares = 0;
    for (const double e : l1) squares += e * e;
    return std::sqrt(squares);
  }
};

/// Compare the leaf cells with exact(cell), their mean states at cell.time. @pre one rank
template <class Scheme, class Exact>
Errors errors(const app::Simulation<Scheme>& simulation, const Exact& exact) {
  constexpr int D = Scheme::dim;
  const auto& mesh = simulation.mesh();
  const auto& geometry = mesh.forest.geometry;
  const double volume = product(geometry.config().upper - geometry.config().lower);

  Errors result{std::vector<double>(Scheme::n_components), 0};
  for (int l = 0; l < mesh.n_levels(); ++l) {
    const auto& level = simulation.state().cells[static_cast<std::size_t>(l)];
    const step::LevelContext<D> here{geometry, l, simulation.time_state().time};
    const double weight = product(geometry.cell_size(l)) / volume;
    for (std::size_t b = 0; b < level.size(); ++b) {
      const auto covered = app::covered_boxes(mesh, level.keys()[b]);
      const auto& cells = level.view(b);
      for_each(geometry.cells(level.keys()[b]), [&](const Index<D>& i) {
        for (const auto& box : covered)
          if (box.contains(i)) return;
        const auto expected = exact(here.cell(i));
        for (std::size_t c = 0; c < result.l1.size(); ++c)
          result.l1[c] +=
              weight * std::abs(cells[static_cast<int>(c), i] - numerics::component(expected, c));
        ++result.n_leaf_cells;
      });
    }
  }
  return result;
}

}  // namespace thalweg::testing
