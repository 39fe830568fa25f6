// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include <fmt/format.h>

#include <thalweg/field/level_field.hpp>
#include <thalweg/flow/collective.hpp>
#include <thalweg/hydro/run.hpp>
#include <thalweg/hydro/simulation.hpp>

namespace thalweg::hydro {

namespace {

template <int D, int N>
std::string estimate_of(const io::Deck& deck, const app::Context& context) {
  const auto setup = set_up<D, N>(deck);
  const Simulation<D, N> simulation(context, setup.problem, setup.settings);
  const auto& config = setup.settings.mesh;
  const std::size_t block_bytes =
      sizeof(double) * field::LevelField<D>::block_size(config.block_cells,
                                                        setup.problem.scheme.n_ghosts,
                                                        GasScheme<D, N>::n_components);
  std::string text = fmt::format("{:>5}  {:>12}  {:>14}  {:>16}  {:>12}\n", "level", "blocks",
                                 "cells", "updates a step", "MiB");
  double updates = 0, mib = 0;
  const auto& time = setup.settings.time;
  const auto& forest = simulation.mesh().forest;
  for (int l = 0; l < forest.n_levels(); ++l) {
    const auto& level = forest.level(l);
    const auto cells_of = [&](std::int64_t n) {
      return n * Box<D>{{}, config.block_cells}.n_cells();
    };
    const auto cells = cells_of(level.n_global);
    const std::int64_t n_idle =
        time.subcycle ? 0
                      : flow::all_reduce(context.transport, simulation.mesh().n_covered(l),
                                         std::plus<std::int64_t>{});
    const double of_level = static_cast<double>(step::n_substeps(forest.geometry, l, time) *
                                                cells_of(level.n_global - n_idle));
    const double mib_of_level =
        0x1p-20 * static_cast<double>(level.n_global) * static_cast<double>(block_bytes);
    text += fmt::format("{:>5}  {:>12}  {:>14}  {:>16.4g}  {:>12.1f}\n", l, level.n_global, cells,
                        of_level, mib_of_level);
    updates += of_level;
    mib += mib_of_level;
  }
  const auto mib_of_all = [&](std::size_t bytes) {
    return 0x1p-20 * static_cast<double>(flow::all_reduce(context.transport, std::uint64_t{bytes},
                                                          std::plus<std::uint64_t>{}));
  };
  const double with_saved = mib_of_all(simulation.field_bytes());
  const double held = mib_of_all(simulation.held_bytes());
  const double n_steps =
      std::min(std::ceil(time.end / simulation.moment().dt), static_cast<double>(time.max_steps));
  return text +
         fmt::format(
             "memory: {:.1f} MiB of cells, {:.1f} MiB with what is kept of the start of a "
             "step, {:.1f} MiB with plans, graphs and messages, on {} ranks\n"
             "cost: {:.4g} zone updates a step; with the first dt, {:.4g}, and this mesh {:.4g} "
             "steps and {:.4g} zone updates",
             mib, with_saved, held, context.transport.n_ranks(), updates, simulation.moment().dt,
             n_steps, n_steps * updates);
}

}  // namespace

std::string estimate(const io::Deck& deck, const app::Context& context) {
  return with_dimensions(deck, [&]<int D, int N>() { return estimate_of<D, N>(deck, context); });
}

}  // namespace thalweg::hydro
