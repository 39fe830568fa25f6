// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include <thalweg/step/time_control.hpp>

namespace thalweg::app {

/// The time that a run has reached, for who asks whether that is as much as some number: roundings
/// of many steps, up to a millionth of the last one, are not missing in it.
double time_reached(const step::TimeState& now);

/// The first step that may reach a time, which lies ahead.
/// @param max_growth  of dt from step to step, at most; > 1
std::int64_t first_step_at(double time, const step::TimeState& now, double max_growth);

/// How often something is done during a run: every so many steps of level 0, and after the first
/// step that reaches a multiple of so much time, but for rounding: 0.3 reaches 3 x 0.1. Steps are
/// not shortened for it.
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
