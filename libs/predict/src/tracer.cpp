// SPDX-License-Identifier: MIT
#include "tracer.hpp"

#include <utility>

namespace thalweg::predict {
namespace {

trace::GraphInfo describe(const Job& job, std::uint32_t r, std::uint32_t depth) {
  const RankGraph& rank = job.graph_of(r);
  trace::GraphInfo info{.depth = rank.overlaps ? depth : 1, .names = job.names};
  for (std::uint32_t t = 0; t < rank.n_nodes(); ++t) {
    const JobNode& node = rank.nodes[t];
    trace::NodeInfo& to = info.nodes.emplace_back();
    to.name = node.name;
    to.kind = static_cast<trace::NodeKind>(node.kind);
    to.controls_termination = node.controls_termination;
    if (node.kind == flow::NodeKind::send || node.kind == flow::NodeKind::recv) {
      const std::uint32_t connection = job.connection_of(r, node);
      const Connection& c = job.connections[connection];
      to.peer = node.kind == flow::NodeKind::send ? c.to_rank : c.from_rank;
      to.tag = connection;
      to.bytes = c.n_bytes;
    }
    for (const std::uint32_t edge : rank.edges_of(t))
      ((edge & wrap_bit) == 0 ? info.edges : info.wrap_edges).push_back({t, edge & ~wrap_bit});
  }
  return info;
}

}  // namespace

Tracer::Tracer(const Job& job, const Scenario& scenario)
    : job_(job), window_(scenario.traced), depth_(scenario.depth) {
  if (window_.first >= window_.last) return;
  const auto n_ranks = static_cast<std::uint32_t>(job.ranks.size());
  for (std::uint32_t r = 0; r < n_ranks; ++r) {
    posted_ns_.emplace_back(job.graph_of(r).n_nodes() * (scenario.depth + 1));
    trace::RankTrace& own = traces_.emplace_back();
    own.rank = Rank(r);
    own.n_ranks = n_ranks;
    own.host = "simulated";
    own.steps = window_;
    own.graphs.push_back(describe(job, r, scenario.depth));
    own.runs.push_back({.first_step = 1});
    own.events.resize(job.n_workers);
  }
}

std::vector<trace::RankTrace> Tracer::finish(std::int64_t end_ns) && {
  for (trace::RankTrace& own : traces_) own.runs[0].end_ns = end_ns;
  return std::move(traces_);
}

}  // namespace thalweg::predict
