// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <string>

#include <thalweg/app/context.hpp>
#include <thalweg/core/vec.hpp>
#include <thalweg/hpccg/solver/conjugate_gradient.hpp>

namespace thalweg::hpccg {

/// How the matrix is stored.
enum class Format : std::uint8_t { csr, sell, free };

/// What a run is asked to do, with the reference's names and defaults. Option --help says more.
struct Options {
  Index<3> n{};      ///< nx, ny, nz: the box of one rank
  Index<3> ranks{};  ///< product: the number of ranks
  std::int64_t max_iter = 150;
  double tolerance = 0;

  // What the reference does not have.
  Format format = Format::sell;
  Method method = Method::plain;
  SumOrder sum_order = SumOrder::pieces;
  std::int64_t blocks = 0;  ///< of each rank; 0: so many a worker
  app::Execution execution{};
  int digits = 6;            ///< of residuals in lines
  bool fingerprint = false;  ///< print hashes of all residuals and of the solution
  std::string out = ".";     ///< folder of the YAML file
  std::string trace{};       ///< a file; empty: no trace
  bool force = false;        ///< may replace an older trace

  bool operator==(const Options&) const = default;

  CgSettings settings() const;
};

/// Read a command line. @param words  what follows the program's name
/// @param n_ranks  that the program runs on  @param memory_bytes  that each may take; 0: unknown
/// @errors Error with a line for each thing that is wrong
Options parse_options(std::span<const std::string> words, int n_ranks, std::size_t memory_bytes);

/// All options, and where this differs from the reference.
std::string option_help();

/// Names as options spell them.
const char* to_string(Format format);
const char* to_string(Method method);
const char* to_string(SumOrder order);

}  // namespace thalweg::hpccg
