// SPDX-License-Identifier: MIT
#include "history_builder.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <thalweg/trace/messages.hpp>

#include "window.hpp"

namespace thalweg::trace {
namespace {

using Why = Cause::Why;
using Kind = Instance::Kind;

/// Instances beyond this many would not fit into memory beside the events.
constexpr std::size_t n_nodes_at_most = std::size_t{1} << 28;

std::unexpected<Failure> contradiction(const RankTrace& trace, const std::string& what) {
  return std::unexpected(Failure{fmt::format(
      "the trace of rank {} contradicts itself: {} (it is damaged, or was put together from "
      "different runs)",
      trace.rank(), what)});
}

Kind kind_of(EventKind kind) {
  return kind == EventKind::send ? Kind::send : kind == EventKind::recv ? Kind::recv : Kind::task;
}

}  // namespace

Result<History> HistoryBuilder::build() {
  const auto offsets = clock_offsets(history_.traces_);
  const auto window = find_window(history_.traces_, offsets);
  if (!window) return std::unexpected(window.error());
  history_.window_ = *window;
  align_clocks(offsets);
  for (std::uint32_t t = 0; t < history_.traces_.size(); ++t)
    if (const auto done = unroll(t); !done) return std::unexpected(done.error());
  link_messages();
  if (const auto done = sort(); !done) return std::unexpected(done.error());
  place_moments();
  return std::move(history_);
}

void HistoryBuilder::align_clocks(std::span<const std::int64_t> offsets) {
  for (std::size_t t = 0; t < offsets.size(); ++t) {
    for (auto& events : history_.traces_[t].events)
      for (Event& e : events) {
        e.start_ns += offsets[t];
        e.end_ns += offsets[t];
      }
    for (RunInfo& run : history_.traces_[t].runs) {
      run.start_ns += offsets[t];
      run.end_ns += offsets[t];
    }
  }
}

Result<void> HistoryBuilder::unroll(std::uint32_t t) {
  const RankTrace& trace = history_.traces_[t];
  std::vector<Unrolled> runs(trace.runs.size());
  for (const auto& events : trace.events)
    for (const Event& e : events)
      if (e.kind != EventKind::idle) runs[e.run].replays.push_back(e.replay);
  for (std::size_t r = 0; r < runs.size(); ++r) {
    auto& replays = runs[r].replays;
    std::ranges::sort(replays);
    replays.erase(std::ranges::unique(replays).begin(), replays.end());
    runs[r].n_nodes = trace.graphs[trace.runs[r].graph].nodes.size();
    if (runs[r].n_nodes * replays.size() > n_nodes_at_most)
      return std::unexpected(Failure{fmt::format(
          "run {} of rank {} has {} replays of a graph of {} nodes (too many to hold in memory); "
          "trace fewer steps",
          trace.runs[r].ordinal, trace.rank(), replays.size(), runs[r].n_nodes)});
    runs[r].nodes.assign(runs[r].n_nodes * replays.size(), none);
    runs[r].lasts = runs[r].nodes;
  }
  if (const auto done = place_events(t); !done) return done;
  if (const auto done = join_parts(t, runs); !done) return done;
  for (std::uint32_t r = 0; r < runs.size(); ++r) link_run(t, r, runs[r]);
  link_runs(t, runs);
  return {};
}

Result<void> HistoryBuilder::place_events(std::uint32_t t) {
  const RankTrace& trace = history_.traces_[t];
  auto& ids = ids_.emplace_back(trace.n_workers());
  auto& tasks = history_.tasks_.emplace_back(trace.n_workers());
  auto& idle = history_.idle_.emplace_back(trace.n_workers());
  for (std::uint32_t w = 0; w < trace.n_workers(); ++w) {
    std::int64_t last_ns = std::numeric_limits<std::int64_t>::min();
    for (const Event& e : trace.events[w]) {
      const Span span = cut({e.start_ns, e.end_ns});
      const bool tiles = e.kind == EventKind::task || e.kind == EventKind::idle;
      if (e.end_ns < e.start_ns || (tiles && e.start_ns < last_ns))
        return contradiction(trace, fmt::format("worker {} did two things at once", w));
      if (tiles) last_ns = e.end_ns;
      if (e.kind == EventKind::idle) {
        ids[w].push_back(none);
        if (span.length_ns() > 0) idle[w].push_back({span, e.run});
        continue;
      }
      const std::uint32_t id = add({.span = span,
                                    .trace = t,
                                    .worker = w,
                                    .run = e.run,
                                    .node = e.node,
                                    .kind = kind_of(e.kind)});
      ids[w].push_back(id);
      if (e.kind != EventKind::task) continue;
      if (!tasks[w].empty()) link(tasks[w].back(), id, Why::order);
      tasks[w].push_back(id);
    }
  }
  return {};
}

/// A task may have run in parts, on several workers: they follow each other in time.
Result<void> HistoryBuilder::join_parts(std::uint32_t t, std::vector<Unrolled>& runs) {
  const RankTrace& trace = history_.traces_[t];
  struct Part {
    std::int64_t start_ns;
    std::int64_t end_ns;
    const Event* event;
    std::uint32_t id;
  };
  std::vector<Part> parts;
  for (std::uint32_t w = 0; w < trace.n_workers(); ++w)
    for (std::size_t i = 0; i < trace.events[w].size(); ++i)
      if (const Event& e = trace.events[w][i]; e.kind != EventKind::idle)
        parts.push_back({e.start_ns, e.end_ns, &e, ids_[t][w][i]});
  std::ranges::stable_sort(parts, {},
                           [](const Part& p) { return std::pair(p.start_ns, p.end_ns); });
  for (const Part& part : parts) {
    const Event& e = *part.event;
    Unrolled& run = runs[e.run];
    const std::size_t place = run.row(e.replay) * run.n_nodes + e.node;
    if (run.nodes[place] == none) {
      run.nodes[place] = run.lasts[place] = part.id;
      continue;
    }
    const Instance& before = history_.instances_[run.lasts[place]];
    if (e.kind != EventKind::task ||
        cut({part.start_ns, part.end_ns}).start_ns < before.span.end_ns)
      return contradiction(trace,
                           fmt::format("node {} ran twice at once in replay {}", e.node, e.replay));
    link(run.lasts[place], part.id, Why::resume);
    run.lasts[place] = part.id;
  }
  return {};
}

Span HistoryBuilder::cut(const Span& span) const {
  const Span& window = history_.window_;
  return {std::clamp(span.start_ns, window.start_ns, window.end_ns),
          std::clamp(span.end_ns, window.start_ns, window.end_ns)};
}

std::uint32_t HistoryBuilder::add(const Instance& instance) {
  history_.instances_.push_back(instance);
  return static_cast<std::uint32_t>(history_.instances_.size() - 1);
}

}  // namespace thalweg::trace
