// SPDX-License-Identifier: MIT
#include <thalweg/taskbench/schedule.hpp>

#include <algorithm>

#include <thalweg/core/contract.hpp>

namespace thalweg::taskbench {
namespace {

/// Whether two timesteps have the same tasks and edges. Timestep 0 has no edges: any will do.
bool looks_alike(std::span<const StepShape> steps, long a, long b) {
  const StepShape& first = steps[static_cast<std::size_t>(a)];
  const StepShape& second = steps[static_cast<std::size_t>(b)];
  if (a > 0) return first == second;
  return std::ranges::equal(first, second, [](const GraphStep& x, const GraphStep& y) {
    return x.offset == y.offset && x.width == y.width && x.dependence_set == y.dependence_set;
  });
}

/// How often n_steps from a timestep on can be run in a row, the timestep after being alike too.
long count_replays(std::span<const StepShape> steps, long first, long n_steps) {
  const long n = std::ssize(steps);
  long same = first;
  while (same + n_steps < n && looks_alike(steps, same, same + n_steps)) ++same;
  // All of the timesteps before same + n_steps repeat those n_steps earlier.
  const bool ends_with_steps = same + n_steps >= n;
  const long n_whole = (same - first) / n_steps + 1;
  const bool is_followed_by_other = (same - first) % n_steps == 0 && !ends_with_steps;
  return is_followed_by_other ? n_whole - 1 : n_whole;
}

/// About the target, and if possible such that nothing is left over at the end.
long choose_window(long n_steps, const SegmentLimits& limits) {
  const long longest = std::max(limits.unit, limits.target_steps / limits.unit * limits.unit);
  for (long window = longest; window > 0 && 4 * window >= limits.target_steps;
       window -= limits.unit)
    if (n_steps % window == 0) return window;
  return longest;
}

}  // namespace

std::vector<Segment> plan_segments(std::span<const StepShape> steps, const SegmentLimits& limits) {
  THALWEG_EXPECT(limits.unit > 0 && limits.max_steps > 0, "segments have at least one step");
  const long n = std::ssize(steps);
  const long window = choose_window(n, limits);
  std::vector<Segment> segments;
  long step = 0;
  while (step < n) {
    const long n_replays = window <= limits.max_steps && step + 2 * window <= n
                               ? count_replays(steps, step, window)
                               : 1;
    if (n_replays > 1) {
      segments.push_back({step, window, n_replays});
      step += n_replays * window;
      continue;
    }
    const bool goes_on = !segments.empty() && segments.back().n_replays == 1 &&
                         segments.back().n_steps < limits.max_steps;
    if (goes_on)
      ++segments.back().n_steps;
    else
      segments.push_back({step, 1, 1});
    ++step;
  }
  return segments;
}

}  // namespace thalweg::taskbench
