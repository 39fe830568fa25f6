// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numeric>
#include <optional>

#include <thalweg/core/contract.hpp>
#include <thalweg/trace/tiling.hpp>

namespace thalweg::trace {
namespace {

using Why = Cause::Why;
using Kind = Instance::Kind;

/// Attributes one stretch of idle time, from its end backwards.
class Attribution {
 public:
  Attribution(const History& history, WorkerTiling& tiling) : history_(history), tiling_(tiling) {}

  void attribute(const Span& idle, std::optional<std::uint32_t> next) {
    start_ns_ = idle.start_ns;
    left_until_ns_ = idle.end_ns;
    if (!next) take_back_to(start_ns_, IdleCause::no_task);
    std::optional<std::uint32_t> waiting = next;
    while (is_left() && waiting) waiting = step_back(*waiting);
    take_back_to(start_ns_, IdleCause::unknown);
  }

 private:
  bool is_left() const { return left_until_ns_ > start_ns_; }

  void take_back_to(std::int64_t from_ns, IdleCause cause) {
    from_ns = std::max(from_ns, start_ns_);
    if (from_ns >= left_until_ns_) return;
    tiling_.idle_ns[static_cast<std::size_t>(cause)] += left_until_ns_ - from_ns;
    left_until_ns_ = from_ns;
  }

  /// The cause that was over last, but for messages and the order on a worker.
  const Cause* last_cause(std::uint32_t waiting) const {
    const Cause* last = nullptr;
    for (const Cause& cause : history_.causes(waiting)) {
      if (cause.why == Why::message || cause.why == Why::order) continue;
      if (last == nullptr || end_of(cause) > end_of(*last) ||
          (end_of(cause) == end_of(*last) && cause.why < last->why))
        last = &cause;
    }
    return last;
  }
  std::int64_t end_of(const Cause& cause) const {
    return history_.instances()[cause.instance].span.end_ns;
  }

  /// Account for what an instance waited for. @return what that waited for in turn
  std::optional<std::uint32_t> step_back(std::uint32_t waiting) {
    const Cause* const cause = last_cause(waiting);
    if (cause == nullptr) return std::nullopt;
    // What a suspended task waited for is outside of the graph, and so not traced.
    take_back_to(end_of(*cause),
                 cause->why == Why::resume ? IdleCause::unknown : IdleCause::producer_queued);
    const Instance& producer = history_.instances()[cause->instance];
    if (cause->why == Why::complete || producer.kind == Kind::barrier) {
      take_back_to(start_ns_, IdleCause::barrier);
    } else if (producer.kind == Kind::task) {
      take_back_to(producer.span.start_ns, IdleCause::producer_running);
    } else if (producer.kind == Kind::send) {
      take_back_to(producer.span.start_ns, IdleCause::message_in_flight);
    } else if (producer.kind == Kind::recv) {
      take_back_receive(cause->instance);
    } else if (last_cause(cause->instance) == nullptr) {
      // The gate of the run's first replay: nothing was there to do before it opened.
      take_back_to(start_ns_, IdleCause::barrier);
    }
    return cause->instance;
  }

  void take_back_receive(std::uint32_t recv) {
    const std::int64_t posted_ns = history_.instances()[recv].span.start_ns;
    const auto send = history_.send_of(recv);
    if (!send) {
      take_back_to(posted_ns, IdleCause::unknown);
      return;
    }
    const std::int64_t sent_ns = history_.instances()[*send].span.start_ns;
    take_back_to(std::max(posted_ns, sent_ns), IdleCause::message_in_flight);
    take_back_to(posted_ns, IdleCause::message_not_sent);
  }

  const History& history_;
  WorkerTiling& tiling_;
  std::int64_t start_ns_ = 0;
  std::int64_t left_until_ns_ = 0;
};

WorkerTiling tile_worker(const History& history, std::uint32_t t, std::uint32_t w,
                         std::int64_t in_runs_ns) {
  WorkerTiling tiling{.rank = history.traces()[t].rank, .worker = w};
  const auto& instances = history.instances();
  const auto& tasks = history.tasks(t, w);
  for (const std::uint32_t task : tasks) tiling.work_ns += instances[task].span.length_ns();

  Attribution attribution(history, tiling);
  auto next = tasks.begin();
  for (const History::Idle& idle : history.idle(t, w)) {
    while (next != tasks.end() && instances[*next].span.start_ns < idle.span.end_ns) ++next;
    const bool has_next = next != tasks.end() && instances[*next].run == idle.run;
    attribution.attribute(idle.span, has_next ? std::optional(*next) : std::nullopt);
  }
  tiling.outside_ns = history.wall_ns() - in_runs_ns;
  tiling.overhead_ns = in_runs_ns - tiling.work_ns - tiling.all_idle_ns();
  THALWEG_ENSURE(tiling.total_ns() == history.wall_ns(), "a worker's time is tiled exactly");
  return tiling;
}

}  // namespace

std::string_view to_string(IdleCause cause) {
  constexpr std::array<std::string_view, n_idle_causes> names = {
      "message in flight", "message not yet sent",
      "producer running",  "producer queued",
      "no task",           "barrier",
      "not traced"};
  return names[static_cast<std::size_t>(cause)];
}

std::string key_of(IdleCause cause) {
  std::string key(to_string(cause));
  std::ranges::replace(key, ' ', '_');
  return key;
}

std::int64_t WorkerTiling::all_idle_ns() const {
  return std::accumulate(idle_ns.begin(), idle_ns.end(), std::int64_t{0});
}

std::vector<WorkerTiling> tile(const History& history) {
  std::vector<WorkerTiling> all;
  for (std::uint32_t t = 0; t < history.traces().size(); ++t) {
    std::int64_t in_runs_ns = 0;
    for (const Span& run : history.runs(t)) in_runs_ns += run.length_ns();
    for (std::uint32_t w = 0; w < history.traces()[t].n_workers(); ++w)
      all.push_back(tile_worker(history, t, w, in_runs_ns));
  }
  return all;
}

}  // namespace thalweg::trace
