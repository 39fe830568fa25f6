// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace thalweg::flow {

/// One of two accesses that nothing orders.
struct RacingAccess {
  std::uintptr_t mark = 0;  ///< of what ran (ChainCall::mark); 0: something else
  int n_bytes = 0;
  bool writes = false;
};

/// What ThreadSanitizer reports: the later access first.
struct RaceReport {
  RacingAccess accesses[2];
};

/// An address where no code is, never given before: ThreadSanitizer reports no pair of stacks
/// twice.
std::uintptr_t new_mark();

/// Take what has been reported since the last call. @threads one
std::vector<RaceReport> take_race_reports();

}  // namespace thalweg::flow
