// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace thalweg::backends::detail {

/// What a thread that runs tasks has for itself.
struct alignas(64) WorkerState {
  explicit WorkerState(std::size_t scratch_bytes) : storage(scratch_bytes + 64) {
    void* place = storage.data();
    std::size_t space = storage.size();
    std::align(64, scratch_bytes, place, space);
    scratch = {static_cast<std::byte*>(place), scratch_bytes};
  }

  WorkerState(WorkerState&&) noexcept = default;  // a copy's scratch would be the original's

  std::vector<std::byte> storage;
  std::span<std::byte> scratch;  ///< aligned to 64 bytes
  std::uint64_t n_tasks = 0;     ///< run so far
};

/// How many tasks were run on all of them. @pre nobody runs any
inline std::uint64_t count_tasks(std::span<const WorkerState> states) {
  std::uint64_t n = 0;
  for (const WorkerState& state : states) n += state.n_tasks;
  return n;
}

}  // namespace thalweg::backends::detail
