// SPDX-License-Identifier: MIT
#include "warnings_at_start.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include <thalweg/app/execution_options.hpp>
#include <thalweg/core/counted.hpp>
#include <thalweg/core/joined_text.hpp>
#include <thalweg/mesh/ratios.hpp>
#include <thalweg/mesh/refine.hpp>

#include "places.hpp"

namespace thalweg::app {

namespace {

std::string of_idle_ranks(const io::Deck& deck, const AnySimulation& simulation,
                          std::int64_t n_ranks) {
  if (n_ranks == 1) return "";
  std::int64_t n_blocks = 0;
  for (const LevelCost& level : simulation.cost().levels) n_blocks += level.n_blocks;
  if (n_blocks >= n_ranks) return "";
  const bool has_tiles = !deck.is_declared("mesh.block_cells");  // of phase space
  return fmt::format(
      "there are {} for {} ranks: until there are more, at least {} of these have "
      "nothing to do; take fewer ranks, or smaller {}",
      counted(n_blocks, has_tiles ? "tile" : "block"), n_ranks, n_ranks - n_blocks,
      has_tiles ? "tiles" : "blocks");
}

std::string of_no_tags(const AnySetup& setup) {
  if (setup.max_level() == 0 || setup.has_tags()) return "";
  return fmt::format(
      "mesh.max_level = {}, and nothing says which cells to refine (Problem::tag is not set): all "
      "stay on level 0",
      setup.max_level());
}

// No signal crosses its part of a cell before the end, and sources are no signals.
std::string of_one_step(const AnySetup& setup, const AnySimulation& simulation) {
  const step::TimeState& now = simulation.time_state();
  const double end = setup.time().end;
  if (!setup.has_sources_without_limit() || setup.time().max_dt > 0 || simulation.is_over() ||
      now.step > 0 || now.dt < end - now.time)
    return "";
  return fmt::format(
      "the first step reaches time.end = {:g}: no signal of the initial state bounds it, and what "
      "a source or rate makes of the state may be faster; set time.max_dt where it is, or give the "
      "problem a longest_dt",
      end);
}

// Whether tags move with signals, and these bound dt. Boxes stay where they are.
bool follows_signals(const io::Deck& deck, const AnySetup& setup, const AnySimulation& simulation) {
  if (!deck.is_declared("regrid.interval") || deck.integer("regrid.interval") == 0) return false;
  if (deck.is_declared("regrid.criteria") &&
      deck.strings("regrid.criteria") == std::vector<std::string>{"box"})
    return false;
  const step::TimeState& now = simulation.time_state();
  const double most = setup.time().max_dt * (now.step == 0 ? setup.time().initial_shrink : 1);
  return setup.has_tags() && (most == 0 || now.dt < most);
}

// Where a signal leaves what is refined around a tag before the next regrid.
std::string of_narrow_buffers(const io::Deck& deck, const AnySetup& setup,
                              const AnySimulation& simulation) {
  if (!follows_signals(deck, setup, simulation)) return "";
  const mesh::Ratios ratios(deck.integers("mesh.ratio"));
  const mesh::Buffers buffers(deck.integers("regrid.buffer"));
  const auto interval = static_cast<double>(deck.integer("regrid.interval"));
  const auto widest = static_cast<double>(std::ranges::min(deck.integers("mesh.block_cells")));
  const double cfl = setup.time().cfl * (1 - 1e-12);  // but for roundings
  const bool subcycles = setup.time().subcycle;
  int narrow = -1;  // the last level whose buffer is
  double crossed = 0, longest_interval = interval;
  bool is_enough_together = true;  // where all levels make the same steps
  std::vector<double> enough;
  for (int l = 0; l < setup.max_level(); ++l) {
    const double a_step = subcycles ? std::ldexp(cfl, ratios.log2_between(0, l)) : cfl;
    const double buffer = buffers.of(l), cells = a_step * interval;
    if (cells > 2 * buffer) {  // whole blocks are refined, which forgives as much as a rule
      narrow = l;
      crossed = cells;
    }
    longest_interval = std::min(longest_interval, std::floor(buffer / a_step));
    is_enough_together = is_enough_together && cfl * interval <= buffer;
    enough.push_back(std::ceil(std::max(cells, buffer)));
  }
  if (narrow < 0) return "";
  std::vector<std::string> ways;
  if (std::ranges::max(enough) <= widest)
    ways.push_back(fmt::format("regrid.buffer = [{}]", joined_text(enough)));
  if (longest_interval > 0) ways.push_back(fmt::format("regrid.interval = {}", longest_interval));
  if (subcycles && is_enough_together) ways.emplace_back("time.subcycle = false");
  if (ways.empty()) ways.emplace_back("a shorter regrid.interval and a wider regrid.buffer");
  return fmt::format(
      "waves may leave the refined region between regrids: in regrid.interval = {} steps of level "
      "0 a signal crosses up to {:.3g} cells of level {}, where regrid.buffer is {}; set {}",
      interval, crossed, narrow, buffers.of(narrow), joined_text(ways, ", or "));
}

// What was on finer levels than the deck allows now is there as means only.
std::string of_levels(const Checkpoint& from, int max_level) {
  const auto& blocks = from.manifest.blocks_per_level;
  if (std::ssize(blocks) <= max_level + 1) return "";
  return fmt::format(
      "'{}' has levels up to {}: those above mesh.max_level = {} are left out, and "
      "the means of their cells stay",
      from.path, blocks.size() - 1, max_level);
}

std::string of_no_steps(const io::Deck& deck, const AnySimulation& simulation) {
  if (!simulation.is_over()) return "";
  const std::int64_t step = simulation.time_state().step;
  const bool is_by_steps = step >= deck.integer("time.max_steps");
  return fmt::format("there is nothing to do: {} of the checkpoint has been reached; give a {}",
                     is_by_steps ? fmt::format("time.max_steps = {}", step)
                                 : fmt::format("time.end = {:g}", deck.real("time.end")),
                     is_by_steps ? "larger one" : "later one");
}

}  // namespace

std::vector<std::string> warnings_at_start(const io::Deck& deck, const AnySetup& setup,
                                           const AnySimulation& simulation, const Context& context,
                                           const Checkpoint* from) {
  std::vector<std::string> all;
  const auto add = [&all](std::string text) {
    if (!text.empty()) all.push_back(std::move(text));
  };
  add(warning_of_threads("run.threads =", context.execution));
  add(of_idle_ranks(deck, simulation, context.transport.n_ranks()));
  add(of_no_tags(setup));
  add(of_one_step(setup, simulation));
  add(of_narrow_buffers(deck, setup, simulation));
  add(warning_of_places(deck));
  for (std::string& text : deck.without_effect()) add(std::move(text));
  for (std::string& text : setup.warnings()) add(std::move(text));
  if (from == nullptr) return all;
  add(of_levels(*from, setup.max_level()));
  add(of_no_steps(deck, simulation));
  return all;
}

}  // namespace thalweg::app
