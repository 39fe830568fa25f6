// SPDX-License-Identifier: MIT
#include <thalweg/backends/program.hpp>

#include <algorithm>
#include <functional>
#include <queue>

#include <thalweg/backends/detail/pieces.hpp>
#include <thalweg/core/contract.hpp>

namespace thalweg::backends {
namespace {

using flow::TaskId;

/// What a task declared: each piece once, written if any of its accesses writes.
std::vector<PieceUse> declared(const flow::Graph& graph, const detail::Pieces& pieces,
                               std::uint32_t task) {
  std::vector<PieceUse> uses;
  for (const flow::Access& a : graph.accesses(TaskId(task))) {
    const auto [first, last] = pieces.of(a);
    for (std::uint32_t p = first; p < last; ++p) uses.push_back({p, a.mode != flow::Mode::in});
  }
  std::ranges::sort(uses, [](const PieceUse& a, const PieceUse& b) {
    return a.piece != b.piece ? a.piece < b.piece : a.is_written > b.is_written;
  });
  const auto repeated = std::ranges::unique(uses, {}, &PieceUse::piece);
  uses.erase(repeated.begin(), repeated.end());
  return uses;
}

/// The data of a graph in pieces, so that what its accesses say of parts is kept.
detail::Pieces cut(const flow::Graph& graph) {
  std::vector<flow::Access> accesses;
  for (std::uint32_t t = 0; t < graph.n_tasks(); ++t) {
    const auto own = graph.accesses(TaskId(t));
    accesses.insert(accesses.end(), own.begin(), own.end());
  }
  return {graph.n_data(), accesses};
}

/// Whether two tasks may not be swapped, because one writes what the other uses.
bool conflict(std::span<const PieceUse> a, std::span<const PieceUse> b) {
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i].piece == b[j].piece && (a[i].is_written || b[j].is_written)) return true;
    if (a[i].piece < b[j].piece)
      ++i;
    else
      ++j;
  }
  return false;
}

}  // namespace

Program::Program(const flow::Graph& graph) {
  THALWEG_EXPECT(graph.cyclic().empty(), "a graph with a cycle has no order");
  find_order(graph);
  find_uses(graph);
}

void Program::find_order(const flow::Graph& graph) {
  // As recorded, but for what Recorder::after turns round. A barrier has a higher number than any
  // task, so it comes up when all before it are out; nothing behind it does before.
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready(
      std::greater<>(), {graph.sources().begin(), graph.sources().end()});
  std::vector<std::uint32_t> left(graph.n_nodes());
  for (std::uint32_t t = 0; t < left.size(); ++t) left[t] = graph.n_predecessors(TaskId(t));
  while (!ready.empty()) {
    const std::uint32_t t = ready.top();
    ready.pop();
    if (t < graph.n_tasks())
      order_.push_back(t);
    else
      groups_.push_back(order_.size());
    for (const std::uint32_t s : graph.successors(TaskId(t)))
      if (--left[s] == 0) ready.push(s);
  }
  groups_.push_back(order_.size());
}

void Program::find_uses(const flow::Graph& graph) {
  const auto n = static_cast<std::uint32_t>(graph.n_tasks());
  const detail::Pieces pieces = cut(graph);
  std::vector<std::vector<PieceUse>> uses(n);
  for (std::uint32_t t = 0; t < n; ++t) uses[t] = declared(graph, pieces, t);
  auto next_piece = static_cast<std::uint32_t>(pieces.size());
  std::vector<std::pair<std::uint32_t, PieceUse>> more;  // apart, so as not to be looked at below
  for (std::uint32_t t = 0; t < n; ++t) {
    bool is_waited_for = false;
    for (const std::uint32_t s : graph.successors(TaskId(t))) {
      if (s >= n || conflict(uses[t], uses[s])) continue;  // in the order they are submitted
      more.push_back({s, {next_piece, false}});
      is_waited_for = true;
    }
    if (is_waited_for) more.push_back({t, {next_piece++, true}});
    if (graph.node(TaskId(t)).controls_termination) {
      decision_ = next_piece++;
      more.push_back({t, {*decision_, true}});
    }
  }
  for (const auto& [task, use] : more) uses[task].push_back(use);
  n_pieces_ = next_piece;
  for (std::uint32_t t = 0; t < n; ++t) {
    std::ranges::sort(uses[t], {}, &PieceUse::piece);
    uses_.insert(uses_.end(), uses[t].begin(), uses[t].end());
    begin_.push_back(static_cast<std::uint32_t>(uses_.size()));
  }
}

}  // namespace thalweg::backends
