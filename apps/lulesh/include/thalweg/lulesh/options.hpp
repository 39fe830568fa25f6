// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <thalweg/app/context.hpp>
#include <thalweg/app/tracing.hpp>
#include <thalweg/lulesh/settings.hpp>

namespace thalweg::lulesh {

/// What a run is asked to do. Option -h says more.
struct Options {
  Settings settings{};
  bool is_quiet = false;        ///< -q: print nothing
  bool shows_progress = false;  ///< -p: a line for each cycle
  bool writes_vtk = false;      ///< -v: files for ParaView and VisIt at the end
  int n_files = 1;              ///< -f: of them, as parts

  // What the reference does not have.
  app::Execution execution{};
  std::string out = ".";                 ///< folder of what -v writes
  std::string checkpoint{};              ///< file that is written at the end; "": none
  std::int64_t checkpoint_interval = 0;  ///< cycles after which it is written, too; 0: no
  std::string restart{};                 ///< file to go on from; "": from the beginning
  bool force = false;                    ///< may replace an older checkpoint and trace
  app::TraceRequest trace{};             ///< of cycles
  bool prints_times = false;             ///< where the time of workers went
  bool prints_hash = false;

  bool operator==(const Options&) const = default;
};

/// Read a command line. @param words  what follows the program's name
/// @param n_ranks  that the program runs on  @param memory_bytes  that each may take; 0: unknown
/// @errors Error with a line for each thing that is wrong
Options parse_options(std::span<const std::string> words, int n_ranks, std::size_t memory_bytes);

/// All options, and where this differs from the reference.
std::string option_help();

/// Bytes that a rank with s^3 elements holds.
double bytes_of_rank(int s);

/// Names as options spell them.
const char* to_string(ElementWork work);

}  // namespace thalweg::lulesh
