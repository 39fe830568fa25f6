// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <string>

#include <thalweg/flow/executor.hpp>
#include <thalweg/lulesh/options.hpp>
#include <thalweg/lulesh/time_step.hpp>

namespace thalweg::lulesh {

/// How far the energy is from symmetric where x and y change places.
struct SymmetryError {
  double largest = 0;           ///< difference
  double total = 0;             ///< of differences
  double largest_relative = 0;  ///< to the energy
};

/// Of the lowest plane of a rank's elements. @param energy  at least s^2
SymmetryError symmetry_error(std::span<const double> energy, int s);

/// What a run came to, on rank 0.
struct RunFacts {
  CycleClock clock{};
  bool is_stopped = false;    ///< before its end, as it was asked
  std::int64_t n_cycles = 0;  ///< of this run, which may have gone on from a checkpoint
  double origin_energy = 0;   ///< of the element at the origin
  SymmetryError symmetry{};
  double elapsed_s = 0;     ///< of the slowest rank
  flow::WorkerTime time{};  ///< of all threads of all ranks
  std::uint64_t hash = 0;   ///< of the energies of all elements by their numbers
};

/// What the reference prints before it runs, without the last line's end.
std::string first_lines(const Options& options, int n_ranks);
/// The line of a cycle.
std::string cycle_line(const CycleClock& clock);
/// What the reference prints at the end.
std::string last_lines(const Options& options, int n_ranks, const RunFacts& facts);
/// Where the time of threads went, in per cent, and how many tasks they ran.
std::string time_line(const flow::WorkerTime& time);
/// What went wrong, where and when.
std::string fault_line(const CycleClock& clock);

/// What a program ends with: 0, or the reference's -1 and -2, of which a shell sees 8 bits.
int exit_code(const Fault& fault);

}  // namespace thalweg::lulesh
