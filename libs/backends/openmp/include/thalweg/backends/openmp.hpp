// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <memory>
#include <optional>

#include <thalweg/backends/capability.hpp>
#include <thalweg/backends/config.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/flow/executor.hpp>
#include <thalweg/flow/graph.hpp>
#include <thalweg/flow/transport.hpp>

namespace thalweg::backends {

/// Runs graphs as OpenMP tasks with `depend` and `detach`, submitted anew in every replay.
///
/// With libgomp the tasks run in a parallel region of a thread of its own and the caller serves the
/// messages, so the transport is used by no other thread; with libomp it is the other way round.
/// @threads one; with libomp, always the same one
class OpenMpExecutor {
 public:
  /// @param transport must outlive the executor
  /// @errors Error where a number in the config is out of range
  OpenMpExecutor(const Config& config, flow::Transport& transport);
  ~OpenMpExecutor();
  OpenMpExecutor(const OpenMpExecutor&) = delete;
  OpenMpExecutor& operator=(const OpenMpExecutor&) = delete;

  /// Run a graph so many times, or until the task that controls termination stops it; as
  /// flow::Executor::run.
  /// @errors Error where the graph needs what OpenMP cannot do (capability.hpp)
  [[nodiscard]] Result<flow::RunReport> run(const flow::Graph& graph, std::uint64_t n_replays,
                                            std::optional<std::uint64_t> first_step = {});

  /// How many task bodies it has run. @pre not during run()
  std::uint64_t n_tasks() const;
  /// The library the module was built for.
  static Runtime runtime();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace thalweg::backends
