// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include <thalweg/step/time_control.hpp>

namespace thalweg::app {

/// How often something is done during a run: every so many steps of level 0, and after the first
/// step that reaches a multiple of so much time. Steps are not shortened for it.
struct Cadence {
  std::int64_t steps = 0;  ///< 0: not by steps
  double time = 0;         ///< 0: not by time [time]

  bool is_set() const { return steps > 0 || time > 0; }
  /// Whether it is due after the last of some steps, which ended no later than at
  /// next_stop(before).
  bool is_due(const step::TimeState& before, const step::TimeState& after) const;
  /// The first step after which it may be due.
  /// @param max_growth  of dt from step to step, at most; > 1
  std::int64_t next_stop(const step::TimeState& now, double max_growth) const;
};

}  // namespace thalweg::app
