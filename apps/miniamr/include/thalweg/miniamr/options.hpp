// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <thalweg/app/tracing.hpp>
#include <thalweg/core/vec.hpp>
#include <thalweg/flow/model.hpp>
#include <thalweg/miniamr/data/shape.hpp>
#include <thalweg/miniamr/objects.hpp>

namespace thalweg::miniamr {

using data::Stencil;

/// When blocks are balanced over the ranks.
enum class BalanceWhen : std::uint8_t { never, each_stage, each_pass };

/// How blocks are given to ranks.
enum class Placement : std::uint8_t { rcb, morton, hilbert, trunc_hilbert };

/// What happens to blocks that a cut between ranks goes through.
enum class TieRule : std::uint8_t {
  exact,         ///< they are divided in the order of their other coordinates
  group_blocks,  ///< they stay together, on the side that has room
  break_ties,    ///< they are divided in the order of ranks
};

/// How far values are converted between levels before they are sent.
enum class MessageContents : std::uint8_t { needed_values, whole_faces, converted_faces };

/// Where the first values come from.
enum class InitialValues : std::uint8_t {
  hash,  ///< of the position: the same on any layout
  rand,  ///< of the C library, as the reference draws them: other values on each layout
};

/// What is written at the end, and at refinements: the bits of --report_perf.
struct Reports {
  bool yaml = false;
  bool text_file = false;
  bool to_stdout = true;
  bool refinements = true;

  bool operator==(const Reports&) const = default;
};

/// What a run is asked to do, with the reference's names and defaults. Option --help says more.
struct Options {
  Index<3> block_cells{10, 10, 10};        ///< even, >= 2
  Index<3> init{1, 1, 1};                  ///< root blocks of a rank on each axis
  Index<3> ranks{1, 1, 1};                 ///< npx, npy, npz
  std::optional<bool> reorder;             ///< none: where blocks are placed by RCB
  std::optional<std::int64_t> max_blocks;  ///< a rank may hold; none: no limit
  int num_refine = 5;                      ///< finest level
  int block_change = 0;                    ///< passes at a refinement; 0: num_refine
  bool uniform_refine = false;
  int refine_freq = 5;  ///< steps between refinements; 0: only before the first
  int inbalance = 0;    ///< [%]
  BalanceWhen lb_opt = BalanceWhen::each_stage;
  Placement placement = Placement::rcb;
  bool change_dir = false;
  TieRule ties = TieRule::exact;
  int limit_move = 0;  ///< [%] of a rank's blocks that leave at most; 0: all may
  int num_vars = 40;
  int comm_vars = 0;                ///< variables of an exchange; 0: all
  std::optional<int> num_tsteps{};  ///< none: 20, or as --time needs
  std::optional<double> time{};     ///< end [units of the objects' movement]
  int stages_per_ts = 20;
  int checksum_freq = 5;  ///< 0: never
  Stencil stencil = Stencil::seven;
  int error_tol = 8;  ///< tolerance of checksums is 10^-error_tol
  bool report_diffusion = false;
  Reports reports;
  int plot_freq = 0;  ///< 0: no plots
  bool permute = false;
  bool blocking_send = false;
  MessageContents code = MessageContents::needed_values;
  bool refine_ghost = false;
  bool send_faces = false;
  std::vector<Object> objects;

  // What the reference does not have.
  flow::Model model = flow::Model::dataflow;
  int threads = 1;
  InitialValues init_values = InitialValues::hash;
  /// Messages to a neighbour in an exchange, at most; 0: one a face.
  std::optional<int> max_comm_tasks{};  ///< none: 1, or 0 with send_faces
  bool separate_buffers = false;
  double latency_us = 0;
  bool fingerprint = false;
  int plotfile_freq = 0;  ///< 0: none
  int plotfile_vars = 1;  ///< 0: all
  std::string out{};      ///< folder of plotfiles; "": the current one
  bool force = false;     ///< replace what is there
  app::TraceRequest trace{};
  Quirks quirks = Quirks::corrected;

  bool operator==(const Options&) const = default;

  Index<3> root_blocks() const;
  /// Passes of a refinement after the first.
  int passes() const { return block_change == 0 ? num_refine : block_change; }
  /// Variables of an exchange.
  int group_size() const { return comm_vars == 0 || comm_vars > num_vars ? num_vars : comm_vars; }
  bool is_reordered() const { return reorder.value_or(placement == Placement::rcb); }
  int messages_to_neighbour() const { return max_comm_tasks.value_or(send_faces ? 0 : 1); }
  /// Variables in a plotfile.
  int n_plotted() const {
    return plotfile_vars == 0 || plotfile_vars > num_vars ? num_vars : plotfile_vars;
  }
  /// Timesteps, where they are what ends the run.
  int timesteps() const { return num_tsteps.value_or(20); }
};

/// Read a command line. @param words  what follows the program's name
/// @errors Error with a line for each word or value that is wrong, and for each check that fails
/// @param n_ranks  that the program runs on  @param memory_bytes  that each may take; 0: unknown
Options parse_options(std::span<const std::string> words, int n_ranks,
                      std::size_t memory_bytes = 0);

/// All options, what they mean, and where this differs from the reference.
std::string option_help();

}  // namespace thalweg::miniamr
