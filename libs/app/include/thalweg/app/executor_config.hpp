// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include <thalweg/app/context.hpp>
#include <thalweg/app/processors.hpp>
#include <thalweg/flow/executor.hpp>

namespace thalweg::app {

/// How an executor runs the graphs of a context: as its execution says, but for its log, its
/// scratch and its processors, which are those of processors_of_workers().
/// @param scratch_bytes  memory of each worker for its tasks
/// @param sink           where task events go: that of the context, or what hears them before it
inline flow::ExecutorConfig executor_config(const Context& context, std::size_t scratch_bytes,
                                            trace::Sink* sink) {
  flow::ExecutorConfig config = context.execution.executor;
  config.scratch_bytes = scratch_bytes;
  config.sink = sink;
  config.cpus = processors_of_workers(config.picker == nullptr ? config.n_workers : 1);
  config.log = &context.log;
  return config;
}

}  // namespace thalweg::app
