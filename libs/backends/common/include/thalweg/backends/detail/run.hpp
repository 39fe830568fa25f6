// SPDX-License-Identifier: MIT
#pragma once
#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

#include <thalweg/backends/detail/worker_state.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/flow/executor.hpp>
#include <thalweg/flow/graph.hpp>

namespace thalweg::backends::detail {

/// What the tasks of a run have in common, whatever runtime calls them.
/// @threads any
class Run {
 public:
  Run(const flow::Graph& graph, std::optional<std::uint64_t> first_step)
      : graph_(graph), first_step_(first_step) {}

  const flow::Graph& graph() const { return graph_; }

  /// Run the body of a task, unless the run has failed; an exception makes it fail.
  void execute(std::uint32_t task, std::uint64_t replay, std::uint32_t worker,
               WorkerState& state) noexcept;
  /// No body runs from now on. The first failure counts.
  void fail(std::string message);
  bool has_failed() const { return has_failed_.load(std::memory_order_acquire); }
  /// Whether the task that controls termination has asked that no replay follow the one it ran in.
  bool is_stopped() const { return is_stopped_.load(std::memory_order_acquire); }
  /// How many replays have been decided about.
  std::uint64_t n_decided() const { return n_decided_.load(std::memory_order_acquire); }

  /// What the run came to. @pre nothing runs any more
  Result<flow::RunReport> report(std::uint64_t n_replays) const;

 private:
  std::string describe(std::uint32_t task, std::uint64_t replay) const;

  const flow::Graph& graph_;
  std::optional<std::uint64_t> first_step_;
  std::atomic<bool> has_failed_{false};
  std::atomic<bool> is_stopped_{false};
  std::atomic<std::uint64_t> n_decided_{0};
  std::mutex mutex_;
  std::optional<std::string> failure_;
};

}  // namespace thalweg::backends::detail
