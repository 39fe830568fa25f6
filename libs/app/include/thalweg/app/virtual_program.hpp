// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include <thalweg/app/any_simulation.hpp>
#include <thalweg/app/context.hpp>
#include <thalweg/flow/graph.hpp>

namespace thalweg::app {

/// Hears of each rank's graph of a step, which is gone afterwards, and of the memory that the rank
/// takes with it in a run [bytes].
using OnGraph = std::function<void(const flow::Graph&, double bytes)>;

/// Hears of each rank's graphs of a refinement, which are gone afterwards: of its changes of the
/// mesh, numbered from 0, the same on all ranks.
using OnChange = std::function<void(std::size_t change, const flow::Graph&)>;

/// A refinement of the mesh as virtual ranks do it. A value; the functions throw what goes wrong.
struct VirtualRefinement {
  std::string_view name = "refinement";  ///< what users of the program call one
  std::int64_t n_steps = 1;              ///< from one to the next
  /// Make the graphs of one, which are not run, and let them be looked at. Collective.
  std::function<MeshWork(const Context&, const OnChange&)> look{};
  /// Run so many or more, numbered from 1, with the same kinds of tasks, on
  /// VirtualProgram::n_ranks_timed ranks, as the context says. Collective.
  std::function<void(const Context&, std::int64_t n)> run{};
  /// Refine a mesh like that of a rank, on one rank, without cells: what that takes for each block
  /// that there was before [ns of the context's clock].
  std::function<double(const Context&)> time_block{};
};

/// A program as virtual ranks do it: what has to be known of it to predict its steps. A value.
///
/// The functions are called on all ranks, and throw what goes wrong.
struct VirtualProgram {
  int n_ranks = 1;
  Execution execution{};  ///< of its graphs
  /// Of the problem, in any unit that other numbers of ranks share: where each rank brings a part
  /// of its own, their number.
  double size = 1;
  std::size_t n_joined_blocks = 1;  ///< that make up a box twice as wide
  /// Make the graph of a step, which is not run, and let it be looked at. Collective.
  std::function<void(const Context&, const OnGraph&)> look_at_step{};
  /// On how many ranks tasks are timed: they should have all kinds of tasks.
  int n_ranks_timed = 2;
  double bytes_of_rank_timed = 0;  ///< that each of them takes; 0: nobody knows
  /// Whether a run is one step: the next begins when all ranks have ended it.
  bool is_one_step = false;
  std::int64_t first_step = 1;  ///< that run_steps takes
  /// Run so many steps, numbered from first_step, of a problem with the same kinds of tasks on
  /// n_ranks_timed ranks, as the context says; it may be a smaller one. Collective.
  std::function<void(const Context&, std::int64_t n_steps)> run_steps{};
  /// The same without joined blocks, for the times of their tasks; none where none are joined.
  std::function<void(const Context&, std::int64_t n_steps)> run_steps_apart{};
  std::optional<VirtualRefinement> refinement{};  ///< of what is predicted beside its steps
};

}  // namespace thalweg::app
