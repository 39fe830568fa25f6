// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <thalweg/flow/policy.hpp>
#include <thalweg/predict/job.hpp>
#include <thalweg/predict/machine.hpp>
#include <thalweg/trace/rank_trace.hpp>
#include <thalweg/trace/tiling.hpp>

namespace thalweg::predict {

/// What is simulated of a job, beside the machine.
struct Scenario {
  std::uint64_t n_steps = 10;  ///< replays; where they overlap, the first fills the pipeline
  std::uint32_t depth = 2;     ///< replays in flight; 1 to 7
  /// idle or task_boundary; a thread that polls is not simulated, and counts as idle
  flow::Progress progress = flow::Progress::idle;
  bool honours_priorities = true;  ///< of tasks that are ready
  std::uint64_t seed = 0;          ///< of the noise, and of times in their spread
  bool has_spread = true;  ///< whether tasks of a name take times that differ as measured ones do
  std::vector<double> name_factors{};  ///< of the times of tasks of each name; empty: 1
  std::vector<double> rank_factors{};  ///< of the times of tasks of each rank; empty: 1
  trace::StepWindow traced{0, 0};      ///< steps to be traced, of 1 to n_steps
};

/// What a simulated run came to.
struct SimulatedRun {
  std::vector<std::int64_t> step_end_ns{};     ///< when the last rank had completed each replay
  std::vector<trace::WorkerTiling> workers{};  ///< of the whole run, by rank and worker
  std::vector<std::uint64_t> n_tasks{};        ///< by name
  std::vector<std::int64_t> work_ns{};         ///< by name
  std::uint64_t n_nodes = 0;                   ///< that were run, over all replays
  std::uint64_t n_messages = 0;
  std::uint64_t n_message_bytes = 0;
  /// Of each rank, of the steps that were to be traced: what an executor would have recorded, in
  /// simulated time. A message has the number of its Connection as tag.
  std::vector<trace::RankTrace> traces{};

  std::int64_t total_ns() const { return step_end_ns.back(); }
  /// Time over steps, as of a measured run. Steps that overlap do not end at equal distances, so
  /// the time between two ends says less.
  double step_ns() const;
  bool operator==(const SimulatedRun&) const = default;
};

/// Run a job on a machine, in simulated time.
///
/// Workers do what those of flow::Executor do: they run what became ready last, tasks of a higher
/// priority first; post messages before they run a task; poll when they have nothing to run; and
/// then steal. A function of its arguments: the same bits for the same seed, on any machine.
/// @pre n_steps > 0; factors are as many as names and ranks, or none
/// @errors Error where tasks and messages wait for each other in a cycle
/// @cost one event a task, three a message
SimulatedRun simulate(const Job& job, const Machine& machine, const Scenario& scenario);

/// About what a simulation takes of the heap, beside the job.
std::size_t bytes_to_simulate(const Job& job, const Scenario& scenario);

}  // namespace thalweg::predict
