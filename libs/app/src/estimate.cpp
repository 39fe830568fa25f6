// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include <thalweg/app/driver.hpp>

namespace thalweg::app {

Result<std::string> estimate(const Application& application, const io::Deck& deck,
                             const Context& context) {
  const auto setup = application.set_up(deck);
  const auto made = setup->simulation(context, nullptr, {});
  if (!made) return std::unexpected(made.error());
  const auto cost = (*made)->cost();
  std::string text = fmt::format("{:>5}  {:>12}  {:>14}  {:>16}  {:>12}\n", "level", "blocks",
                                 "cells", "updates a step", "MiB");
  double updates = 0, bytes = 0;
  for (int l = 0; const auto& level : cost.levels) {
    text += fmt::format("{:>5}  {:>12}  {:>14}  {:>16.4g}  {:>12.1f}\n", l++, level.n_blocks,
                        level.n_cells, level.updates, 0x1p-20 * level.bytes);
    updates += level.updates;
    bytes += level.bytes;
  }
  const auto& time = setup->time();
  const double dt = (*made)->time_state().dt;
  const double n_steps = std::min(std::ceil(time.end / dt), static_cast<double>(time.max_steps));
  return text +
         fmt::format(
             "memory: {:.1f} MiB of cells, {:.1f} MiB with what is kept of the start of a "
             "step, {:.1f} MiB with plans, graphs and messages, on {} ranks\n"
             "cost: {:.4g} zone updates a step; with the first dt, {:.4g}, and this mesh {:.4g} "
             "steps and {:.4g} zone updates",
             0x1p-20 * bytes, 0x1p-20 * cost.field_bytes, 0x1p-20 * cost.held_bytes,
             context.transport.n_ranks(), updates, dt, n_steps, n_steps * updates);
}

}  // namespace thalweg::app
