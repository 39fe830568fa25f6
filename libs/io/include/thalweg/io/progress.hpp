// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace thalweg::io {

/// What a run says about itself while it runs.
struct Progress {
  std::int64_t step = 0;
  double time = 0;
  double dt = 0;
  std::vector<std::int64_t> blocks_per_level{};
  double zone_updates_per_s = 0;
  std::optional<double> parallel_efficiency{};  ///< work / (wall time x workers), in [0, 1]
  std::uint64_t memory_bytes = 0;               ///< resident, summed over ranks
  std::optional<double> remaining_s{};          ///< estimated; none before the first guess
};

/// Name the columns of progress_line, with their units.
/// @param n_levels  levels the run may have: the width of the column of blocks
std::string progress_header(int n_levels);

/// Write one line of progress, aligned with the header for as many levels.
std::string progress_line(const Progress& progress, int n_levels);

/// Tell how many columns a terminal has now; 80 where the system does not say.
/// @param file  descriptor of what may be one
std::size_t terminal_columns(int file);

/// Draw one line with a bar for a terminal, whose last column stays free.
/// @param part       of the run that is over, in [0, 1]; outside it counts as 0 or 1
/// @param n_columns  of the terminal; 1 or more
std::string progress_bar(const Progress& progress, double part, std::size_t n_columns = 80);

/// Tell how much memory this process has resident [bytes]; 0 where the system does not say.
std::uint64_t resident_bytes();

}  // namespace thalweg::io
