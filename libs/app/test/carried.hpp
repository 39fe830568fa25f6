// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstdint>
#include <functional>

#include <thalweg/app/context.hpp>
#include <thalweg/app/problem.hpp>
#include <thalweg/app/simulation.hpp>
#include <thalweg/comm/sim_network.hpp>
#include <thalweg/core/logger.hpp>
#include <thalweg/numerics/riemann_hlle.hpp>
#include <thalweg/numerics/scheme.hpp>
#include <thalweg/numerics/tag.hpp>

#include "../../numerics/test/advection.hpp"

namespace thalweg::app::testing {

using Carried =
    numerics::Scheme<numerics::test::Advection<2>, numerics::PlmVanLeer, numerics::RiemannHlle>;

/// A dense spot that a wind carries through a periodic box, with fine blocks around it.
inline Problem<Carried> carried_spot() {
  return {
      .scheme = {numerics::test::Advection<2>{{1.0, 0.5}}},
      .initial =
          [](const Vec<2>& x, const Vec<2>&) {
            const double r2 = std::pow(x[0] - 0.3, 2) + std::pow(x[1] - 0.4, 2);
            return Carried::State{1.0 + 4.0 * std::exp(-200.0 * r2)};
          },
      .boundaries = {},
      .tag =
          [](int, View<const double, 2> cells, const Box<2>& valid, View<std::uint8_t, 2> tags) {
            numerics::tag_jumps<Carried::State>(cells, tags, valid, 0.1,
                                                [](Carried::State u) { return std::array{u.q}; });
          },
      .component_names = {"q"}};
}

inline Settings<2> settings() {
  return {.mesh = {.root_blocks = {4, 3}, .block_cells = 8, .max_level = 2},
          .time = {.max_steps = 1000}};
}

/// Run a program on virtual ranks that share a file system.
inline Result<void> on_ranks(int n_ranks, io::FileSystem& files,
                             const std::function<void(const Context&)>& program,
                             const Execution& execution = {}) {
  comm::SimNetwork network({.n_ranks = n_ranks, .seed = 7});
  return network.run([&](flow::Transport& transport) {
    Logger log(nullptr, transport.rank());
    program({transport, network.clock(), files, log, execution});
  });
}

}  // namespace thalweg::app::testing
