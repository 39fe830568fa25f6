// SPDX-License-Identifier: MIT
#pragma once
#include <thalweg/flow/executor.hpp>

#include "loopback.hpp"

namespace thalweg::flow {

inline constexpr Model all_models[] = {Model::bulk, Model::forkjoin, Model::phase, Model::dataflow};

/// An executor on one rank, with all it needs.
struct SingleRank {
  explicit SingleRank(const ExecutorConfig& config, int delay = 0)
      : transport(delay), executor(config, transport, clock) {}
  SteadyClock clock;
  Loopback transport;
  Executor executor;
};

}  // namespace thalweg::flow
