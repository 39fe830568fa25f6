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

/// Runs graphs as StarPU tasks on data handles, submitted anew in every replay.
///
/// The caller submits the tasks and serves the messages. StarPU is one for the whole process: it
/// starts with the first executor and ends with the last, and all of them share its threads.
/// @threads one
class StarPuExecutor {
 public:
  /// @param transport must outlive the executor
  /// @errors Error where a number in the config is out of range, StarPU does not start, or it runs
  ///         already with another number of threads
  StarPuExecutor(const Config& config, flow::Transport& transport);
  ~StarPuExecutor();
  StarPuExecutor(const StarPuExecutor&) = delete;
  StarPuExecutor& operator=(const StarPuExecutor&) = delete;

  /// Run a graph so many times, or until the task that controls termination stops it; as
  /// flow::Executor::run.
  /// @errors Error where the graph needs what StarPU cannot do (capability.hpp)
  [[nodiscard]] Result<flow::RunReport> run(const flow::Graph& graph, std::uint64_t n_replays,
                                            std::optional<std::uint64_t> first_step = {});

  /// How many task bodies it has run. @pre not during run()
  std::uint64_t n_tasks() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace thalweg::backends
