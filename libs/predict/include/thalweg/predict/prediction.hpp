// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <thalweg/predict/refinement.hpp>
#include <thalweg/predict/simulate.hpp>
#include <thalweg/predict/what_if.hpp>
#include <thalweg/trace/efficiency.hpp>

namespace thalweg::predict {

/// What tasks of one name, or messages, take of the longest chain of a step.
struct PathPart {
  std::string name;
  double ns = 0;
};

/// What one change would gain.
struct Gain {
  std::string what_if;
  double step_ns = 0;
  double step_with_regrids_ns = 0;  ///< with its share of a refinement, where that is known
  bool removes_cost = false;        ///< see WhatIf
};

/// What a job does on a machine.
struct Prediction {
  std::string machine{};       ///< its name
  std::string machine_file{};  ///< that describes it; "": none
  std::string model{};
  int n_ranks = 1;
  std::uint32_t n_threads = 1;  ///< of each rank, as they were asked for
  int n_nodes = 1;              ///< that its ranks are on
  double size = 1;  ///< of the problem, in any unit that predictions to be compared share
  double step_ns = 0;
  /// As of a measured run, but that the ideal network is simulated.
  trace::Efficiencies efficiencies{};
  double work = 0, overhead = 0;     ///< parts of all workers' time
  std::vector<double> idle{};        ///< the same, by trace::IdleCause
  double messages = 0, bytes = 0;    ///< of all ranks, in a step
  std::vector<std::string> names{};  ///< of tasks, those that take longest first
  std::vector<double> work_ns{};     ///< of these, of all ranks, in a step
  /// The longest chain of tasks and messages, of a step: what no number of workers beats. None
  /// where it is left out.
  std::optional<double> path_ns{};
  std::vector<PathPart> path{};  ///< what is on it, what takes longest first
  double rank_bytes = 0;         ///< of memory, of the rank that takes most; 0: nobody knows
  std::vector<Gain> gains{};
  std::optional<Refinement> refinement{};  ///< beside steps, where it is known

  /// What a step takes with its share of refinements, where these are known [ns].
  double step_with_regrids_ns() const {
    return step_ns + (refinement ? refinement->ns_a_step() : 0);
  }
};

/// Of what predictions are, and how they were made: whoever finds a file of them later can make
/// them again, and does not take them for those of something else.
struct Provenance {
  std::string program{}, version{};  ///< that made them
  std::string deck{};                ///< its file; "": none
  std::string command{};             ///< what has words of its own in place of a deck; "": none
  std::string restart{};             ///< a checkpoint, on the mesh of which steps are; "": none
  std::vector<std::string> words{};  ///< the deck's overrides, or the words of the command
  std::string task_times{};          ///< where they come from, as "--times FILE"
  std::uint64_t seed = 0;
  std::int64_t n_steps = 0;  ///< that were simulated
};

/// What memory and processors leave room for.
struct Room {
  std::size_t n_at_once = 1;  ///< simulations, each in a thread and bytes_to_simulate(), or a path
  bool has_path = true;       ///< whether the critical path is found, in bytes_of_path()
  bool operator==(const Room&) const = default;
};

/// The room in so many bytes beside the job. @param free_bytes  0: not known
Room room_in(double free_bytes, std::size_t n_processors, const Job& job, const Scenario& scenario);

/// Simulate a job, and what each of some changes would make of it.
/// @param n_threads  of each rank; bulk uses one of them
Prediction predict(const Job& job, const Machine& machine, const Scenario& scenario,
                   std::uint32_t n_threads, std::string_view model,
                   std::span<const WhatIf> what_ifs = {}, const Room& room = {});

/// How a prediction compares with the first one of its model and machine file.
struct Comparison {
  double speed_up = 1;    ///< by time for the same size
  double efficiency = 1;  ///< the same over the number of cores
};

/// Compare predictions with the first one of the same model, machine and machine file, by steps
/// with their share of refinements, one result for each.
std::vector<Comparison> compare(std::span<const Prediction> predictions);

/// A table for people: a line for each prediction with what compare() says; then what a refinement
/// takes and what each change would gain.
std::string table_of(std::span<const Prediction> predictions);
/// The same for tools, schema thalweg-predict-1; times in nanoseconds.
std::string json_of(std::span<const Prediction> predictions, const Provenance& provenance);

}  // namespace thalweg::predict
