// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstdint>
#include <numbers>

#include <thalweg/app/problem.hpp>

#include "../../libs/app/test/carried.hpp"

namespace thalweg::testing {

using app::testing::Carried;

/// Something that the wind carries, on tiny blocks which are refined in a disc that goes around in
/// a circle, whatever the wind does.
/// @param part_of_turn  where the disc is, in turns; read while tagging
inline app::Problem<Carried> moving_disc(const double& part_of_turn) {
  return {.scheme = {numerics::test::Advection<2>{{1.0, 0.5}}},
          .initial =
              [](const numerics::CellContext<2>& cell) {
                const auto& x = cell.centre;
                return Carried::State{2.0 + std::sin(2 * std::numbers::pi * (x[0] + x[1]))};
              },
          .boundaries = {},  // periodic
          .tag =
              [&part_of_turn](const numerics::CellContext<2>& cell, const auto&) {
                const double angle = 2 * std::numbers::pi * part_of_turn;
                const double radius = 0.15 / (1 << cell.level);
                const double x = cell.centre[0] - 0.5 - 0.25 * std::cos(angle);
                const double y = cell.centre[1] - 0.5 - 0.25 * std::sin(angle);
                return x * x + y * y < radius * radius;
              },
          .fields = {{.name = "q"}}};
}

inline app::Settings<2> disc_settings() {
  return {.mesh = {.root_blocks = {4, 4}, .block_cells = 8, .max_level = 2},
          .time = {.max_steps = 1'000'000},
          .regrid_interval = 1,
          .regrid_buffer = 1};
}

}  // namespace thalweg::testing
