// SPDX-License-Identifier: MIT
#include <thalweg/lulesh/time_step.hpp>

namespace thalweg::lulesh {
namespace {

constexpr double stop_time = 1e-2;
constexpr double dt_max = 1e-2;
constexpr double least_growth = 1.1;
constexpr double most_growth = 1.2;

/// The step that the bounds allow. Not the smaller of both: the second is compared as it is, and
/// then taken two thirds of, as in the reference.
double allowed(const Constraints& bounds) {
  double dt = 1e20;
  if (bounds.courant < dt) dt = bounds.courant / 2.0;
  if (bounds.hydro < dt) dt = bounds.hydro * 2.0 / 3.0;
  return dt;
}

/// Grow by a tenth at least, or not at all, and by a fifth at most.
double grown(double dt, double next) {
  const double ratio = next / dt;
  if (ratio >= 1.0) {
    if (ratio < least_growth)
      next = dt;
    else if (ratio > most_growth)
      next = dt * most_growth;
  }
  return std::min(next, dt_max);
}

}  // namespace

bool CycleClock::is_at_end(std::int64_t last_cycle) const {
  return time >= stop_time || cycle >= last_cycle || fault.check != Check::none;
}

double initial_energy(int n) {
  const double scale = n / 45.0;
  return 3.948746e+7 * scale * scale * scale;
}

void begin_cycle(CycleClock& clock, const Verdict& before) {
  if (before.fault.check != Check::none) {
    clock.fault = before.fault;
    return;
  }
  double left = stop_time - clock.time;
  if (clock.cycle != 0) clock.dt = grown(clock.dt, allowed(before.bounds));
  // No very small step at the end.
  if (left > clock.dt && left < 4.0 * clock.dt / 3.0) left = 2.0 * clock.dt / 3.0;
  if (left < clock.dt) clock.dt = left;
  clock.time += clock.dt;
  ++clock.cycle;
}

}  // namespace thalweg::lulesh
