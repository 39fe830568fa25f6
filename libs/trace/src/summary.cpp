// SPDX-License-Identifier: MIT
#include <algorithm>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <thalweg/core/counted.hpp>
#include <thalweg/trace/summary.hpp>

#include "window.hpp"

namespace thalweg::trace {
namespace {

constexpr std::size_t n_workers_listed = 16;

std::string milliseconds(std::int64_t ns) {
  return fmt::format("{:.3f}", 1e-6 * static_cast<double>(ns));
}

/// A row of the table of where time went.
struct Row {
  std::string_view name;
  std::int64_t (*time_ns)(const WorkerTiling&);
};

template <IdleCause cause>
std::int64_t idle_ns(const WorkerTiling& worker) {
  return worker.idle(cause);
}

constexpr Row rows[] = {
    {"work", [](const WorkerTiling& w) { return w.work_ns; }},
    {"overhead", [](const WorkerTiling& w) { return w.overhead_ns; }},
    {"between runs", [](const WorkerTiling& w) { return w.outside_ns; }},
    {"idle", [](const WorkerTiling& w) { return w.all_idle_ns(); }},
    {"  message in flight", idle_ns<IdleCause::message_in_flight>},
    {"  message not yet sent", idle_ns<IdleCause::message_not_sent>},
    {"  producer running", idle_ns<IdleCause::producer_running>},
    {"  producer queued", idle_ns<IdleCause::producer_queued>},
    {"  no task", idle_ns<IdleCause::no_task>},
    {"  barrier", idle_ns<IdleCause::barrier>},
    {"  not traced", idle_ns<IdleCause::unknown>},
};

void write_head(std::ostream& out, const Summary& s) {
  fmt::print(out, "model {}, ", s.model);
  if (s.n_ranks_traced == s.n_ranks)
    fmt::print(out, "{}, ", counted(s.n_ranks, "rank"));
  else
    fmt::print(out, "{} of {} ranks, ", s.n_ranks_traced, s.n_ranks);
  fmt::print(out, "{}, ", counted(std::ssize(s.workers), "worker"));
  if (s.steps.is_everything())
    fmt::print(out, "all runs");
  else if (s.steps.last - s.steps.first == 1)
    fmt::print(out, "step {}", s.steps.first);
  else
    fmt::print(out, "steps {} to {}", s.steps.first, s.steps.last - 1);
  fmt::print(out, ": {} ms, {} messages, {} bytes\n", milliseconds(s.wall_ns), s.n_messages,
             s.message_bytes);
  if (s.step_ns)
    fmt::print(out, "time per step: {:.3f} ms, from the end of step {} to that of step {}\n",
               1e-6 * *s.step_ns, s.steps.first, s.steps.last - 1);
  if (s.n_dropped > 0)
    fmt::print(out,
               "warning: {} events found no room in the buffers, so these figures are not exact; "
               "trace fewer steps\n",
               s.n_dropped);
}

void write_tiling(std::ostream& out, const Summary& s) {
  const auto n = static_cast<double>(s.workers.size());
  fmt::print(out, "\n{:<24} {:>7} {:>7} {:>7}   of every worker's time [%]\n", "time", "mean",
             "min", "max");
  for (const Row& row : rows) {
    double sum = 0, least = 100, most = 0;
    for (const WorkerTiling& worker : s.workers) {
      const double percent =
          100.0 * static_cast<double>(row.time_ns(worker)) / static_cast<double>(s.wall_ns);
      sum += percent;
      least = std::min(least, percent);
      most = std::max(most, percent);
    }
    fmt::print(out, "{:<24} {:>7.2f} {:>7.2f} {:>7.2f}\n", row.name, sum / n, least, most);
  }
  if (s.workers.size() > n_workers_listed) return;
  fmt::print(out, "\n{:<24} {:>12} {:>12} {:>12} {:>12}   [ms]\n", "worker", "work", "overhead",
             "between runs", "idle");
  for (const WorkerTiling& worker : s.workers)
    fmt::print(out, "{:<24} {:>12} {:>12} {:>12} {:>12}\n",
               fmt::format("rank {} worker {}", worker.rank(), worker.worker),
               milliseconds(worker.work_ns), milliseconds(worker.overhead_ns),
               milliseconds(worker.outside_ns), milliseconds(worker.all_idle_ns()));
}

void write_tasks(std::ostream& out, const Summary& s) {
  fmt::print(out, "\n{:<24} {:>9} {:>11} {:>10} {:>10} {:>10} {:>10} {:>10}\n", "task", "count",
             "total [ms]", "mean [us]", "p50", "p95", "p99", "max");
  const auto us = [](auto ns) { return 1e-3 * static_cast<double>(ns); };
  for (const TaskStatistics& t : s.tasks)
    fmt::print(out, "{:<24} {:>9} {:>11} {:>10.2f} {:>10.2f} {:>10.2f} {:>10.2f} {:>10.2f}\n",
               t.name, t.count, milliseconds(t.total_ns), us(t.mean_ns), us(t.p50_ns), us(t.p95_ns),
               us(t.p99_ns), us(t.max_ns));
  fmt::print(out,
             "tasks that began in the time, each with all of its own: they need not add up to the "
             "work above\n");
}

void write_path(std::ostream& out, const Summary& s) {
  if (!s.has_all_ranks()) {
    fmt::print(out, "\ncritical path: -\n");
    return;
  }
  const CriticalPath& path = s.critical_path;
  const auto percent = [](std::int64_t part, std::int64_t whole) {
    return whole > 0 ? 100.0 * static_cast<double>(part) / static_cast<double>(whole) : 0.0;
  };
  fmt::print(out, "\ncritical path: {} ms, {:.1f} % of the time, from rank to rank {} times\n",
             milliseconds(path.length_ns), percent(path.length_ns, s.wall_ns), path.n_rank_changes);
  for (const PathShare& share : path.shares)
    fmt::print(out, "{:<24} {:>9} {:>11} ms {:>7.1f} %\n", share.name, share.count,
               milliseconds(share.time_ns), percent(share.time_ns, path.length_ns));
}

void write_efficiencies(std::ostream& out, const Summary& s) {
  const Efficiencies& e = s.efficiencies;
  const auto percent = [&](double ratio) {
    return s.has_all_ranks() ? fmt::format("{:>6.2f} %", 100 * ratio) : fmt::format("{:>8}", '-');
  };
  fmt::print(out, "\nparallel efficiency        {}  = load balance * communication\n",
             percent(e.parallel));
  fmt::print(out, "  load balance             {}\n", percent(e.load_balance));
  fmt::print(out, "  communication            {}  = serialisation * transfer\n",
             percent(e.communication));
  fmt::print(out, "    serialisation          {}\n", percent(e.serialisation));
  fmt::print(out, "    transfer               {}\n", percent(e.transfer));
  if (s.n_messages > 0)
    fmt::print(out, "overlap                    {}  of messages' flight time is worked in\n",
               percent(s.overlap_ratio));
  if (!s.has_all_ranks())
    fmt::print(
        out,
        "-: not known from {} of {} ranks (what the others did may hold up these); trace all "
        "of them, without trace.ranks\n",
        s.n_ranks_traced, s.n_ranks);
}

/// When the last task of a step was done on any rank; none where there is none.
std::optional<std::int64_t> end_of_step(std::span<const RankTrace> traces, std::uint64_t step) {
  std::optional<std::int64_t> end_ns;
  for (const RankTrace& trace : traces)
    for (const auto& events : trace.events)
      for (const Event& e : events)
        if (e.kind == EventKind::task && trace.has_step(e) && trace.step_of(e) == step)
          end_ns = std::max(end_ns.value_or(e.end_ns), e.end_ns);
  return end_ns;
}

std::optional<double> time_a_step(std::span<const RankTrace> traces, const StepWindow& steps) {
  if (steps.is_everything() || steps.last - steps.first < 2) return std::nullopt;
  const auto first_ns = end_of_step(traces, steps.first);
  const auto last_ns = end_of_step(traces, steps.last - 1);
  if (!first_ns || !last_ns || *last_ns <= *first_ns) return std::nullopt;
  return static_cast<double>(*last_ns - *first_ns) /
         static_cast<double>(steps.last - 1 - steps.first);
}

}  // namespace

Result<Summary> summarise(std::vector<RankTrace> traces) {
  const auto history = History::of(std::move(traces));
  if (!history) return std::unexpected(history.error());
  const RankTrace& first = history->traces().front();
  Summary summary{.model = first.graphs.empty() ? "" : first.graphs.front().model,
                  .n_ranks = first.n_ranks,
                  .n_ranks_traced = static_cast<std::uint32_t>(history->traces().size()),
                  .steps = traced_steps(history->traces()),
                  .wall_ns = history->wall_ns(),
                  .workers = tile(*history),
                  .tasks = task_table(*history)};
  summary.step_ns = time_a_step(history->traces(), summary.steps);
  if (summary.has_all_ranks()) {
    summary.efficiencies = efficiencies(*history, summary.workers);
    summary.ideal_network_ns = ideal_network_ns(*history);
    summary.overlap_ratio = overlap_ratio(*history);
    summary.critical_path = critical_path(*history);
  }
  for (const RankTrace& trace : history->traces()) {
    summary.n_dropped += trace.n_dropped;
    for (const auto& events : trace.events)
      for (const Event& e : events) {
        if (e.kind != EventKind::recv || e.end_ns < history->window().start_ns ||
            e.end_ns >= history->window().end_ns)
          continue;
        ++summary.n_messages;
        summary.message_bytes += trace.node_of(e).bytes;
      }
  }
  return summary;
}

void write_text(std::ostream& out, const Summary& summary) {
  write_head(out, summary);
  write_tiling(out, summary);
  write_tasks(out, summary);
  write_path(out, summary);
  write_efficiencies(out, summary);
}

}  // namespace thalweg::trace
