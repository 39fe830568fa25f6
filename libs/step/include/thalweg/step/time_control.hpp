// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

namespace thalweg::step {

/// When to stop and how large steps may be.
struct TimeSettings {
  double end = std::numeric_limits<double>::infinity();  ///< final time [time]
  std::int64_t max_steps = std::numeric_limits<std::int64_t>::max();
  double cfl = 0.3;             ///< fraction of a cell the fastest signal crosses in a step
  double max_growth = 1.1;      ///< of dt from one step to the next
  double initial_shrink = 1.0;  ///< of the first dt
  double max_dt = 0;            ///< the largest dt of level 0 [time]; 0: none
  bool subcycle = true;         ///< finer levels make shorter steps; false: all make the same
  /// Sources act before and after the step with schemes, too, that would add a rate of theirs in
  /// each stage. @pre with these: one level, or no subcycling, and no Boundary::dirichlet, as what
  /// a later stage gets from there has another share of the source
  bool split_sources = false;
  int retries = 10;  ///< how often a step may be taken again with a smaller dt
};

/// Where a run stands, in steps of level 0. The same on all ranks.
struct TimeState {
  std::int64_t step = 0;
  double time = 0;
  double dt = 0;             ///< of the step under way
  double dt_before = 0;      ///< of the step before; 0 before the first
  int n_retries = 0;         ///< how often the step under way was taken again
  bool is_rejected = false;  ///< the step must be taken again, with this dt: what it left is void

  bool operator==(const TimeState&) const = default;
};

/// Tell whether a run has come to its end.
inline bool is_over(const TimeState& time_state, const TimeSettings& settings) {
  return time_state.step >= settings.max_steps || time_state.time >= settings.end;
}

/// Where a run stands after the step of its dt; exactly at the end if dt was cut to reach it.
inline TimeState advanced(TimeState time_state, const TimeSettings& settings) {
  const bool reaches_end = time_state.dt >= settings.end - time_state.time;
  time_state.time = reaches_end ? settings.end : time_state.time + time_state.dt;
  time_state.step += 1;
  time_state.dt_before = time_state.dt;
  return time_state;
}

/// The time when a part of a step is over; the clock has moved on to its end by then.
inline double time_after(const TimeState& time_state, double part) {
  return time_state.time - (1.0 - part) * time_state.dt;
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

/// What a state may allow at least, over the time that has passed; with less a run would not end.
/// @source as Castro has it (castro.dt_cutoff)
inline constexpr double least_relative_dt = 1e-12;

/// Choose the next dt.
///
/// @param stable  largest dt of level 0 for which all levels obey the CFL condition
/// @param before  the dt of the last step; 0 before the first
/// @errors throws where dt is not a positive number, or too small to move time on, or where the
/// state allows less than least_relative_dt of the time and the step does not reach the end
inline double next_dt(double stable, double before, double time, const TimeSettings& settings) {
  const double allowed = settings.max_dt > 0 ? std::min(stable, settings.max_dt) : stable;
  double dt = before > 0 ? std::min(allowed, settings.max_growth * before)
                         : settings.initial_shrink * allowed;
  // Roundings of the steps before must not be left over for one more.
  const double left = settings.end - time;
  constexpr double slack = 1 + 1e-6;
  if (left <= slack * dt) dt = left;
  if (time >= settings.end) return 0.0;  // nobody will use it
  // A step that is cut, asked for, or grows again after one that was cut, may well be smaller.
  if (stable > 0 && stable < least_relative_dt * time && dt < left)
    throw std::runtime_error(fmt::format(
        "time step: the state allows dt = {:g} at t = {:g} (with less than {:g} t a run "
        "does not get on: the state, its signal speed or its longest_dt has become extreme "
        "somewhere); look for where in plotfiles (output.plot_interval), and check the "
        "initial data, sources, states outside boundaries and floors",
        stable, time, least_relative_dt));
  if (!(dt > 0) || !std::isfinite(dt) || time + dt == time)
    throw std::runtime_error(
        fmt::format("time step dt = {:g} at t = {:g} (it must be positive, finite and large enough "
                    "to change t); check the initial data, sources, states outside "
                    "boundaries, time.cfl and time.end",
                    dt, time));
  return dt;
}

/// What takes the place of a stable dt where a state is inadmissible.
inline constexpr double inadmissible_dt = -1;

/// The Courant number from which on a step that is over counts as too large: a signal that it has
/// made crosses a whole cell, and a tenth, as signals gain speed while steps of a Courant number of
/// one are made.
inline constexpr double too_large_courant = 1.1;

/// Tell whether a step must be taken again: it has left an inadmissible state, or
/// its own dt would be far too large for what it has made.
/// @param stable    largest dt of level 0 for the new state, on all ranks; or inadmissible_dt
/// @param settings  a step is taken again `retries` times at most, and then is what it is
inline bool must_retry(double stable, const TimeState& time_state, const TimeSettings& settings) {
  if (time_state.n_retries >= settings.retries) return false;
  return stable == inadmissible_dt || settings.cfl * time_state.dt > too_large_courant * stable;
}

/// The dt with which a step is taken again: what the new state allows, as it knows the waves that
/// the old one has become, but no less than half of the dt that failed.
/// @source half: as Castro has it (castro.retry_subcycle_factor)
inline double retry_dt(double stable, double failed) {
  return std::max(stable, 0.5 * failed);
}

}  // namespace thalweg::step
