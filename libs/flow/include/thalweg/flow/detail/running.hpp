// SPDX-License-Identifier: MIT
#pragma once
#include <atomic>

#include <thalweg/core/error.hpp>

namespace thalweg::flow::detail {

/// One run of an executor at a time: a task that runs a graph on its own executor would wait for
/// itself.
class Running {
 public:
  /// @errors Error where one is under way
  explicit Running(std::atomic<bool>& is_running) : is_running_(is_running) {
    if (is_running_.exchange(true))
      throw Error(
          "an executor is to run a graph while it runs one (run() was called in a task, or by "
          "another thread); take another executor, for a graph with messages after this run");
  }
  ~Running() { is_running_ = false; }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

 private:
  std::atomic<bool>& is_running_;
};

}  // namespace thalweg::flow::detail
