// SPDX-License-Identifier: MIT
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>

#include <thalweg/app/covered_boxes.hpp>
#include <thalweg/app/simulation.hpp>
#include <thalweg/core/random.hpp>
#include <thalweg/flow/collective.hpp>
#include <thalweg/numerics/system.hpp>

namespace thalweg::testing {

/// Call look(centre, volume, state) for the leaf cells of this rank.
template <class Scheme, class Look>
void for_each_leaf(const app::Simulation<Scheme>& simulation, Look look) {
  constexpr int D = Scheme::dim;
  const auto& geometry = simulation.mesh().forest.geometry;
  for (int l = 0; l < simulation.mesh().n_levels(); ++l) {
    const auto& level = simulation.state().cells[static_cast<std::size_t>(l)];
    const double volume = product(geometry.cell_size(l));
    for (std::size_t b = 0; b < level.size(); ++b) {
      const auto covered = app::covered_boxes(simulation.mesh(), level.keys()[b]);
      const auto& cells = level.view(b);
      for_each(geometry.cells(level.keys()[b]), [&](const Index<D>& i) {
        for (const auto& box : covered)
          if (box.contains(i)) return;
        look(geometry.centre(l, i), volume,
             numerics::load<typename Scheme::State>(cells.at(0, i), cells.component_stride()));
      });
    }
  }
}

/// A number over place and bits of all leaf cells of all ranks, however they are spread.
/// Collective.
template <class Scheme>
std::uint64_t checksum(const app::Simulation<Scheme>& simulation) {
  std::uint64_t sum = 0;
  for_each_leaf(simulation, [&](const auto& x, double, const auto& u) {
    std::uint64_t cell = 0;
    const auto mix = [&](double value) {
      cell = SplitMix64(cell ^ std::bit_cast<std::uint64_t>(value))();
    };
    for (const double at : x.at) mix(at);
    for (std::size_t c = 0; c < Scheme::n_components; ++c) mix(numerics::component(u, c));
    sum += cell;  // in any order
  });
  return flow::all_reduce(simulation.context().transport, sum, std::plus<std::uint64_t>{});
}

}  // namespace thalweg::testing
