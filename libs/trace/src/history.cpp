// SPDX-License-Identifier: MIT
#include <thalweg/trace/history.hpp>

#include <algorithm>

#include "history_builder.hpp"

namespace thalweg::trace {

Result<History> History::of(std::vector<RankTrace> traces) {
  return HistoryBuilder(std::move(traces)).build();
}

std::uint32_t History::n_workers() const {
  std::uint32_t n = 0;
  for (const RankTrace& trace : traces_) n += trace.n_workers();
  return n;
}

std::optional<std::uint32_t> History::send_of(std::uint32_t recv) const {
  for (const Cause& cause : causes(recv))
    if (cause.why == Cause::Why::message) return cause.instance;
  return std::nullopt;
}

std::vector<Span> History::runs(std::uint32_t trace) const {
  std::vector<Span> spans;
  for (const RunInfo& run : traces_[trace].runs)
    spans.push_back({std::clamp(run.start_ns, window_.start_ns, window_.end_ns),
                     std::clamp(run.end_ns, window_.start_ns, window_.end_ns)});
  return spans;
}

std::string_view History::name(const Instance& instance) const {
  if (instance.kind == Instance::Kind::token) return "token";
  if (instance.kind == Instance::Kind::host) return "between runs";
  const RankTrace& trace = traces_[instance.trace];
  const GraphInfo& graph = trace.graphs[trace.runs[instance.run].graph];
  return graph.names[graph.nodes[instance.node].name];
}

}  // namespace thalweg::trace
