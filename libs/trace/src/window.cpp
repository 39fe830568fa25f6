// SPDX-License-Identifier: MIT
#include "window.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

namespace thalweg::trace {

Result<Span> find_window(std::span<const RankTrace> traces, std::span<const std::int64_t> offsets) {
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  Span whole{most, least};   // of all runs
  Span common{least, most};  // from when the last rank starts to when the first one ends
  bool is_windowed = false, has_steps = false;
  std::uint64_t n_dropped = 0;
  for (std::size_t t = 0; t < traces.size(); ++t) {
    const RankTrace& trace = traces[t];
    n_dropped += trace.n_dropped;
    for (const RunInfo& run : trace.runs)
      whole = {std::min(whole.start_ns, run.start_ns + offsets[t]),
               std::max(whole.end_ns, run.end_ns + offsets[t])};
    Span own{most, least};
    for (const auto& events : trace.events)
      for (const Event& e : events)
        if (trace.is_of_steps(e))
          own = {std::min(own.start_ns, e.start_ns + offsets[t]),
                 std::max(own.end_ns, e.end_ns + offsets[t])};
    if (trace.steps.is_everything()) continue;
    is_windowed = true;
    if (own.start_ns == most) continue;
    has_steps = true;
    common = {std::max(common.start_ns, own.start_ns), std::min(common.end_ns, own.end_ns)};
  }
  const bool has_events = whole.start_ns != most && (!is_windowed || has_steps);
  const Span window = has_steps ? common : whole;
  if (has_events && window.length_ns() > 0) return window;
  if (n_dropped > 0)
    return std::unexpected(Failure{
        fmt::format("too much of its steps is missing in the trace ({} events found no room in the "
                    "buffers); trace fewer steps, or in a deck raise trace.max_events",
                    n_dropped)});
  return std::unexpected(Failure{
      has_events ? "the traced steps of the ranks have no time in common (the first rank had "
                   "finished them before the last one began); select more steps"
                 : "there are no events in the trace (no graph ran in its window); select other "
                   "steps"});
}

StepWindow traced_steps(std::span<const RankTrace> traces) {
  const StepWindow asked = traces.front().steps;
  if (asked.is_everything()) return asked;
  StepWindow seen{.first = asked.last, .last = asked.first};
  for (const RankTrace& trace : traces)
    for (const auto& events : trace.events)
      for (const Event& e : events) {
        if (!trace.is_of_steps(e)) continue;
        const std::uint64_t step = trace.step_of(e);
        seen = {std::min(seen.first, step), std::max(seen.last, step + 1)};
      }
  return seen.first < seen.last ? seen : asked;
}

}  // namespace thalweg::trace
