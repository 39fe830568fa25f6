// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstdint>
#include <queue>
#include <tuple>
#include <vector>

#include <thalweg/trace/rank_trace.hpp>

namespace thalweg::trace {

/// A message on a lane, where no two are at the same time.
struct InLane {
  const Event* event;
  std::uint32_t lane;
};

/// Spread the messages of a rank over as few lanes as possible, in the order they were posted.
inline std::vector<InLane> spread_messages(const RankTrace& trace) {
  std::vector<InLane> messages;
  for (const auto& events : trace.events)
    for (const Event& e : events)
      if (e.kind == EventKind::send || e.kind == EventKind::recv) messages.push_back({&e, 0});
  std::ranges::stable_sort(
      messages, {}, [](const InLane& m) { return std::tuple(m.event->start_ns, m.event->end_ns); });
  using Free = std::pair<std::int64_t, std::uint32_t>;  // from when, and which lane
  std::priority_queue<Free, std::vector<Free>, std::greater<>> lanes;
  for (InLane& m : messages) {
    if (!lanes.empty() && lanes.top().first <= m.event->start_ns) {
      m.lane = lanes.top().second;
      lanes.pop();
    } else {
      m.lane = static_cast<std::uint32_t>(lanes.size());
    }
    lanes.emplace(m.event->end_ns, m.lane);
  }
  return messages;
}

}  // namespace thalweg::trace
