// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <thalweg/miniamr/exchanged.hpp>
#include <thalweg/miniamr/objects.hpp>

namespace thalweg::miniamr {

/// A count as it was after each refinement.
struct OverTime {
  double mean = 0;
  double least = 0;
  double most = 0;
};
/// One for each column. @param rows  one for each refinement, at least one
std::array<OverTime, 5> over_time(std::span<const std::array<std::int64_t, 5>> rows);

/// What a rank measured over a run; times in seconds.
struct Measured {
  double total_s = 0;    ///< from the first refinement on
  double compute_s = 0;  ///< of a worker in tasks that sweep blocks, ghosts included
  double comm_s = 0;     ///< the rest of a worker's time in timesteps: packing, waiting, overhead
  double gridsum_s = 0;  ///< of a worker in tasks of checksums
  double refine_s = 0;
  double refine_mesh_s = 0;    ///< of that, deciding what blocks there are and who has them
  double refine_blocks_s = 0;  ///< of that, splitting, joining and moving cells
  double record_s = 0;         ///< making graphs
  double plot_s = 0;
  double block_bytes = 0;  ///< of the memory of blocks at the end
  double n_split = 0;
  double n_reformed = 0;
  double n_moved_balance = 0;
  double n_moved_redistribute = 0;
  double n_moved_coarsen = 0;
  double max_blocks = 0;  ///< that it had at any time
  ExchangedByAxis exchanged{};
  std::array<OverTime, 5> partners{};  ///< ranks across x, y, z, those summed, and each once
};

/// One number over all ranks.
struct Spread {
  double mean = 0;
  double deviation = 0;  ///< standard deviation over ranks
  double least = 0;
  double most = 0;
};
Spread spread_of(std::span<const double> values);

/// What a run came to, the same on all ranks.
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
  std::int64_t n_reductions = 0;  ///< of checksums
  double n_adds = 0;
  double n_multiplies = 0;
  double n_divides = 0;
  std::vector<Measured> ranks{};

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
