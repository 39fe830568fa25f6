// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <thalweg/predict/noise.hpp>

namespace thalweg::predict {

struct Job;

/// What a message costs on one kind of connection, after LogGOPS.
/// @source Hoefler, Schneider, Lumsdaine, "LogGOPSim", HPDC 2010: L, o, O, g, G
struct Link {
  double latency_ns = 0;            ///< L: from the last byte's start to its arrival
  double overhead_ns = 0;           ///< o: of a worker, for each message sent and each received
  double overhead_ns_per_byte = 0;  ///< O: the same, for each byte
  double gap_ns = 0;                ///< g: between the starts of two messages of a node
  double ns_per_byte = 0;           ///< G: the reciprocal of the bandwidth

  bool operator==(const Link&) const = default;
};

/// The bandwidth to memory, which the cores of a domain share. It bounds tasks that say so: see
/// TaskTimes::set_memory_bound.
struct SharedMemory {
  std::uint32_t domain_cores = 0;  ///< cores of a domain; 0: tasks do not slow each other down
  double full_speed_cores = 1;     ///< cores that use all of its bandwidth

  bool operator==(const SharedMemory&) const = default;
};

/// A computer: what the prediction of a run needs to know of it. The default is ideal: tasks take
/// their times and nothing else does.
struct Machine {
  std::string name = "ideal";
  int ranks_per_node = 1;  ///< ranks 0 .. n - 1 are on node 0, and so on
  int cores_per_node = 0;  ///< that ranks and their threads share out; 0: not known
  Link network{};          ///< between nodes; shared by the ranks of a node
  Link memory{};           ///< between ranks of a node; without a gap, and nobody shares it
  std::uint64_t eager_bytes = std::uint64_t{1}
                              << 62;  ///< S: longer messages wait for their receive
  /// Nodes below one switch of a fat tree, or in one group of a dragonfly, which share the way out
  /// of it; 0: all nodes are in one.
  int nodes_per_group = 0;
  double group_ns_per_byte = 0;  ///< of the way out of, and into, a group
  SharedMemory shared_memory{};
  double task_overhead_ns = 0;  ///< of a worker, before each task
  double steal_ns = 0;          ///< the same, where it takes another worker's task
  double time_factor = 1;       ///< of task times, to where they were measured
  Noise noise{};

  bool operator==(const Machine&) const = default;
};

/// The machine as ranks of so many threads have it: as many of them on a node as its cores are for,
/// where these are known. @pre can_have(machine, n_threads)
Machine with_threads(Machine machine, std::uint32_t n_threads);
/// Whether a node has cores for a rank of so many threads, as far as is known.
inline bool can_have(const Machine& machine, std::uint32_t n_threads) {
  return machine.cores_per_node == 0 ||
         n_threads <= static_cast<std::uint32_t>(machine.cores_per_node);
}

/// How many nodes so many ranks are on. @param machine  as with_threads() has it
inline int n_nodes(const Machine& machine, int n_ranks) {
  return (n_ranks + machine.ranks_per_node - 1) / machine.ranks_per_node;
}

/// Read a machine file: TOML, with every key declared (the README lists them). Without a name it
/// has that of the file, without folder and ending.
/// @errors Error listing everything that is wrong, one a line
Machine read_machine(std::string_view text, std::string_view file_name);
/// Write a machine as a file that reads back to the same values, but for the rounding of units.
/// Links that are ideal are left out, and so is a name of no letters: then that of the file counts.
/// @pre the name has no quotes and no control characters
std::string to_toml(const Machine& machine);
/// How many ranks there are, and threads of each.
struct RankLayout {
  int n_ranks = 1;
  std::uint32_t n_threads = 1;
};
/// A line for each kind of link that messages of any of these layouts take and that is ideal, so
/// that nobody reads a prediction without messages as one with them, and one where ranks of several
/// threads share a node of which nobody knows the cores; empty if there is none.
/// @param machine  as its file says, before with_threads  @pre can_have() all the threads
std::string what_is_assumed(const Machine& machine, std::span<const RankLayout> layouts);
/// What to say where ranks_per_node has no effect, as cores_per_node is given; "": nothing.
/// @param machine  as its file says, before with_threads
std::string warning_of_ranks_per_node(const Machine& machine);
/// What to say where the machine's shared memory slows no task of a job down, as nobody said of any
/// that its bandwidth bounds it; "": nothing.
std::string warning_of_shared_memory(const Machine& machine, const Job& job);

}  // namespace thalweg::predict
