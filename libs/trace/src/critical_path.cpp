// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <optional>

#include <thalweg/trace/critical_path.hpp>

#include "message_times.hpp"

namespace thalweg::trace {
namespace {

using Why = Cause::Why;
using Kind = Instance::Kind;

/// The longest path to where an instance begins, and from where.
struct Reach {
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;
  std::optional<std::uint32_t> from{};
};

/// How long an instance keeps those waiting that come after it, once it may begin.
std::int64_t weight_ns(const History& history, const MessageTimes& times, std::uint32_t id) {
  const Instance& instance = history.instances()[id];
  if (instance.kind == Kind::send) return times.of_send_ns(id);
  // One with a send flies from when that is posted.
  if (instance.kind == Kind::recv) return history.send_of(id) ? 0 : times.of_recv_ns(id);
  return instance.span.length_ns();
}

std::string name_of(const History& history, const Instance& instance) {
  const bool is_message = instance.kind == Kind::send || instance.kind == Kind::recv;
  return is_message ? "messages" : std::string(history.name(instance));
}

}  // namespace

CriticalPath critical_path(const History& history) {
  const MessageTimes times(history);
  std::vector<Reach> reach(history.instances().size());
  std::optional<std::uint32_t> last;
  for (const std::uint32_t id : history.order()) {
    Reach& own = reach[id];
    std::int64_t flight_ns = 0;
    for (const Cause& cause : history.causes(id)) {
      if (cause.why == Why::order) continue;
      // A message flies from when its send is posted, not from when that is complete.
      const Reach& before = reach[cause.instance];
      const std::int64_t takes_ns = cause.why == Why::message ? times.of_recv_ns(id) : 0;
      const std::int64_t at_ns = cause.why == Why::message ? before.begin_ns : before.end_ns;
      if (own.from && at_ns + takes_ns <= own.begin_ns + flight_ns) continue;
      own.begin_ns = at_ns;
      own.from = cause.instance;
      flight_ns = takes_ns;
    }
    own.end_ns = own.begin_ns + flight_ns + weight_ns(history, times, id);
    if (!last || own.end_ns > reach[*last].end_ns) last = id;
  }

  CriticalPath path;
  std::map<std::string, PathShare> shares;
  if (last) path.length_ns = reach[*last].end_ns;
  bool goes_by_message = false;  // from the instance to the one after it on the path
  for (std::optional<std::uint32_t> at = last; at; at = reach[*at].from) {
    const Instance& instance = history.instances()[*at];
    const std::int64_t time_ns = goes_by_message ? 0 : reach[*at].end_ns - reach[*at].begin_ns;
    if (time_ns > 0) {
      PathShare& share = shares[name_of(history, instance)];
      share.time_ns += time_ns;
      ++share.count;
    }
    const auto from = reach[*at].from;
    goes_by_message = from && history.send_of(*at) == from;
    if (from && history.instances()[*from].trace != instance.trace) ++path.n_rank_changes;
  }
  for (auto& [name, share] : shares) {
    share.name = name;
    path.shares.push_back(share);
  }
  std::ranges::stable_sort(path.shares, std::greater<>(), &PathShare::time_ns);
  return path;
}

}  // namespace thalweg::trace
