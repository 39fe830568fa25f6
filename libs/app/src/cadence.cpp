// SPDX-License-Identifier: MIT
#include <thalweg/app/cadence.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace thalweg::app {

bool Cadence::is_due(const step::TimeState& before, const step::TimeState& after) const {
  return (steps > 0 && after.step % steps == 0) ||
         (time > 0 && std::floor(after.time / time) > std::floor(before.time / time));
}

std::int64_t Cadence::next_stop(const step::TimeState& now, double max_growth) const {
  std::int64_t next = std::numeric_limits<std::int64_t>::max();
  if (steps > 0) next = (now.step / steps + 1) * steps;
  if (time > 0) {
    const double left = (std::floor(now.time / time) + 1) * time - now.time;
    // n steps take no more than dt (g^n - 1) / (g - 1): so many cannot reach the time.
    const double g = std::min(max_growth, 1e100);  // without limit, too
    const double n = std::log1p(left / now.dt * (g - 1)) / std::log(g);
    next = std::min(next, now.step + 1 + static_cast<std::int64_t>(std::clamp(n - 1e-6, 0.0, 1e9)));
  }
  return next;
}

}  // namespace thalweg::app
