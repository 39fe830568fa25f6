// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include <thalweg/app/driver.hpp>
#include <thalweg/trace/event.hpp>

namespace thalweg::app {
namespace {

constexpr double mib = 0x1p-20;

// What a rank may take [MiB]; 0: nobody knows.
double limit_mib(const io::Deck& deck, std::size_t memory_bytes) {
  const double given = deck.real("run.memory_limit_mib");
  return given > 0 ? given : mib * static_cast<double>(memory_bytes);
}

}  // namespace

void check_size(const Application& application, const io::Deck& deck, int n_ranks,
                std::size_t memory_bytes) {
  const double limit = limit_mib(deck, memory_bytes);
  if (limit == 0) return;
  const double cells = mib * application.set_up(deck)->root_bytes() / n_ranks;
  if (cells > limit && !deck.is_declared("mesh.root_blocks"))
    throw Error(
        fmt::format("the mesh of this deck (it would take {:.4g} MiB on each of {} ranks, which "
                    "may take {:.4g} "
                    "MiB); make it smaller, or take more ranks on more machines",
                    cells, n_ranks, limit));
  if (cells > limit)
    throw Error(fmt::format(
        "mesh.root_blocks = {} of mesh.block_cells = {} (the cells of level 0 would take {:.4g} "
        "MiB "
        "on each of {} ranks, which may take {:.4g} MiB); these are blocks, not cells: give fewer, "
        "or take more ranks on more machines",
        io::toml_text(deck.any("mesh.root_blocks")), io::toml_text(deck.any("mesh.block_cells")),
        cells, n_ranks, limit));
  if (deck.integers("trace.steps").empty()) return;
  const double events = mib * static_cast<double>(sizeof(trace::Event)) *
                        static_cast<double>(deck.integer("trace.max_events")) *
                        execution_of(deck).n_workers;
  if (events > limit)
    throw Error(fmt::format(
        "trace.max_events = {} (the room for them would take {:.4g} MiB on each rank, which may "
        "take {:.4g} MiB); lower it",
        deck.integer("trace.max_events"), events, limit));
}

void check_start(const Application& application, const io::Deck& deck, int n_ranks,
                 std::size_t memory_bytes) {
  const double limit = limit_mib(deck, memory_bytes);
  const auto setup = application.set_up(deck);
  if (limit == 0 || setup->max_level() == 0) return;
  const auto mesh = setup->sampled_mesh(n_ranks * limit / mib);
  if (mesh.bytes == 0) return;
  throw Error(fmt::format(
      "mesh.max_level = {} (by samples of the initial data, level {} of the mesh around them would "
      "have some {:.0f} blocks, and the cells and tasks of levels 0 to {} would take {:.0f} MiB on "
      "each of {} ranks, which may take {:.0f} MiB: run.memory_limit_mib, or a share of what the "
      "machine has free); lower it, refine less, or take more ranks on more machines",
      setup->max_level(), mesh.finest, mesh.n_blocks, mesh.finest, mib * mesh.bytes / n_ranks,
      n_ranks, limit));
}

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
  // The first dt knows the gas at rest, but no waves of jumps in it: those of a few steps do.
  constexpr std::int64_t n_tried = 3;
  constexpr double most_updates = 1e7;  // seconds on one core
  const double first_dt = (*made)->time_state().dt;
  const bool is_tried = static_cast<double>(n_tried) * updates <= most_updates;
  if (is_tried)
    if (const auto done = (*made)->advance_to(n_tried); !done) return std::unexpected(done.error());
  const auto& time = setup->time();
  const auto& now = (*made)->time_state();
  const double n_left = now.time < time.end ? std::ceil((time.end - now.time) / now.dt) : 0;
  const double n_steps =
      std::min(static_cast<double>(now.step) + n_left, static_cast<double>(time.max_steps));
  return text +
         fmt::format(
             "memory: {:.1f} MiB of cells, {:.1f} MiB with what is kept of the start of a "
             "step, {:.1f} MiB with plans, graphs and messages, on {} ranks\n"
             "cost: {:.4g} zone updates a step; with the first dt, {:.4g}, {}and this mesh {:.4g} "
             "steps and {:.4g} zone updates",
             0x1p-20 * bytes, 0x1p-20 * cost.field_bytes, 0x1p-20 * cost.held_bytes,
             context.transport.n_ranks(), updates, first_dt,
             n_left > 0 && is_tried
                 ? fmt::format("then that after step {}, {:.4g}, ", now.step, now.dt)
                 : "",
             n_steps, n_steps * updates);
}

}  // namespace thalweg::app
