// SPDX-License-Identifier: MIT
#include <thalweg/app/cadence.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace thalweg::app {

namespace {

constexpr double of_step = 1e-6;  // what roundings of many steps may come to

// How many multiples of a time are reached: also one that is missed by roundings, as 3 x 0.1 by
// 0.3.
double n_reached(const step::TimeState& now, double every) {
  return std::floor(time_reached(now) / every);
}

}  // namespace

double time_reached(const step::TimeState& now) {
  constexpr double slack = 4 * std::numeric_limits<double>::epsilon();
  return now.time * (1 + slack) + of_step * now.dt_before;
}

std::int64_t first_step_at(double time, const step::TimeState& now, double max_growth) {
  // n steps take no more than dt (g^n - 1) / (g - 1): so many cannot reach the time.
  const double g = std::min(max_growth, 1e100);  // without limit, too
  const double n = std::log1p(std::max(time - now.time, 0.0) / now.dt * (g - 1)) / std::log(g);
  return now.step + 1 + static_cast<std::int64_t>(std::clamp(n - 2 * of_step, 0.0, 1e9));
}

bool Cadence::is_due(const step::TimeState& before, const step::TimeState& after) const {
  return (steps > 0 && after.step % steps == 0) ||
         (time > 0 && n_reached(after, time) > n_reached(before, time));
}

std::int64_t Cadence::next_stop(const step::TimeState& now, double max_growth) const {
  std::int64_t next = std::numeric_limits<std::int64_t>::max();
  if (steps > 0) next = (now.step / steps + 1) * steps;
  if (time > 0) {
    constexpr double slack = 8 * std::numeric_limits<double>::epsilon();
    const double multiple = (n_reached(now, time) + 1) * time;
    next = std::min(next, first_step_at(multiple * (1 - slack), now, max_growth));
  }
  return next;
}

}  // namespace thalweg::app
