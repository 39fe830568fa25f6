// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include <thalweg/numerics/scheme.hpp>

namespace thalweg::step {

/// What a rank says at the end of a step, and the sum of that over ranks.
struct StepSums {
  double work_s = 0;                ///< workers were in tasks, since the rank's clock was restarted
  double end_s = 0;                 ///< when the step ended, since then
  std::uint64_t memory_bytes = 0;   ///< resident
  numerics::Fallbacks fallbacks{};  ///< of the step

  bool operator==(const StepSums&) const = default;
};

/// Add up member by member: what a reduction over ranks does.
inline StepSums operator+(StepSums a, const StepSums& b) {
  a.work_s += b.work_s;
  a.end_s += b.end_s;
  a.memory_bytes += b.memory_bytes;
  a.fallbacks += b.fallbacks;
  return a;
}

}  // namespace thalweg::step
