// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <thalweg/miniamr/data/fill_times.hpp>
#include <thalweg/miniamr/exchanged.hpp>
#include <thalweg/miniamr/objects.hpp>
#include <thalweg/miniamr/refine_times.hpp>
#include <thalweg/miniamr/task_times.hpp>

namespace thalweg::miniamr {

/// A count as it was after each refinement.
struct OverTime {
  double mean = 0;
  double least = 0;
  double most = 0;
};
/// One for each column. @param rows  one for each refinement, at least one
std::array<OverTime, 5> over_time(std::span<const std::array<std::int64_t, 5>> rows);

/// What exchanges across one axis cost a worker [s]. Posting messages is the runtime's.
struct DirectionTimes {
  double pack_s = 0;       ///< tasks that pack, and those that pass ghost cells on to edges
  double same_s = 0;       ///< making ghost cells on this rank, as fine; part of the stencil tasks
  double different_s = 0;  ///< making them where levels change; likewise
  double boundary_s = 0;   ///< making them at the end of the domain; likewise
  double unpack_s = 0;     ///< making them from messages; likewise
  double wait_s = 0;       ///< idle until a message came

  double total_s() const { return pack_s + same_s + different_s + boundary_s + unpack_s + wait_s; }
};

/// The least and the greatest of some ranks' times in a timestep, or each summed over timesteps.
struct StepSpread {
  double least_s = 0;
  double most_s = 0;

  /// Another timestep's.
  void add(const StepSpread& step);
};
/// Of the ranks of both, in one timestep.
StepSpread of_both(const StepSpread& a, const StepSpread& b);

/// What a rank measured over a run; times in seconds.
struct Measured {
  double allocate_s = 0;  ///< taking memory for --max_blocks
  double initial_s = 0;   ///< the first values, and their sums
  double total_s = 0;     ///< from the first refinement on
  double compute_s = 0;   ///< of a worker in tasks that sweep blocks, ghosts included
  double comm_s = 0;      ///< the rest of a worker's time in timesteps: packing, waiting, overhead
  std::array<DirectionTimes, 3> directions{};
  double gridsum_s = 0;         ///< of a worker in checksums, but for sums of cells in sweeps
  double gridsum_reduce_s = 0;  ///< of that, over ranks
  double gridsum_add_s = 0;     ///< and over blocks
  double refine_s = 0;
  RefineTimes refine_parts{};
  double record_s = 0;  ///< making graphs
  double plot_s = 0;
  double first_slabs = 0;  ///< memory for blocks, taken from the system before the clock starts
  double first_bytes = 0;
  double slabs = 0;  ///< and until the end
  double bytes = 0;
  double n_split = 0;
  double n_reformed = 0;
  double n_moved_balance = 0;
  double n_moved_redistribute = 0;
  double n_moved_coarsen = 0;
  double max_blocks = 0;  ///< that it had at any time: most_blocks()
  double n_parents = 0;   ///< of its blocks, each counted where its first corner is
  double max_dots = 0;    ///< blocks that took part in a balancing
  double n_dots = 0;      ///< summed over balancings
  ExchangedByAxis exchanged{};
  std::array<OverTime, 5> partners{};  ///< ranks across x, y, z, those summed, and each once
};

/// Enter what was measured by tasks and by the parts of refinements.
/// @param parts  as they were timed: passes' blocks and the rest are found here
void settle_times(Measured& to, const TaskTimes& tasks, const data::FillTimes& fills,
                  const RefineTimes& parts, std::uint32_t n_workers);

/// One number over all ranks.
struct Spread {
  double mean = 0;
  double deviation = 0;  ///< standard deviation over ranks
  double least = 0;
  double most = 0;
};
Spread spread_of(std::span<const double> values);

/// What a run came to, the same on all ranks but for the last.
struct RunFacts {
  int n_steps = 0;
  double time = 0;                ///< simulated
  std::vector<Object> objects{};  ///< at the end
  std::int64_t n_stages = 0;      ///< of all timesteps
  std::int64_t total_blocks = 0;  ///< summed over them
  std::int64_t least_blocks = 0;  ///< of all ranks, at refinements
  std::int64_t most_blocks = 0;
  std::int64_t n_refinements = 0;
  std::int64_t n_balances = 0;
  std::int64_t n_redistributions = 0;
  std::int64_t n_reductions = 0;          ///< of checksums
  std::vector<double> first_checksums{};  ///< of variables
  std::vector<double> checksums{};        ///< the last that were made
  int n_plots = 0;
  // Sets of blocks that touch: after how many refinements there were more than ranks, how many
  // more, and the most on a rank.
  std::int64_t n_scattered = 0;
  std::int64_t n_extra_sets = 0;
  std::int64_t most_sets = 1;
  // By timestep.
  StepSpread compute{};
  StepSpread comm{};
  StepSpread both{};
  StepSpread gridsum{};
  StepSpread refine{};
  double n_adds = 0;
  double n_multiplies = 0;
  double n_divides = 0;
  std::vector<Measured> ranks{};  ///< all of them on rank 0, which reports; none on others

  double n_flops() const { return n_adds + n_multiplies + n_divides; }
  double blocks_per_stage() const {
    return static_cast<double>(total_blocks) /
           static_cast<double>(std::max(n_stages, std::int64_t{1}));
  }
  /// Of a member of Measured, or of what a function makes of one.
  template <class F>
  Spread spread(F number) const {
    std::vector<double> values;
    for (const Measured& rank : ranks) values.push_back(std::invoke(number, rank));
    return spread_of(values);
  }
};

}  // namespace thalweg::miniamr
