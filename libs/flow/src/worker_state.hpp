// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "account.hpp"

namespace thalweg::flow {

/// What a worker keeps from run to run.
struct WorkerState {
  WorkerState(const ExecutorConfig& config, const Clock& clock, std::uint32_t worker)
      : account(clock, config.accounting, worker), storage_(config.scratch_bytes + 64) {
    void* place = storage_.data();
    std::size_t space = storage_.size();
    std::align(64, config.scratch_bytes, place, space);
    scratch = {static_cast<std::byte*>(place), config.scratch_bytes};
  }

  Account account;
  std::span<std::byte> scratch;  ///< aligned to 64 bytes

 private:
  std::vector<std::byte> storage_;
};

}  // namespace thalweg::flow
