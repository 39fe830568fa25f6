// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include <thalweg/core/contract.hpp>

namespace thalweg::flow {

template <bool shared>
class Engine;

/// What a task may say about itself beside its accesses.
struct TaskOptions {
  int priority = 0;                            ///< above 0: runs before the others that are ready
  double cost = 1;                             ///< a hint, in any unit, for tools
  std::optional<std::uint32_t> home_worker{};  ///< taken modulo the number of workers
  int level = 0;                               ///< of the mesh, for traces and messages
  std::uint64_t block = 0;                     ///< key, for traces and messages
  bool decides = false;  ///< the next replay waits for it, and it may end the run; one a graph
};

/// What a running task knows of its surroundings.
class TaskContext {
 public:
  /// For the executor. @param decides whether the task may end the run
  TaskContext(std::uint32_t worker, std::uint64_t replay, std::span<std::byte> scratch,
              bool decides)
      : replay_(replay), scratch_(scratch), worker_(worker), decides_(decides) {}

  /// The number of the worker that runs the task.
  std::uint32_t worker() const { return worker_; }
  /// The number of the replay, from 0 in each run.
  std::uint64_t replay() const { return replay_; }
  /// Memory of the worker, aligned to 64 bytes; holds whatever the last task left there.
  std::span<std::byte> scratch() const { return scratch_; }

  /// Let no replay start after this one. @pre the task was recorded with `decides`
  void request_stop() {
    THALWEG_EXPECT(decides_, "only a task with the option `decides` can stop a run");
    stops_ = true;
  }
  bool is_stop_requested() const { return stops_; }

 private:
  template <bool shared>
  friend class Engine;  // has one for each worker, and uses it again for every task

  std::uint64_t replay_;
  std::span<std::byte> scratch_;
  std::uint32_t worker_;
  bool decides_;
  bool stops_ = false;
};

}  // namespace thalweg::flow
