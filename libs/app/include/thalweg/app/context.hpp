// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>

#include <thalweg/app/requests.hpp>
#include <thalweg/core/clock.hpp>
#include <thalweg/core/logger.hpp>
#include <thalweg/flow/executor.hpp>
#include <thalweg/flow/model.hpp>
#include <thalweg/flow/transport.hpp>
#include <thalweg/io/file_system.hpp>

namespace thalweg::app {

/// How graphs are to be recorded and run on this rank.
struct Execution {
  flow::Model model = flow::Model::dataflow;
  std::uint32_t grain = 1;     ///< blocks, or joined ones, a task, at most: flow::RecorderConfig
  double latency_us = 0;       ///< that Runtime holds messages back for, 0 to 1e6; for studies
  std::uint32_t n_unused = 0;  ///< threads that were asked for beside, where bulk takes one
  flow::ExecutorConfig executor{};  ///< but executor_config() sets scratch_bytes, cpus, log

  bool operator==(const Execution&) const = default;
};

/// The world outside a simulation: the machine, or a simulated one. Nothing is owned.
struct Context {
  flow::Transport& transport;
  const Clock& clock;
  io::FileSystem& files;
  Logger& log;
  Execution execution;
  Requests* requests = nullptr;  ///< what is asked of the run while it runs; null: nothing
  /// What each rank may take of its machine's memory, the same on all; 0: nobody knows. Holds where
  /// Settings::memory_limit_bytes says nothing.
  std::size_t memory_bytes = 0;
};

/// The same world but for its log, its clock or its files.
inline Context with_log(const Context& c, Logger& log) {
  return {c.transport, c.clock, c.files, log, c.execution, c.requests, c.memory_bytes};
}
inline Context with_clock(const Context& c, const Clock& clock) {
  return {c.transport, clock, c.files, c.log, c.execution, c.requests, c.memory_bytes};
}
inline Context with_files(const Context& c, io::FileSystem& files) {
  return {c.transport, c.clock, files, c.log, c.execution, c.requests, c.memory_bytes};
}

}  // namespace thalweg::app
