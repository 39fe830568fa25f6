// SPDX-License-Identifier: MIT
#include "carried.hpp"

#include <array>
#include <cmath>
#include <cstdint>

#include <thalweg/comm/sim_network.hpp>
#include <thalweg/core/logger.hpp>
#include <thalweg/numerics/tag.hpp>

template class thalweg::app::Simulation<thalweg::app::testing::Carried>;

namespace thalweg::app::testing {

Problem<Carried> carried_spot() {
  return {.scheme = {numerics::test::Advection<2>{{1.0, 0.5}}},
          .initial =
              [](const numerics::CellContext<2>& cell) {
                const double r2 =
                    std::pow(cell.centre[0] - 0.3, 2) + std::pow(cell.centre[1] - 0.4, 2);
                return Carried::State{1.0 + 4.0 * std::exp(-200.0 * r2)};
              },
          .boundaries = {},
          .tag =
              [](const step::LevelContext<2>&, const View<const double, 2>& cells,
                 const Box<2>& valid, const View<std::uint8_t, 2>& tags) {
                numerics::tag_jumps<Carried::State>(
                    cells, tags, valid, 0.1, [](Carried::State u) { return std::array{u.q}; });
              },
          .fields = {{.name = "q"}}};
}

Settings<2> settings() {
  return {.mesh = {.root_blocks = {4, 3}, .block_cells = 8, .max_level = 2},
          .time = {.max_steps = 1000}};
}

Result<void> on_ranks(int n_ranks, io::FileSystem& files,
                      const std::function<void(const Context&)>& program,
                      const Execution& execution) {
  comm::SimNetwork network({.n_ranks = n_ranks, .seed = 7});
  return network.run([&](flow::Transport& transport) {
    Logger log(nullptr, transport.rank());
    program({transport, network.clock(), files, log, execution});
  });
}

}  // namespace thalweg::app::testing
