// SPDX-License-Identifier: MIT
// The second part of the builder of histories: what waited for what.
#include <algorithm>

#include <thalweg/trace/messages.hpp>

#include "history_builder.hpp"

namespace thalweg::trace {
namespace {

using Why = Cause::Why;
using Kind = Instance::Kind;

}  // namespace

std::size_t HistoryBuilder::Unrolled::row(std::uint64_t replay) const {
  return static_cast<std::size_t>(std::ranges::lower_bound(replays, replay) - replays.begin());
}

bool HistoryBuilder::Unrolled::has(std::uint64_t replay) const {
  return std::ranges::binary_search(replays, replay);
}

void HistoryBuilder::link_run(std::uint32_t t, std::uint32_t r, Unrolled& run) {
  const RankTrace& trace = history_.traces_[t];
  const GraphInfo& graph = trace.graphs[trace.runs[r].graph];
  const GraphIndex index(graph);
  // Moments: not before the run, and placed when all they wait for is.
  const Span begin = cut({trace.runs[r].start_ns, trace.runs[r].start_ns});
  for (std::size_t i = 0; i < run.replays.size(); ++i) {
    for (const std::uint32_t b : index.barriers)
      run.nodes[i * run.n_nodes + b] = run.lasts[i * run.n_nodes + b] =
          add({.span = begin, .trace = t, .run = r, .node = b, .kind = Kind::barrier});
    run.tokens.push_back(add({.span = begin, .trace = t, .run = r, .kind = Kind::token}));
  }
  for (std::size_t i = 0; i < run.replays.size(); ++i) {
    const std::uint64_t replay = run.replays[i];
    for (const Edge& e : graph.edges) link(run.last(i, e.from), run.first(i, e.to), Why::data);
    for (const std::uint32_t s : index.sources) link(run.tokens[i], run.first(i, s), Why::data);
    if (run.has(replay + 1)) {
      for (const Edge& e : graph.wrap_edges)
        link(run.last(i, e.from), run.first(i + 1, e.to), Why::data);
      for (const std::uint32_t d : index.termination_nodes)
        link(run.last(i, d), run.tokens[i + 1], Why::data);
      link(run.tokens[i], run.tokens[i + 1], Why::complete);
    }
    if (run.has(replay + graph.depth))
      for (const std::uint32_t s : index.sinks)
        link(run.last(i, s), run.tokens[run.row(replay + graph.depth)], Why::complete);
  }
}

void HistoryBuilder::link_runs(std::uint32_t t, const std::vector<Unrolled>& runs) {
  const RankTrace& trace = history_.traces_[t];
  // A run of which nothing was traced, as of an empty graph, is a part of what lies between others.
  std::uint32_t before = none;
  for (std::uint32_t r = 0; r < runs.size(); ++r) {
    if (runs[r].replays.empty()) continue;
    if (before != none) {
      const std::uint32_t host =
          add({.span = cut({trace.runs[before].end_ns, trace.runs[r].start_ns}),
               .trace = t,
               .run = r,
               .kind = Kind::host});
      const std::size_t last = runs[before].replays.size() - 1;
      for (const std::uint32_t s : GraphIndex(trace.graphs[trace.runs[before].graph]).sinks)
        link(runs[before].last(last, s), host, Why::complete);
      link(host, runs[r].tokens[0], Why::complete);
    }
    before = r;
  }
}

void HistoryBuilder::link_messages() {
  for (const auto& [send, recv] : match_messages(history_.traces_))
    link(ids_[send.trace][send.worker][send.index], ids_[recv.trace][recv.worker][recv.index],
         Why::message);
}

Result<void> HistoryBuilder::sort() {
  const std::size_t n = history_.instances_.size();
  auto& begin = history_.begin_;
  begin.assign(n + 1, 0);
  std::vector<std::size_t> after_begin(n + 1, 0);
  for (const Link& l : links_) {
    ++begin[l.to + 1];
    ++after_begin[l.from + 1];
  }
  for (std::size_t i = 0; i < n; ++i) {
    begin[i + 1] += begin[i];
    after_begin[i + 1] += after_begin[i];
  }
  history_.causes_.resize(links_.size());
  std::vector<std::uint32_t> after(links_.size());
  {
    auto next = begin, after_next = after_begin;
    for (const Link& l : links_) {
      history_.causes_[next[l.to]++] = {l.from, l.why};
      after[after_next[l.from]++] = l.to;
    }
  }
  std::vector<std::size_t> left(n);
  auto& order = history_.order_;
  order.reserve(n);
  for (std::uint32_t i = 0; i < n; ++i)
    if ((left[i] = begin[i + 1] - begin[i]) == 0) order.push_back(i);
  for (std::size_t next = 0; next < order.size(); ++next)
    for (std::size_t a = after_begin[order[next]]; a < after_begin[order[next] + 1]; ++a)
      if (--left[after[a]] == 0) order.push_back(after[a]);
  if (order.size() == n) return {};
  return std::unexpected(
      Failure{"the traces contradict each other: tasks wait for each other in a cycle (files of "
              "different runs were put together, or they are damaged)"});
}

void HistoryBuilder::place_moments() {
  for (const std::uint32_t i : history_.order_) {
    Instance& instance = history_.instances_[i];
    if (instance.kind != Kind::barrier && instance.kind != Kind::token) continue;
    for (const Cause& cause : history_.causes(i))
      instance.span.start_ns =
          std::max(instance.span.start_ns, history_.instances_[cause.instance].span.end_ns);
    instance.span.end_ns = instance.span.start_ns;
  }
}

}  // namespace thalweg::trace
