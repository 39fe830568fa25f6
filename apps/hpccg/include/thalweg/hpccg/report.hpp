// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>

#include <thalweg/hpccg/options.hpp>

namespace thalweg::hpccg {

/// What a run came to, the same on all ranks but for times.
struct RunFacts {
  CgReport solution;
  double largest_error = 0;          ///< of the solution, which is 1 everywhere
  std::uint64_t residuals_hash = 0;  ///< of all residuals, to the bit
  std::uint64_t solution_hash = 0;   ///< of all numbers of the solution by their points
  double total_s = 0;                ///< of the solution
  double ddot_s = 0;
  double waxpby_s = 0;
  double sparsemv_s = 0;
  double exchange_s = 0;
  double setup_s = 0;         ///< of recording graphs
  double least_reduce_s = 0;  ///< over ranks
  double most_reduce_s = 0;
  double mean_reduce_s = 0;
};

/// The report: a YAML document with the reference's keys, in its order and spelling, and ours
/// behind them. Rates count 27 nonzeros a row and as many operations as the reference does.
std::string report_yaml(const Options& options, const RunFacts& facts);

}  // namespace thalweg::hpccg
