// SPDX-License-Identifier: MIT
#include <thalweg/app/cadence.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace thalweg::app {

namespace {

constexpr double slack = 4 * std::numeric_limits<double>::epsilon();

// How many multiples of a time are reached: also one that is missed by a rounding, as 3 x 0.1 by
// 0.3.
double n_reached(double now, double every) {
  return std::floor(now / every * (1 + slack));
}

}  // namespace

std::int64_t first_step_at(double time, const step::TimeState& now, double max_growth) {
  // n steps take no more than dt (g^n - 1) / (g - 1): so many cannot reach the time.
  const double g = std::min(max_growth, 1e100);  // without limit, too
  const double n = std::log1p(std::max(time - now.time, 0.0) / now.dt * (g - 1)) / std::log(g);
  return now.step + 1 + static_cast<std::int64_t>(std::clamp(n - 1e-6, 0.0, 1e9));
}

bool Cadence::is_due(const step::TimeState& before, const step::TimeState& after) const {
  return (steps > 0 && after.step % steps == 0) ||
         (time > 0 && n_reached(after.time, time) > n_reached(before.time, time));
}

std::int64_t Cadence::next_stop(const step::TimeState& now, double max_growth) const {
  std::int64_t next = std::numeric_limits<std::int64_t>::max();
  if (steps > 0) next = (now.step / steps + 1) * steps;
  if (time > 0) {
    const double multiple = (n_reached(now.time, time) + 1) * time;
    next = std::min(next, first_step_at(multiple * (1 - 2 * slack), now, max_growth));
  }
  return next;
}

}  // namespace thalweg::app
