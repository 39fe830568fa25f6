// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>

namespace thalweg::step {

/// When to stop and how large steps may be.
struct TimeSettings {
  double end = std::numeric_limits<double>::infinity();  ///< final time [time]
  std::int64_t max_steps = std::numeric_limits<std::int64_t>::max();
  double cfl = 0.3;             ///< fraction of a cell the fastest signal crosses in a step
  double max_growth = 1.1;      ///< of dt from one step to the next
  double initial_shrink = 1.0;  ///< of the first dt
  bool subcycle = true;         ///< finer levels make shorter steps; false: all make the same
};

/// Where a run stands, in steps of level 0. The same on all ranks.
struct TimeState {
  std::int64_t step = 0;
  double time = 0;
  double dt = 0;         ///< of the step under way
  double dt_before = 0;  ///< of the step before; 0 before the first

  bool operator==(const TimeState&) const = default;
};

/// Tell whether a moment is the last.
inline bool is_over(const TimeState& time_state, const TimeSettings& settings) {
  return time_state.step >= settings.max_steps || time_state.time >= settings.end;
}

/// The moment after the step of now.dt; exactly the end if dt was cut to reach it.
inline TimeState advanced(TimeState time_state, const TimeSettings& settings) {
  const bool reaches_end = time_state.dt >= settings.end - time_state.time;
  time_state.time = reaches_end ? settings.end : time_state.time + time_state.dt;
  time_state.step += 1;
  time_state.dt_before = time_state.dt;
  return time_state;
}

/// The largest dt in which a signal that also gains speed crosses no more than cfl of a cell:
///     signal dt + acceleration dt^2 / 2 = cfl,
/// so a gas at rest, without pressure, that begins to fall has a time step, too. Without
/// acceleration it is cfl / signal.
/// @param signal        fastest speed over cell size [1/time]
/// @param acceleration  greatest acceleration over cell size [1/time^2]
/// @source  as Teyssier, A&A 385 (2002) 337, has it in RAMSES
/// @verified time_control_test.cpp
inline double stable_dt(double cfl, double signal, double acceleration) {
  if (acceleration == 0) return cfl / signal;
  return 2 * cfl / (signal + std::sqrt(signal * signal + 2 * cfl * acceleration));
}

/// Choose the next dt.
///
/// @param stable  largest dt of level 0 for which all levels obey the CFL condition
/// @param before  the dt of the last step; 0 before the first
/// @errors throws where dt is not a positive number, or too small to move time on
inline double next_dt(double stable, double before, double time, const TimeSettings& settings) {
  double dt = before > 0 ? std::min(stable, settings.max_growth * before)
                         : settings.initial_shrink * stable;
  dt = std::min(dt, settings.end - time);
  if (time >= settings.end) return 0.0;  // nobody will use it
  if (!(dt > 0) || !std::isfinite(dt) || time + dt == time)
    throw std::runtime_error("time step dt = " + std::to_string(dt) +
                             " at t = " + std::to_string(time) +
                             " (it must be positive, finite and large enough to change t); check "
                             "the initial data, lower time.cfl, or set time.end");
  return dt;
}

}  // namespace thalweg::step
