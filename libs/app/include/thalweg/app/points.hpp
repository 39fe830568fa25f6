// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include <thalweg/app/derived.hpp>
#include <thalweg/core/box.hpp>
#include <thalweg/core/subnormals_are_zero.hpp>
#include <thalweg/core/vec.hpp>
#include <thalweg/flow/collective.hpp>
#include <thalweg/flow/transport.hpp>
#include <thalweg/mesh/geometry.hpp>
#include <thalweg/step/mesh.hpp>
#include <thalweg/step/state.hpp>

namespace thalweg::app {

/// The finest cells that points lie in: of each the components, then the derived fields. The same
/// on all ranks, whoever has the cells. Collective.
/// @shape   [point * n_variables + variable]
/// @pre     the points are in the domain; the ghost cells are filled if a field reads neighbours
/// @param   n_variables  components and derived fields
/// @cost    messages as all_gather_v: of each point its numbers once a level, at most
template <int D>
std::vector<double> values_at(flow::Transport& transport, const step::Mesh<D>& mesh,
                              const step::State<D>& state, std::span<const Vec<D>> points,
                              std::size_t n_variables, const DerivedFields<D>& derived = {}) {
  const auto& geometry = mesh.forest.geometry;
  const std::size_t n_numbers =
      2 + n_variables;  // of a point that a rank has: which, on which level
  std::vector<double> mine;
  const SubnormalsAreZero as_in_tasks;  // so fields have the bits that plotfiles have
  for (std::size_t p = 0; p < points.size(); ++p) {
    for (int l = mesh.n_levels() - 1; l >= 0; --l) {
      const Index<D> cell = geometry.cell_at(l, points[p]);
      const auto block = mesh.forest.level(l).find(geometry.block_of(l, cell));
      if (!block) continue;
      const auto& level = state.cells[static_cast<std::size_t>(l)];
      const Box<D> region{cell, cell + Index<D>::filled(1)};
      const detail::WithDerived<D> numbers(
          geometry, level, *block, region, derived.time,
          detail::all_components(level.view(*block).n_components()), derived.fields);
      mine.insert(mine.end(), {static_cast<double>(p), static_cast<double>(l)});
      mine.insert(mine.end(), numbers.values.begin(), numbers.values.end());
      break;
    }
  }
  const auto all = flow::all_gather_v<double>(transport, mine);
  std::vector<double> values(points.size() * n_variables, std::numeric_limits<double>::quiet_NaN());
  std::vector<double> finest(points.size(), -1);
  for (std::size_t i = 0; i < all.values.size(); i += n_numbers) {
    const auto p = static_cast<std::size_t>(all.values[i]);
    if (all.values[i + 1] <= finest[p]) continue;
    finest[p] = all.values[i + 1];
    std::copy_n(all.values.begin() + static_cast<std::ptrdiff_t>(i + 2), n_variables,
                values.begin() + static_cast<std::ptrdiff_t>(p * n_variables));
  }
  return values;
}

}  // namespace thalweg::app
