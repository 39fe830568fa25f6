// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include <thalweg/app/context.hpp>
#include <thalweg/app/processors.hpp>
#include <thalweg/flow/executor.hpp>

namespace thalweg::app {

/// How an executor runs the graphs of a context; workers are pinned where processors_of_workers()
/// says so.
/// @param scratch_bytes  memory of each worker for its tasks
/// @param sink           where task events go: that of the context, or what hears them before it
inline flow::ExecutorConfig executor_config(const Context& context, std::size_t scratch_bytes,
                                            trace::Sink* sink) {
  const Execution& execution = context.execution;
  return {.n_workers = execution.n_workers,
          .depth = execution.depth,
          .scratch_bytes = scratch_bytes,
          .sink = sink,
          .picker = execution.picker,
          .honours_priorities = execution.honours_priorities,
          .progress = execution.progress,
          .posting = execution.posting,
          .cpus = processors_of_workers(execution.picker == nullptr ? execution.n_workers : 1),
          .watchdog_s = execution.watchdog_s,
          .checker = execution.checker,
          .log = &context.log};
}

}  // namespace thalweg::app
