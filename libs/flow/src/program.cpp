// SPDX-License-Identifier: MIT
#include "program.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include <thalweg/flow/placement.hpp>

namespace thalweg::flow {
namespace {

/// From so many on, nodes of one worker that one node elsewhere waits for get a join node.
constexpr std::uint32_t n_to_join = 8;
/// Nodes whose counters share a cache line.
constexpr std::uint32_t n_in_line = 16;

}  // namespace

/// Makes a program. Numbers here are provisional: nodes, then the token, the end and the join
/// nodes.
class ProgramBuilder {
 public:
  ProgramBuilder(const Graph& graph, const Program::Options& options, Program& program)
      : graph_(graph),
        p_(program),
        n_workers_(options.n_workers),
        n_(static_cast<std::uint32_t>(graph.n_nodes())) {
    kinds_.reserve(n_ + 2);
    for (const Node& node : graph.nodes()) {
      kinds_.push_back(kind_of(node.kind));
      if (node.controls_termination)
        termination_node_ = static_cast<std::uint32_t>(kinds_.size() - 1);
    }
    kinds_.push_back(ExecKind::token);
    kinds_.push_back(ExecKind::end);
    owners_ = node_owners(graph_, n_workers_);
    owners_.resize(n_all(), 0);
    find_priority_classes(options.honours_priorities);
    if (n_workers_ > 1) add_joins();
    number();
    link();
  }

 private:
  struct Edge {
    std::uint32_t to;  ///< provisional
    bool is_wrap;
  };
  /// A join node before another node.
  struct Join {
    std::uint32_t worker;  ///< that it is on
    std::uint32_t node;    ///< provisional
  };

  static ExecKind kind_of(NodeKind kind) {
    switch (kind) {
      case NodeKind::send:
        return ExecKind::send;
      case NodeKind::recv:
        return ExecKind::recv;
      case NodeKind::barrier:
        return ExecKind::join;
      default:
        return ExecKind::task;
    }
  }
  std::uint32_t token() const { return n_; }
  std::uint32_t end() const { return n_ + 1; }
  std::uint32_t n_all() const { return static_cast<std::uint32_t>(kinds_.size()); }

  void find_priority_classes(bool honours) {
    priority_classes_.assign(n_all(), 0);
    if (!honours) return;
    const PriorityClasses classes = priority_classes(graph_);
    p_.n_priority_classes_ = classes.n;
    p_.base_priority_class_ = classes.base;
    std::ranges::copy(classes.of_node, priority_classes_.begin());
  }

  void add_joins() {
    // Nodes with many before them, and the workers of those, one list behind the other.
    constexpr std::uint32_t none = 0;
    std::vector<std::uint32_t> place(n_ + 2, none);  // where a node's list goes on
    std::vector<std::uint32_t> workers{0};           // that of all who have none
    const auto n_before = [&](std::uint32_t s) -> std::size_t {
      if (s == token()) return 0;
      return s == end() ? graph_.n_sinks() : graph_.n_predecessors(TaskId(s));
    };
    for (std::uint32_t s = 0; s < n_ + 2; ++s) {
      if (n_before(s) < n_to_join) continue;
      place[s] = static_cast<std::uint32_t>(workers.size());
      workers.resize(workers.size() + n_before(s), owners_[s]);
    }
    const auto note = [&](std::uint32_t from, std::uint32_t to) {
      if (place[to] != none) workers[place[to]++] = owners_[from];
    };
    for (std::uint32_t t = 0; t < n_; ++t) {
      const std::span<const std::uint32_t> after = graph_.successors(TaskId(t));
      for (const std::uint32_t s : after) note(t, s);
      if (after.empty()) note(t, end());
    }
    first_join_.reserve(n_ + 3);
    std::vector<std::uint32_t> n_from(n_workers_, 0);
    std::size_t begin = 1;
    for (std::uint32_t s = 0; s < n_ + 2; ++s) {
      first_join_.push_back(static_cast<std::uint32_t>(joins_.size()));
      if (place[s] == none) continue;
      const auto before = std::span(workers).subspan(begin, n_before(s));
      begin += before.size();
      for (const std::uint32_t h : before) ++n_from[h];
      n_from[owners_[s]] = 0;
      for (const std::uint32_t h : before)
        if (std::exchange(n_from[h], 0) >= n_to_join) joins_.push_back({h, 0});
      std::ranges::sort(joins_.begin() + first_join_[s], joins_.end(), {}, &Join::worker);
      for (Join& join : std::span(joins_).subspan(first_join_[s])) {
        join.node = n_all();
        kinds_.push_back(ExecKind::join);
        owners_.push_back(join.worker);
        priority_classes_.push_back(0);
        behind_.push_back(s);
      }
    }
    first_join_.push_back(static_cast<std::uint32_t>(joins_.size()));
  }

  void number() {
    std::vector<std::uint32_t> order(n_all());
    std::iota(order.begin(), order.end(), 0);
    const auto is_slow = [&](std::uint32_t i) {
      return kinds_[i] != ExecKind::task || priority_classes_[i] != p_.base_priority_class_ ||
             i == termination_node_;
    };
    std::ranges::stable_sort(order, {},
                             [&](std::uint32_t i) { return std::pair(owners_[i], is_slow(i)); });
    p_.ranges_.resize(n_workers_);
    p_.index_of_.resize(n_all());
    p_.nodes_.reserve(n_all() + n_workers_ * n_in_line);
    std::size_t next = 0;
    for (std::uint32_t h = 0; h < n_workers_; ++h) {
      const auto here = [&] { return static_cast<std::uint32_t>(p_.nodes_.size()); };
      NodeRange& range = p_.ranges_[h];
      range.begin = range.first_slow = here();
      for (; next < order.size() && owners_[order[next]] == h; ++next) {
        p_.index_of_[order[next]] = here();
        p_.nodes_.push_back(order[next]);
        if (!is_slow(order[next])) range.first_slow = here();
      }
      range.end = here();
      while (h + 1 < n_workers_ && here() % n_in_line != 0) p_.nodes_.push_back(n_all());
    }
    p_.token_ = p_.index_of_[token()];
    p_.end_ = p_.index_of_[end()];
  }

  void link() {
    const std::size_t n = p_.nodes_.size();
    p_.exec_nodes_.resize(n);
    p_.kinds_.resize(n);
    p_.owners_.resize(n);
    p_.priority_classes_.resize(n);
    p_.n_past_.resize(n);
    p_.cold_edges_.emplace_back();  // that of all who have none
    p_.targets_.reserve(graph_.n_edges() + graph_.n_wrap_edges() + 2 * n);
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::uint32_t t = p_.nodes_[i];
      if (t == n_all()) continue;  // between two workers
      p_.kinds_[i] = kinds_[t];
      p_.owners_[i] = owners_[t];
      p_.priority_classes_[i] = priority_classes_[t];
      if (t < n_) {
        p_.exec_nodes_[i].invoke = graph_.node(TaskId(t)).invoke;
        p_.exec_nodes_[i].body = graph_.node(TaskId(t)).body;
      }
      list_edges(t);
      link_node(i);
    }
    // The token before, and the replay `depth` before.
    p_.exec_nodes_[p_.token_].full += 2;
  }

  /// What waits for a node: in the next replay, then in its own.
  void list_edges(std::uint32_t t) {
    edges_.clear();
    const auto add = [&](std::uint32_t to) { edges_.push_back({joined(t, to), false}); };
    if (t == token()) {
      for (const std::uint32_t s : graph_.sources()) add(s);
    } else if (t > end()) {
      add(behind_[t - end() - 1]);
    } else if (t < n_) {
      if (termination_node_ == t) edges_.push_back({token(), true});
      for (const std::uint32_t s : graph_.wrap_successors(TaskId(t))) edges_.push_back({s, true});
      for (const std::uint32_t s : graph_.successors(TaskId(t))) add(s);
      if (graph_.successors(TaskId(t)).empty()) add(end());
    }
  }
  std::uint32_t joined(std::uint32_t from, std::uint32_t to) const {
    if (n_workers_ == 1 || to > end() || from > end()) return to;
    const auto joins =
        std::span(joins_).subspan(first_join_[to], first_join_[to + 1] - first_join_[to]);
    const auto found = std::ranges::lower_bound(joins, owners_[from], {}, &Join::worker);
    return found != joins.end() && found->worker == owners_[from] ? found->node : to;
  }

  void link_node(std::uint32_t from) {
    ExecNode& node = p_.exec_nodes_[from];
    const std::uint32_t owner = p_.owners_[from];
    const auto place = [&] { return static_cast<std::uint32_t>(p_.targets_.size()); };
    const auto put = [&](std::uint32_t at_owner, bool is_wrap) {
      const std::uint32_t first = place();
      for (const Edge& e : edges_)
        if (owners_[e.to] == at_owner && e.is_wrap == is_wrap) {
          const std::uint32_t to = p_.index_of_[e.to];
          p_.targets_.push_back(to);
          ++p_.exec_nodes_[to].full;
          if (is_wrap) ++p_.n_past_[to];
        }
      return place() - first;
    };
    ColdEdges cold_edges{.first_wrap = place(), .n_wraps = put(owner, true)};
    const std::uint32_t first = place();
    node.n_targets = put(owner, false);
    if (node.n_targets <= ExecNode::n_inline) {
      std::copy(p_.targets_.begin() + first, p_.targets_.end(), node.targets);
      p_.targets_.resize(first);
    } else {
      node.targets[0] = first;
    }
    cold_edges.first_notification = static_cast<std::uint32_t>(p_.notifications_.size());
    away_.clear();
    for (const Edge& e : edges_)
      if (owners_[e.to] != owner) away_.push_back(owners_[e.to]);
    std::ranges::sort(away_);
    away_.erase(std::ranges::unique(away_).begin(), away_.end());
    for (const std::uint32_t to : away_) {
      Notification notification{.first_target = place(), .to = to};
      notification.n_wraps = put(to, true);
      notification.n_targets = put(to, false);
      p_.notifications_.push_back(notification);
    }
    cold_edges.n_notifications =
        static_cast<std::uint32_t>(p_.notifications_.size()) - cold_edges.first_notification;
    if (cold_edges.n_wraps == 0 && cold_edges.n_notifications == 0) return;
    node.cold_edges = static_cast<std::uint32_t>(p_.cold_edges_.size());
    p_.cold_edges_.push_back(cold_edges);
  }

  const Graph& graph_;
  Program& p_;
  std::uint32_t n_workers_;
  std::uint32_t n_;
  std::optional<std::uint32_t> termination_node_;
  std::vector<ExecKind> kinds_;
  std::vector<std::uint32_t> owners_;
  std::vector<std::uint32_t> priority_classes_;
  std::vector<std::uint32_t> behind_;      ///< of join node: who waits for it
  std::vector<Join> joins_;                ///< one node's behind another's, by worker
  std::vector<std::uint32_t> first_join_;  ///< of node s: the first of its joins
  std::vector<Edge> edges_;                ///< of the node being linked
  std::vector<std::uint32_t> away_;
};

Program::Program(const Graph& graph, const Options& options) {
  ProgramBuilder(graph, options, *this);
}

}  // namespace thalweg::flow
