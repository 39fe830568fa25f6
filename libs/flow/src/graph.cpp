// SPDX-License-Identifier: MIT
#include <thalweg/flow/graph.hpp>

#include <algorithm>
#include <functional>
#include <numeric>

namespace thalweg::flow {

using detail::Edge;
using detail::Segment;

Adjacency::Adjacency(std::size_t n_nodes, std::span<const Edge> edges)
    : begin_(n_nodes + 1, 0), to_(edges.size()) {
  for (const Edge& e : edges) ++begin_[e.from + 1];
  std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
  std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
  for (const Edge& e : edges) to_[next[e.from]++] = e.to;

  std::uint32_t end = 0;
  for (std::size_t node = 0; node < n_nodes; ++node) {
    const auto first = to_.begin() + begin_[node], last = to_.begin() + begin_[node + 1];
    std::sort(first, last, std::greater<>());
    begin_[node] = end;
    const auto kept = std::unique(first, last);
    end = static_cast<std::uint32_t>(std::copy(first, kept, to_.begin() + end) - to_.begin());
  }
  begin_[n_nodes] = end;
  to_.resize(end);
}

Graph::Graph(Recorder&& recorder, Model model, std::uint64_t revision)
    : recording_(std::move(recorder.recording_)),
      model_(model),
      revision_(revision),
      has_decider_(recorder.has_decider_) {
  if (recording_.segments.back().first_task == n_tasks() && recording_.segments.size() > 1)
    recording_.segments.pop_back();  // nothing was recorded after the last phase began
  add_barriers();
  if (overlaps_) add_wraps();
  count();
  if (recording_.has_edge_back) find_cycles();
  recording_.edges = {};
  recording_.boundary = {};
  recording_.history = {};
}

void Graph::add_barriers() {
  std::vector<std::uint32_t> starts;  // of the groups of tasks that barriers separate
  const auto n = static_cast<std::uint32_t>(n_tasks());
  for (const Segment& s : recording_.segments) {
    const bool is_barrier = model_ == Model::bulk || model_ == Model::forkjoin ||
                            (model_ == Model::phase && s.kind == PhaseKind::level);
    if (is_barrier) overlaps_ = false;
    if (is_barrier && s.first_task != 0 && s.first_task < n) starts.push_back(s.first_task);
  }
  std::vector<std::uint32_t> group(n, 0);
  for (std::size_t g = 0; g < starts.size(); ++g)
    std::fill(group.begin() + starts[g], group.end(), static_cast<std::uint32_t>(g + 1));

  std::vector<Edge>& edges = recording_.edges;
  std::erase_if(edges, [&](const Edge& e) { return group[e.from] < group[e.to]; });
  std::vector<bool> has_successor(n, false), has_predecessor(n, false);
  for (const Edge& e : edges) has_successor[e.from] = has_predecessor[e.to] = true;
  for (std::uint32_t t = 0; t < n && !starts.empty(); ++t) {
    if (!has_successor[t] && group[t] < starts.size()) edges.push_back({t, n + group[t]});
    if (!has_predecessor[t] && group[t] > 0) edges.push_back({n + group[t] - 1, t});
  }
  const std::uint32_t name = recording_.names.intern("barrier");
  recording_.nodes.resize(n + starts.size(), Node{.name = name, .kind = NodeKind::barrier});
  successors_ = Adjacency(n_nodes(), edges);
}

void Graph::add_wraps() {
  // Go on as if the same tasks were recorded once more. An access that its own replay has written
  // before finds what it found the first time; the others see what this replay leaves behind.
  const detail::AccessHistory& history = recording_.history;
  std::vector<bool> is_read(history.n_data(), false), is_written(history.n_data(), false);
  std::vector<Edge> wraps;
  for (const auto& [task, access] : recording_.boundary) {
    const DatumId d = access.datum;
    const auto writer = history.writer(d);
    if (!writer || is_written[d()]) continue;  // never written at all, or by this replay
    if (access.mode == Mode::in) {
      wraps.push_back({*writer, task});
      is_read[d()] = true;
      continue;
    }
    history.for_each_reader(d, [&](std::uint32_t reader) { wraps.push_back({reader, task}); });
    if (!history.has_readers(d) && !is_read[d()]) wraps.push_back({*writer, task});
    is_written[d()] = true;
  }
  wraps_ = Adjacency(n_nodes(), wraps);
}

void Graph::count() {
  const auto n = static_cast<std::uint32_t>(n_nodes());
  if (!overlaps_) wraps_ = Adjacency(n, {});
  n_intra_.assign(n, 0);
  n_wrap_.assign(n, 0);
  for (std::uint32_t t = 0; t < n; ++t) {
    for (const std::uint32_t s : successors_[t]) ++n_intra_[s];
    for (const std::uint32_t s : wraps_[t]) ++n_wrap_[s];
    if (successors_[t].empty()) ++n_sinks_;
  }
  for (std::uint32_t t = n; t-- > 0;)
    if (n_intra_[t] == 0) sources_.push_back(t);
}

void Graph::find_cycles() {
  // Do what can be done; what is left waits for itself.
  std::vector<std::uint32_t> left = n_intra_, open = sources_;
  while (!open.empty()) {
    const std::uint32_t t = open.back();
    open.pop_back();
    for (const std::uint32_t s : successors_[t])
      if (--left[s] == 0) open.push_back(s);
  }
  for (std::uint32_t t = 0; t < n_nodes(); ++t)
    if (left[t] != 0) cyclic_.push_back(t);
}

std::span<const Access> Graph::accesses(TaskId id) const {
  THALWEG_EXPECT(id() < n_tasks(), "not a recorded task");
  const auto& begin = recording_.access_begin;
  return {recording_.accesses.data() + begin[id()], recording_.accesses.data() + begin[id() + 1]};
}

Graph::Position Graph::position(TaskId id) const {
  THALWEG_EXPECT(id() < n_tasks(), "not a recorded task");
  const std::vector<Segment>& segments = recording_.segments;
  const auto next = std::upper_bound(
      segments.begin(), segments.end(), id(),
      [](std::uint32_t task, const Segment& segment) { return task < segment.first_task; });
  const Segment& own = *(next - 1);
  const auto end =
      next == segments.end() ? static_cast<std::uint32_t>(n_tasks()) : next->first_task;
  return {.phase = static_cast<std::uint32_t>(next - segments.begin() - 1),
          .index = id() - own.first_task,
          .n_tasks = end - own.first_task};
}

Graph capture(Recorder&& recorder, Model model, std::uint64_t revision) {
  return Graph(std::move(recorder), model, revision);
}

}  // namespace thalweg::flow
