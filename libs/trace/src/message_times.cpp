// SPDX-License-Identifier: MIT
#include "message_times.hpp"

#include <algorithm>

namespace thalweg::trace {

MessageTimes::MessageTimes(const History& history) : history_(history) {
  const auto& instances = history.instances();
  for (std::uint32_t t = 0; t < history.traces().size(); ++t)
    traces_[history.traces()[t].rank()] = t;
  for (std::uint32_t id = 0; id < instances.size(); ++id) {
    const Instance& instance = instances[id];
    if (instance.kind == Instance::Kind::send) learn(sends_, id, instance.span.start_ns);
    if (instance.kind != Instance::Kind::recv) continue;
    // Whether a short message lay there when its receive was posted is not known: no less than the
    // network took is the time from its send on. Without a send that is not known, either.
    const auto send = history.send_of(id);
    learn(recvs_, id, send ? instances[*send].span.start_ns : history.window().start_ns);
  }
  for (auto* const both : {&recvs_, &sends_})
    for (Least& least : *both) compare_sizes(least);
}

void MessageTimes::compare_sizes(Least& least) {
  const Least seen = least;
  for (auto& [bytes, least_ns] : least)
    for (const auto& [others, other_ns] : seen) {
      const auto pieces = static_cast<std::int64_t>(
          others >= bytes ? 1 : 1 + (bytes - 1) / std::max<std::uint64_t>(others, 1));
      if (other_ns <= least_ns / pieces) least_ns = pieces * other_ns;
    }
}

std::int64_t MessageTimes::of_recv_ns(std::uint32_t recv) const {
  const Span& span = history_.instances()[recv].span;
  std::int64_t both_ns = span.start_ns;
  const auto send = history_.send_of(recv);
  if (send) both_ns = std::max(both_ns, history_.instances()[*send].span.start_ns);
  const std::int64_t seen_ns = std::max<std::int64_t>(0, span.end_ns - both_ns);
  const std::int64_t least_ns = find(recvs_, recv);
  // Without its send a receive may have waited for that alone.
  return least_ns == unknown && !send ? 0 : std::min(seen_ns, least_ns);
}

std::int64_t MessageTimes::of_send_ns(std::uint32_t send) const {
  return std::min(history_.instances()[send].span.length_ns(), find(sends_, send));
}

const NodeInfo& MessageTimes::node_of(std::uint32_t message) const {
  const Instance& instance = history_.instances()[message];
  const RankTrace& trace = history_.traces()[instance.trace];
  return trace.graphs[trace.runs[instance.run].graph].nodes[instance.node];
}

MessageTimes::Way MessageTimes::way_of(std::uint32_t message) const {
  const auto peer = traces_.find(node_of(message).peer);
  if (peer == traces_.end()) return between_hosts;
  const auto& traces = history_.traces();
  const std::uint32_t own = history_.instances()[message].trace;
  return traces[own].host == traces[peer->second].host ? in_host : between_hosts;
}

void MessageTimes::learn(std::array<Least, 2>& least, std::uint32_t message,
                         std::int64_t since_ns) {
  const auto it = least[way_of(message)].try_emplace(node_of(message).bytes, unknown).first;
  const std::int64_t end_ns = history_.instances()[message].span.end_ns;
  const Span& window = history_.window();
  // Cut off at the window's ends it would be shorter than it was.
  if (since_ns <= window.start_ns || end_ns >= window.end_ns || end_ns < since_ns) return;
  it->second = std::min(it->second, end_ns - since_ns);
}

std::int64_t MessageTimes::find(const std::array<Least, 2>& least, std::uint32_t message) const {
  return least[way_of(message)].at(node_of(message).bytes);
}

}  // namespace thalweg::trace
