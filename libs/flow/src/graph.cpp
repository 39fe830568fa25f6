// SPDX-License-Identifier: MIT
#include <thalweg/flow/graph.hpp>

#include <algorithm>
#include <atomic>
#include <functional>
#include <numeric>
#include <span>
#include <string>

#include <thalweg/core/error.hpp>

namespace thalweg::flow {

using detail::Edge;
using detail::Predecessors;
using detail::Segment;

namespace {

// 32 bits number accesses and edges; an engine adds edges of its own.
constexpr std::size_t most_numbered = std::size_t{3} << 30;

void require_room(Rank rank, std::size_t n, const char* what, std::size_t most) {
  if (n > most)
    throw RankError("rank " + std::to_string(rank()) + " has " + std::to_string(n) + " " + what +
                    " (there may be " + std::to_string(most) +
                    "); use more ranks, or larger blocks");
}

/// What was joined to one node; null where nothing was.
detail::FusedBodies* joined_tasks(const Node& node) {
  const bool is_joined = node.invoke == &detail::FusedBodies::invoke;
  return is_joined ? static_cast<detail::FusedBodies*>(node.body) : nullptr;
}

bool has_block(const Node& node) {
  const auto* const joined = joined_tasks(node);
  return node.block != 0 ||
         (joined != nullptr && std::ranges::any_of(joined->parts.first(joined->n), std::identity{},
                                                   &detail::FusedBodies::Part::block));
}

/// "block 7": of joined tasks that of the one that runs; where none does, those of all.
std::string block_words(const Node& node) {
  auto* const joined = joined_tasks(node);
  if (joined == nullptr) return "block " + std::to_string(node.block);
  const auto parts = joined->parts.first(joined->n);
  const auto running = std::atomic_ref(joined->running).load(std::memory_order_relaxed);
  if (running < parts.size()) return "block " + std::to_string(parts[running].block);
  const auto [first, last] = std::ranges::minmax(parts, {}, &detail::FusedBodies::Part::block);
  if (first.block == last.block) return "block " + std::to_string(first.block);
  return "blocks " + std::to_string(first.block) + " to " + std::to_string(last.block);
}

}  // namespace

Graph::Graph(Recorder&& recorder, Model model)
    : recording_(std::move(recorder).finish()), model_(model) {
  require_room(rank(), recording_.accesses.size(), "accesses", most_numbered);
  // Barriers add less than two for each task.
  require_room(rank(),
               recording_.predecessors.n_edges() + recording_.explicit_edges.size() + 2 * n_tasks(),
               "edges between tasks", most_numbered);
  if (recording_.segments.back().first_task == n_tasks() && recording_.segments.size() > 1)
    recording_.segments.pop_back();  // nothing was recorded after the last phase began
  add_edges(place_barriers());
  if (overlaps_) add_wraps();
  count();
  // Only an explicit edge can lead to the same task or one recorded earlier: be part of a cycle.
  const auto leads_back = [](const Edge& e) { return e.to <= e.from; };
  if (std::ranges::any_of(recording_.explicit_edges, leads_back)) find_cycles();
}

std::string Graph::describe(TaskId id, std::uint64_t replay,
                            std::optional<std::uint64_t> first_step) const {
  const Node& n = node(id);
  const auto has_place = [](const Node& any) { return any.level != 0 || has_block(any); };
  const std::string when = first_step ? "step " + std::to_string(*first_step + replay)
                                      : "replay " + std::to_string(replay);
  const std::string task = "task '" + name(id) + "' on rank " + std::to_string(rank()()) + " (";
  if (std::ranges::none_of(nodes(), has_place)) return task + when + ")";  // no mesh
  // A message is of many blocks where it does not name one.
  const bool names_block = n.kind == NodeKind::task || n.block != 0;
  return task + (names_block ? block_words(n) + ", " : "") + "level " + std::to_string(n.level) +
         ", " + when + ")";
}

void Graph::require_rank(Rank on, int n_ranks_there) const {
  if (n_phases() == 0)
    throw Error(
        "a graph is run that was moved, or replaced, before (there is nothing left in it); run "
        "the one that took its place");
  if (rank() == on && n_ranks() == n_ranks_there) return;
  const auto words = [](Rank r, int n) {
    return "rank " + std::to_string(r()) + " of " + std::to_string(n);
  };
  throw Error("a graph of " + words(rank(), n_ranks()) + " is run on " + words(on, n_ranks_there) +
              " (its messages are those of another rank); record it on this one");
}

std::string Graph::describe_cycle(std::optional<std::uint64_t> first_step) const {
  constexpr std::size_t n_named = 8;
  const auto words = [&](std::size_t i) { return describe(TaskId(cyclic_[i]), 0, first_step); };
  const auto name_of = [&](std::uint32_t t) { return "'" + name(TaskId(t)) + "'"; };
  std::string text = "rank " + std::to_string(rank()()) +
                     " has tasks that wait for each other in a cycle: " + words(0);
  for (std::size_t i = 1; i < std::min(cyclic_.size(), n_named); ++i)
    text += (i == 1 ? " waits for " : ", which waits for ") + words(i);
  if (cyclic_.size() > n_named)
    text += ", and so on by " + std::to_string(cyclic_.size() - n_named) + " more";
  text += cyclic_.size() == 1 ? " waits for itself" : ", which waits for the first";
  // The first was recorded before what it waits for: no datum says that.
  text += " (it comes of after(" + name_of(cyclic_[1 % cyclic_.size()]) + ", " +
          name_of(cyclic_[0]) + ")); leave that out, or record them in the order in which they run";
  if (n_behind_cycle_ > 0)
    text += "; " + std::to_string(n_behind_cycle_) + " more tasks cannot run because of cycles";
  return text;
}

/// The first tasks of the groups that barriers separate, but for the first group.
std::vector<std::uint32_t> Graph::place_barriers() {
  std::vector<std::uint32_t> starts;
  for (const Segment& s : recording_.segments) {
    const bool is_barrier = model_ == Model::bulk || model_ == Model::forkjoin ||
                            (model_ == Model::phase && s.kind == PhaseKind::level);
    if (is_barrier) overlaps_ = false;
    if (is_barrier && s.first_task != 0 && s.first_task < n_tasks()) starts.push_back(s.first_task);
  }
  return starts;
}

void Graph::add_edges(const std::vector<std::uint32_t>& starts) {
  const auto n = static_cast<std::uint32_t>(n_tasks());
  if (!starts.empty() || !recording_.explicit_edges.empty()) {
    std::vector<Edge> to_add = recording_.explicit_edges;
    std::ranges::stable_sort(to_add, {}, &Edge::to);
    std::vector<bool> has_successor(n, false);
    Predecessors all;
    auto next = to_add.begin();
    for (std::uint32_t g = 0; g <= starts.size(); ++g) {
      const std::uint32_t first = g == 0 ? 0 : starts[g - 1];
      const std::uint32_t last = g == starts.size() ? n : starts[g];
      for (std::uint32_t t = first; t < last; ++t) {
        all.open();
        // What comes from an earlier group follows from the barrier between.
        const auto add = [&](std::uint32_t on) {
          if (on < first) return;
          has_successor[on] = true;
          all.add(on);
        };
        for (const std::uint32_t on : recording_.predecessors[t]) add(on);
        for (; next != to_add.end() && next->to == t; ++next) add(next->from);
        if (g > 0 && all[t].empty()) all.add(n + g - 1);
      }
    }
    for (std::uint32_t g = 0; g < starts.size(); ++g) {
      all.open();
      for (std::uint32_t t = g == 0 ? 0 : starts[g - 1]; t < starts[g]; ++t)
        if (!has_successor[t]) all.add(t);
    }
    recording_.predecessors = std::move(all);
    if (!starts.empty())
      recording_.nodes.resize(n + starts.size(), Node{.name = recording_.names.intern("barrier"),
                                                      .kind = NodeKind::barrier});
  }
  recording_.successors.assign(recording_.predecessors);
}

void Graph::add_wraps() {
  // Go on as if the same tasks were recorded once more. An access that its own replay has written
  // before finds what it found the first time; the others see what this replay leaves behind.
  const auto n = static_cast<std::uint32_t>(n_tasks());
  const detail::BoundaryAccess* next = recording_.boundary.begin();
  for (std::uint32_t t = 0; t < n; ++t) {
    recording_.wrap_predecessors.open();
    for (; next != recording_.boundary.end() && next->task == t; ++next)
      recording_.history.note(
          n + t, next->access,
          [&](std::uint32_t on) {
            if (on < n) recording_.wrap_predecessors.add(on);
          },
          [](Range) {});
  }
  require_room(rank(), n_edges() + recording_.wrap_predecessors.n_edges(), "edges between tasks",
               most_numbered);
  recording_.wraps.assign(recording_.wrap_predecessors);
}

void Graph::count() {
  const auto n = static_cast<std::uint32_t>(n_nodes());
  if (!overlaps_) {
    while (recording_.wrap_predecessors.n_nodes() < n) recording_.wrap_predecessors.open();
    recording_.wraps.assign(recording_.wrap_predecessors);
  }
  for (std::uint32_t t = n; t-- > 0;) {
    if (recording_.successors[t].empty()) ++n_sinks_;
    if (recording_.predecessors[t].empty()) recording_.sources.push_back(t);
  }
}

void Graph::find_cycles() {
  // Do what can be done; what is left is in a cycle, or waits for one.
  std::vector<std::uint32_t> left, open = recording_.sources;
  for (std::uint32_t t = 0; t < n_nodes(); ++t) left.push_back(n_predecessors(TaskId(t)));
  while (!open.empty()) {
    const std::uint32_t t = open.back();
    open.pop_back();
    for (const std::uint32_t s : recording_.successors[t])
      if (--left[s] == 0) open.push_back(s);
  }
  const auto first = std::ranges::find_if(left, std::identity{});
  if (first == left.end()) return;
  // From one to another that it waits for, until one is met again.
  const auto is_left = [&](std::uint32_t t) { return left[t] != 0; };
  std::vector<bool> is_met(n_nodes(), false);
  auto at = static_cast<std::uint32_t>(first - left.begin());
  for (; !is_met[at]; at = *std::ranges::find_if(recording_.predecessors[at], is_left)) {
    is_met[at] = true;
    cyclic_.push_back(at);
  }
  cyclic_.erase(cyclic_.begin(), std::ranges::find(cyclic_, at));
  std::ranges::rotate(cyclic_, std::ranges::min_element(cyclic_));
  const auto is_task = [&](std::uint32_t t) { return t < n_tasks(); };
  n_behind_cycle_ = static_cast<std::size_t>(
      std::ranges::count_if(std::span(left).first(n_tasks()), std::identity{}) -
      std::ranges::count_if(cyclic_, is_task));
}

std::span<const Access> Graph::accesses(TaskId id) const {
  THALWEG_EXPECT(id() < n_tasks(), "not a recorded task");
  return recording_.accesses_of(id());
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

Graph capture(Recorder&& recorder, Model model) {
  // Items of queues name 2^29: there is room for what an engine adds, joins above all.
  constexpr std::size_t most = (std::size_t{1} << 27) - 1;
  Graph graph(std::move(recorder), model);
  require_room(graph.rank(), graph.n_nodes(), "tasks and messages", most);
  return graph;
}

}  // namespace thalweg::flow
