// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <string>

#include <thalweg/app/context.hpp>
#include <thalweg/cholesky/dense/factorisation.hpp>
#include <thalweg/cholesky/dense/layout.hpp>
#include <thalweg/core/vec.hpp>

namespace thalweg::cholesky {

/// What a matrix consists of, by LAPACK's letters.
enum class Precision : std::uint8_t { s, d, c, z };

/// What a run is asked to do. Option --help says more.
struct Options {
  std::int64_t n = 0;
  int tile = 256;
  Index<2> grid{};  ///< product: the number of ranks
  Uplo uplo = Uplo::lower;
  Precision precision = Precision::d;
  std::uint64_t seed = 1;
  double bump = 0;  ///< added to the diagonal
  int look_ahead = 2;
  Broadcast broadcast = Broadcast::p2p;
  bool check = false;
  std::int64_t repeat = 1;
  app::Execution execution{};
  bool fingerprint = false;  ///< print a hash of the factor
  std::string trace{};       ///< a file; empty: no trace
  bool force = false;        ///< may replace an older trace

  bool operator==(const Options&) const = default;

  Layout layout() const {
    return {.n = n, .tile = tile, .grid_rows = grid[0], .grid_columns = grid[1], .uplo = uplo};
  }
  FactorisationSettings settings() const {
    return {.broadcast = broadcast,
            .look_ahead = look_ahead,
            .model = execution.model,
            .n_workers = execution.executor.n_workers};
  }
};

/// Read a command line. @param words  what follows the program's name
/// @param n_ranks  that the program runs on  @param memory_bytes  that each may take; 0: unknown
/// @errors Error with a line for each thing that is wrong
Options parse_options(std::span<const std::string> words, int n_ranks, std::size_t memory_bytes);

/// All options.
std::string option_help();

/// The name of a precision as options spell it.
const char* to_string(Precision precision);

}  // namespace thalweg::cholesky
