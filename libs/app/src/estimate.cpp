// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <thalweg/app/driver.hpp>
#include <thalweg/app/tried_steps.hpp>
#include <thalweg/core/counted.hpp>
#include <thalweg/trace/event.hpp>

#include "coarser_decks.hpp"

namespace thalweg::app {
namespace {

constexpr double mib = 0x1p-20;

std::string text_of(const CostEstimate& cost, int n_ranks) {
  std::string text = fmt::format("{:>5}  {:>12}  {:>14}  {:>16}  {:>12}\n", "level", "blocks",
                                 "cells", "updates per step", "MiB");
  double bytes = 0;
  for (int l = 0; const auto& level : cost.levels) {
    text += fmt::format("{:>5}  {:>12}  {:>14}  {:>16.4g}  {:>12.1f}\n", l++, level.n_blocks,
                        level.n_cells, level.updates, mib * level.bytes);
    bytes += level.bytes;
  }
  return text + fmt::format(
                    "memory: {:.1f} MiB in all on {} (cells {:.1f} MiB; with copies of the state "
                    "at the start of a step {:.1f} MiB; the rest is plans, graphs and messages)",
                    mib * cost.held_bytes, counted(n_ranks, "rank"), mib * bytes,
                    mib * cost.field_bytes);
}

std::string text_of_output(const AnySimulation& simulation, const io::Deck& deck,
                           const CostEstimate& cost) {
  double n_cells = 0;
  for (const auto& level : cost.levels) n_cells += static_cast<double>(level.n_cells);
  const auto request = plot_request_of(deck, "");
  const auto of_plot = simulation.plot_variables(request).size() * io::bytes_of(request.numbers);
  const auto of_checkpoint = simulation.component_names().size() * sizeof(double);
  return fmt::format("output: a plotfile of this mesh takes {:.1f} MiB, a checkpoint {:.1f} MiB",
                     mib * n_cells * static_cast<double>(of_plot),
                     mib * n_cells * static_cast<double>(of_checkpoint));
}

// Make the steps of a whole run with a coarser deck; none where they are too many, or there is no
// such run.
std::vector<step::TimeState> time_states_of_run(const Application& application,
                                                const io::Deck& deck, const Context& context,
                                                double most_updates, double& spent) {
  const auto made = set_up(application, deck)->simulation(context, nullptr, {});
  if (!made) return {};
  const auto tried = try_steps(**made, most_updates);
  if (!tried) return {};
  spent = tried->spent;
  return (*made)->is_over() ? tried->time_states : std::vector<step::TimeState>{};
}

// By the finest of coarser runs that takes seconds. The coarsest comes first, and says how many
// more can be made.
double steps_left(const Application& application, const io::Deck& deck, const Context& context,
                  std::span<const step::TimeState> time_states, double end) {
  constexpr double more_of_next = 16;  // of a cell of half the width in 3-D, half the step
  std::vector<step::TimeState> finest;
  const auto decks = coarser_decks(application, deck);
  for (const auto& coarser : std::views::reverse(decks)) {
    double spent = 0;
    auto run = time_states_of_run(application, coarser, context, many_updates, spent);
    if (run.empty()) break;
    finest = std::move(run);
    if (more_of_next * spent > many_updates) break;
  }
  return finest.empty() ? app::steps_left(time_states, end) : app::steps_left(time_states, finest);
}

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
  const auto setup = set_up(application, deck);
  const double cells = mib * setup->root_bytes() / n_ranks;
  if (cells > limit && !deck.is_declared("mesh.root_blocks")) {
    auto text = fmt::format(
        "the mesh of this deck (it would take {:.4g} MiB on each of {} ranks, which "
        "may take {:.4g} "
        "MiB); make it smaller, or take more ranks on more machines",
        cells, n_ranks, limit);
    for (const std::string& why : setup->warnings()) text += "\n" + why;  // perhaps its halos
    throw Error(text);
  }
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
                        execution_of(deck).executor.n_workers;
  if (events > limit)
    throw Error(fmt::format(
        "trace.max_events = {} (the room for them would take {:.4g} MiB on each rank, which may "
        "take {:.4g} MiB); lower it",
        deck.integer("trace.max_events"), events, limit));
}

void check_start(const Application& application, const io::Deck& deck, int n_ranks,
                 std::size_t memory_bytes) {
  const double limit = limit_mib(deck, memory_bytes);
  const auto setup = set_up(application, deck);
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

std::string first_estimate(const Application& application, const io::Deck& deck) {
  constexpr double enough_bytes = 0x1p27;  // of a mesh that is made in about a second
  const auto mesh = set_up(application, deck)->sampled_mesh(enough_bytes);
  if (mesh.bytes == 0) return "";
  return fmt::format(
      "by samples of the initial data, level {} of the mesh around them would have some {:.0f} "
      "blocks, and the cells and tasks of levels 0 to {} would take {:.0f} MiB; to count all "
      "levels, the mesh is made now",
      mesh.finest, mesh.n_blocks, mesh.finest, mib * mesh.bytes);
}

Result<void> estimate(const Application& application, const io::Deck& deck, const Context& context,
                      const std::optional<Checkpoint>& from,
                      const std::function<void(const std::string&)>& say) {
  const auto setup = set_up(application, deck);
  const auto made = setup->simulation_to_inspect(context, from ? &*from : nullptr);
  if (!made) return std::unexpected(made.error());
  const auto cost = (*made)->cost();
  say(text_of(cost, context.transport.n_ranks()));
  say(text_of_output(**made, deck, cost));
  const auto tried = try_steps(**made);
  if (!tried) return std::unexpected(tried.error());
  const auto& time_states = tried->time_states;
  const auto& last = time_states.back();
  const auto n_tried = static_cast<std::int64_t>(time_states.size()) - 1;
  const auto& time = setup->time();
  const std::string begin =
      fmt::format("cost: {:.4g} zone updates in the first step; {}", updates_of(cost),
                  from ? fmt::format("from step {} on, ", time_states.front().step) : "");
  if ((*made)->is_over()) {
    say(fmt::format(
        "{}the run has {} (all were tried) and {:.4g} zone updates; the first dt is {:.4g}", begin,
        counted(n_tried, "step"), tried->updates, time_states.front().dt));
    return {};
  }
  const double n_left = std::min(steps_left(application, deck, context, time_states, time.end),
                                 static_cast<double>(time.max_steps - last.step));
  say(fmt::format(
      "{}about {:.6g} steps (dt = {:.4g} at first, {:.4g} at step {}) and {:.4g} zone updates, if "
      "the mesh stays as at step {}",
      begin, static_cast<double>(n_tried) + n_left, time_states.front().dt, last.dt, last.step,
      tried->updates + n_left * tried->updates_per_step, last.step));
  return {};
}

}  // namespace thalweg::app
