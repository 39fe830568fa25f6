// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>

#include <thalweg/trace/efficiency.hpp>

namespace thalweg::trace {
namespace {

using Why = Cause::Why;
using Kind = Instance::Kind;

double ratio(double a, double b) {
  return b > 0 ? a / b : 0;
}

/// What a worker did between its tasks, which no network changes: everything but being idle.
class Gaps {
 public:
  explicit Gaps(const History& history) : history_(history) {}

  /// Of a stretch of a worker's time without tasks, what was not idle.
  std::int64_t busy_ns(std::uint32_t t, std::uint32_t w, const Span& gap) const {
    std::int64_t busy = gap.length_ns();
    const auto& idle = history_.idle(t, w);
    auto it = std::ranges::lower_bound(idle, gap.start_ns, {},
                                       [](const History::Idle& i) { return i.span.start_ns; });
    for (; it != idle.end() && it->span.start_ns < gap.end_ns; ++it) busy -= it->span.length_ns();
    return busy;
  }

 private:
  const History& history_;
};

/// Time in tasks of one rank's workers, by when.
class Work {
 public:
  Work(const History& history, std::uint32_t t) {
    for (std::uint32_t w = 0; w < history.traces()[t].n_workers(); ++w) {
      auto& spans = workers_.emplace_back();
      std::int64_t before_ns = 0;
      for (const std::uint32_t task : history.tasks(t, w)) {
        const Span& span = history.instances()[task].span;
        spans.push_back({span, before_ns});
        before_ns += span.length_ns();
      }
    }
  }
  /// In the window until a moment, all workers together.
  std::int64_t until_ns(std::int64_t moment_ns) const {
    std::int64_t total = 0;
    for (const auto& spans : workers_) {
      const auto after = std::ranges::upper_bound(
          spans, moment_ns, {}, [](const Worked& worked) { return worked.span.start_ns; });
      if (after == spans.begin()) continue;
      const Worked& last = *(after - 1);
      total += last.before_ns + std::min(moment_ns, last.span.end_ns) - last.span.start_ns;
    }
    return total;
  }

 private:
  struct Worked {
    Span span;
    std::int64_t before_ns;
  };
  std::vector<std::vector<Worked>> workers_;
};

/// What workers did beside their tasks, which no network changes.
struct BetweenTasks {
  explicit BetweenTasks(const History& history);

  std::vector<std::int64_t> before_ns;  ///< each task, by instance
  /// Each worker's last task, and what it did then [ns].
  std::vector<std::pair<std::uint32_t, std::int64_t>> after;
  std::int64_t alone_ns = 0;  ///< of workers without tasks, at most
};

BetweenTasks::BetweenTasks(const History& history) : before_ns(history.instances().size(), 0) {
  const auto& instances = history.instances();
  const Gaps gaps(history);
  for (std::uint32_t t = 0; t < history.traces().size(); ++t)
    for (std::uint32_t w = 0; w < history.traces()[t].n_workers(); ++w) {
      std::int64_t at_ns = history.window().start_ns;
      for (const std::uint32_t task : history.tasks(t, w)) {
        before_ns[task] = gaps.busy_ns(t, w, {at_ns, instances[task].span.start_ns});
        at_ns = instances[task].span.end_ns;
      }
      const std::int64_t after_ns = gaps.busy_ns(t, w, {at_ns, history.window().end_ns});
      if (history.tasks(t, w).empty())
        alone_ns = std::max(alone_ns, after_ns);
      else
        after.emplace_back(history.tasks(t, w).back(), after_ns);
    }
}

/// How long the window would have taken had every worker done what it did, in the same order and
/// without being idle, each task as soon as its worker and its producers allow.
/// @param flies  whether messages take as long as they did, or no time
std::int64_t replayed_ns(const History& history, const BetweenTasks& between, bool flies) {
  const auto& instances = history.instances();
  // Clocks of several hosts may not be aligned well enough: no message arrives before it is sent.
  const auto flight_ns = [&](std::uint32_t send, std::uint32_t recv) {
    const std::int64_t ns = instances[recv].span.end_ns - instances[send].span.start_ns;
    return flies ? std::max<std::int64_t>(0, ns) : 0;
  };
  // Since the window began: when an instance starts, and when what waits for it may go on.
  std::vector<std::int64_t> start_ns(instances.size(), 0), done_ns(instances.size(), 0);
  for (const std::uint32_t id : history.order()) {
    const Instance& instance = instances[id];
    std::int64_t at_ns = instance.kind == Kind::task ? between.before_ns[id] : 0;
    for (const Cause& cause : history.causes(id)) {
      const std::uint32_t before = cause.instance;
      at_ns = std::max(at_ns, cause.why == Why::order     ? done_ns[before] + between.before_ns[id]
                              : cause.why == Why::message ? start_ns[before] + flight_ns(before, id)
                                                          : done_ns[before]);
    }
    start_ns[id] = at_ns;
    const bool takes_time = instance.kind == Kind::task || instance.kind == Kind::host;
    done_ns[id] = at_ns + (takes_time ? instance.span.length_ns() : 0);
  }
  std::int64_t longest_ns = between.alone_ns;
  for (const auto& [task, after_ns] : between.after)
    longest_ns = std::max(longest_ns, done_ns[task] + after_ns);
  return longest_ns;
}

}  // namespace

std::int64_t ideal_network_ns(const History& history) {
  const BetweenTasks between(history);
  const std::int64_t of_messages_ns =
      replayed_ns(history, between, true) - replayed_ns(history, between, false);
  return std::max<std::int64_t>(0, history.wall_ns() - of_messages_ns);
}

Efficiencies efficiencies(const History& history, std::span<const WorkerTiling> tiling) {
  double sum = 0, most = 0;
  for (const WorkerTiling& worker : tiling) {
    sum += static_cast<double>(worker.work_ns);
    most = std::max(most, static_cast<double>(worker.work_ns));
  }
  const double mean = ratio(sum, static_cast<double>(tiling.size()));
  const auto wall = static_cast<double>(history.wall_ns());
  const auto ideal = static_cast<double>(ideal_network_ns(history));
  return {.parallel = ratio(mean, wall),
          .load_balance = ratio(mean, most),
          .communication = ratio(most, wall),
          .serialisation = ratio(most, ideal),
          .transfer = most > 0 ? ratio(ideal, wall) : 0};
}

double overlap_ratio(const History& history) {
  std::vector<Work> work;
  for (std::uint32_t t = 0; t < history.traces().size(); ++t) work.emplace_back(history, t);
  double worked = 0, possible = 0;
  for (std::uint32_t id = 0; id < history.instances().size(); ++id) {
    const Instance& recv = history.instances()[id];
    if (recv.kind != Kind::recv) continue;
    const auto send = history.send_of(id);
    if (!send) continue;
    const Span flight{history.instances()[*send].span.start_ns, recv.span.end_ns};
    if (flight.length_ns() <= 0) continue;
    worked += static_cast<double>(work[recv.trace].until_ns(flight.end_ns) -
                                  work[recv.trace].until_ns(flight.start_ns));
    possible += static_cast<double>(flight.length_ns()) * history.traces()[recv.trace].n_workers();
  }
  return ratio(worked, possible);
}

}  // namespace thalweg::trace
