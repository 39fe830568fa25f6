// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <functional>

#include <thalweg/app/context.hpp>
#include <thalweg/flow/graph.hpp>

namespace thalweg::app {

/// Hears of each rank's graph of a step, which is gone afterwards, and of the memory that the rank
/// takes with it in a run [bytes].
using OnGraph = std::function<void(const flow::Graph&, double bytes)>;

/// A program as virtual ranks do it: what has to be known of it to predict its steps. A value.
///
/// The functions are called on all ranks, and throw what goes wrong.
struct VirtualProgram {
  int n_ranks = 1;
  Execution execution{};  ///< of its graphs
  /// Of the problem, in any unit that other numbers of ranks share: where each rank brings a part
  /// of its own, their number.
  double size = 1;
  /// Make the graph of a step, which is not run, and let it be looked at. Collective.
  std::function<void(const Context&, const OnGraph&)> look_at_step{};
  /// On how many ranks tasks are timed: they should have all kinds of tasks.
  int n_ranks_timed = 2;
  /// Run so many steps, numbered from 1, of a problem with the same kinds of tasks on n_ranks_timed
  /// ranks, as the context says; it may be a smaller one. Collective.
  std::function<void(const Context&, std::int64_t n_steps)> run_steps{};
};

}  // namespace thalweg::app
