// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include <thalweg/app/context.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/flow/executor.hpp>
#include <thalweg/flow/model.hpp>
#include <thalweg/lulesh/cube.hpp>
#include <thalweg/lulesh/settings.hpp>
#include <thalweg/lulesh/time_step.hpp>

namespace thalweg::lulesh {

/// Called by the task that begins a cycle, when its time step is known.
using OnCycle = std::function<void(const CycleClock&)>;

/// LULESH on one rank of a cube of ranks: the state, and a graph of one cycle.
///
/// The fields are the same to the bit for any ranks that make the same mesh, any number of tasks,
/// workers, model and regions.
/// @threads one; the executor's while it runs
class Simulation {
 public:
  /// @pre the number of ranks is a cube, and the settings were checked
  Simulation(const Settings& settings, flow::Model model, std::uint32_t n_workers, Rank rank,
             int n_ranks);
  ~Simulation();

  /// What each worker of the executor needs for the tasks.
  std::size_t scratch_bytes() const;
  /// Run to the end of time, a cycle or the first fault, which is in the clock: it is found in the
  /// cycle after, by all ranks, from what they have reduced. Collective.
  /// @param cycle  the last of this call, at most Settings::last_cycle
  /// @errors as flow::Executor::run; the caller aborts the transport
  Result<void> run_to(std::int64_t cycle, flow::Executor& executor, const OnCycle& on_cycle);
  /// Whether there is nothing left to run.
  bool is_over() const;

  /// Write what it takes to go on from here into a file, in place of what it held. Collective.
  /// @pre no fault  @errors on all ranks alike; the file is as it was
  Result<void> write_checkpoint(const app::Context& context, const std::string& path) const;
  /// Go on from a file that any cube of ranks with the same whole mesh has written. Collective.
  /// @errors on all ranks alike
  Result<void> read_checkpoint(const app::Context& context, const std::string& path);

  /// Write files for ParaView and VisIt. Collective. @param n_files  1 .. number of ranks
  /// @errors on all ranks alike
  Result<void> write_vtk(const app::Context& context, const std::string& folder, int n_files) const;

  /// What is replayed, a cycle: for tools.
  const flow::Graph& graph() const;
  const Cube& cube() const;
  const CycleClock& clock() const;
  /// Of this rank's elements [energy per reference volume].
  std::span<const double> energy() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace thalweg::lulesh
