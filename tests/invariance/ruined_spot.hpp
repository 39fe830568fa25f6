// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include <thalweg/app/simulation.hpp>
#include <thalweg/io/file_system.hpp>

#include "../../libs/app/test/carried.hpp"
#include "../support/virtual_ranks.hpp"

namespace thalweg::testing {

/// What a run has come to.
struct RunOutcome {
  /// By level, block and cell.
  std::map<std::tuple<int, std::uint64_t, std::vector<int>>, double> cells;
  std::vector<step::TimeState> steps;  ///< as rank 0 heard of them
  int n_regrids = 0;
  std::string failure;
};

inline int n_retries(const RunOutcome& outcome) {
  int n = 0;
  for (const auto& step : outcome.steps) n += step.n_retries;
  return n;
}

/// Twelve steps of a spot that a wind carries, with a source that from a time on ruins a cell of
/// each level where steps of level 0 are longer than is allowed. Collective.
/// @return with the cells of this rank   @errors throws std::runtime_error
inline RunOutcome run_ruined_spot(const app::Context& context, double longest, int retries) {
  constexpr double from = 0.05;
  auto problem = app::testing::carried_spot();
  problem.source = [=](const View<double, 2>& cells, const Box<2>& region,
                       const step::SourceStep& step) {
    const Index<2> middle{{16 << step.level, 12 << step.level}};
    // The source acts for half a step at once.
    if (step.time >= from && step.dt > 0.5 * longest / (1 << step.level) && region.contains(middle))
      cells[0, middle] = std::numeric_limits<double>::quiet_NaN();
  };
  auto settings = app::testing::settings();
  settings.time.retries = retries;
  RunOutcome mine;
  const auto simulation =
      app::testing::made(context, problem, settings,
                         [&](const app::StepStatistics& s) { mine.steps.push_back(s.time_state); });
  if (const auto advanced = simulation->advance_to(12); !advanced)
    throw std::runtime_error(advanced.error().message);
  mine.n_regrids = simulation->regrids().n;
  const auto& state = simulation->state();
  for (std::size_t l = 0; l < state.cells.size(); ++l)
    for (std::size_t b = 0; b < state.cells[l].size(); ++b) {
      const auto& key = state.cells[l].keys()[b];
      for_each(simulation->mesh().forest.geometry.cells(key), [&](const Index<2>& i) {
        mine.cells[{static_cast<int>(l), key.code, {i[0], i[1]}}] = state.cells[l].view(b)[0, i];
      });
    }
  return mine;
}

/// The same on virtual ranks, all cells together.
inline RunOutcome outcome(const SimulatedRun& run, double longest, int retries) {
  RunOutcome all;
  io::MemoryFileSystem files;
  const auto done = on_virtual_ranks(run, files, [&](const app::Context& context) {
    RunOutcome mine = run_ruined_spot(context, longest, retries);
    // One rank runs at a time.
    if (context.transport.rank() == Rank{0}) all.steps = mine.steps;
    all.n_regrids = mine.n_regrids;
    all.cells.merge(mine.cells);
  });
  if (!done) all.failure = done.error().message;
  return all;
}

}  // namespace thalweg::testing
