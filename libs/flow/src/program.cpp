// SPDX-License-Identifier: MIT
#include "program.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

namespace thalweg::flow {
namespace {

/// Tasks recorded one after another that share a home, where there are no phases.
constexpr std::uint32_t n_tasks_in_row = 8;
/// From so many on, steps of one home that one step elsewhere waits for get a junction.
constexpr std::uint32_t n_to_join = 8;
/// Steps whose counters share a cache line.
constexpr std::uint32_t n_in_line = 16;

}  // namespace

/// Makes a program. Numbers here are provisional: nodes, then the gate, the end and the junctions.
class ProgramBuilder {
 public:
  ProgramBuilder(const Graph& graph, const Program::Options& options, Program& program)
      : graph_(graph),
        p_(program),
        n_homes_(options.n_homes),
        n_(static_cast<std::uint32_t>(graph.n_nodes())) {
    kinds_.reserve(n_ + 2);
    for (const Node& node : graph.nodes()) {
      kinds_.push_back(kind_of(node.kind));
      if (node.decides) decider_ = static_cast<std::uint32_t>(kinds_.size() - 1);
    }
    kinds_.push_back(StepKind::gate);
    kinds_.push_back(StepKind::end);
    find_homes();
    find_levels(options.honours_priorities);
    if (n_homes_ > 1) add_junctions();
    number();
    link();
  }

 private:
  struct Edge {
    std::uint32_t to;  ///< provisional
    bool is_wrap;
  };
  /// Junctions before one node, by the home they are at.
  using Joined = std::vector<std::optional<std::uint32_t>>;

  static StepKind kind_of(NodeKind kind) {
    switch (kind) {
      case NodeKind::send:
        return StepKind::send;
      case NodeKind::recv:
        return StepKind::recv;
      case NodeKind::barrier:
        return StepKind::junction;
      default:
        return StepKind::task;
    }
  }
  std::uint32_t gate() const { return n_; }
  std::uint32_t end() const { return n_ + 1; }
  std::uint32_t n_all() const { return static_cast<std::uint32_t>(kinds_.size()); }

  void find_homes() {
    homes_.assign(n_all(), 0);
    if (n_homes_ == 1) return;
    const std::uint64_t n_homes = n_homes_;
    for (std::uint32_t t = 0; t < graph_.n_tasks(); ++t) {
      const Node& node = graph_.node(TaskId(t));
      if (node.home_worker) {
        homes_[t] = static_cast<std::uint32_t>(*node.home_worker % n_homes);
      } else if (graph_.n_phases() > 1) {
        // Equal parts of each phase: phases that go over the same blocks find them where they were.
        const Graph::Position at = graph_.position(TaskId(t));
        homes_[t] = static_cast<std::uint32_t>(at.index * n_homes / at.n_tasks);
      } else {
        homes_[t] = static_cast<std::uint32_t>(t / n_tasks_in_row % n_homes);
      }
    }
    // A message lives with the task that packs or unpacks it, or with who may communicate.
    const bool one_communicates =
        graph_.model() == Model::bulk || graph_.model() == Model::forkjoin;
    for (std::uint32_t t = 0; t < n_; ++t) {
      const std::span<const std::uint32_t> after = graph_.successors(TaskId(t));
      for (const std::uint32_t s : after)
        if (kinds_[s] == StepKind::send) homes_[s] = one_communicates ? 0 : homes_[t];
      if (kinds_[t] == StepKind::recv && !after.empty())
        homes_[t] = one_communicates ? 0 : homes_[after.back()];
    }
  }

  void find_levels(bool honours) {
    levels_.assign(n_all(), 0);
    if (!honours) return;
    std::vector<int> priorities;
    priorities.reserve(n_);
    for (const Node& node : graph_.nodes())
      if (node.kind == NodeKind::task) priorities.push_back(node.priority);
    std::ranges::sort(priorities);
    priorities.erase(std::ranges::unique(priorities).begin(), priorities.end());
    if (priorities.size() <= 1) return;
    const auto level = [&](int priority) {
      return static_cast<std::uint32_t>(std::ranges::lower_bound(priorities, priority) -
                                        priorities.begin());
    };
    p_.n_levels_ = static_cast<std::uint32_t>(priorities.size());
    p_.base_level_ = std::ranges::binary_search(priorities, 0) ? level(0) : 0;
    for (std::uint32_t t = 0; t < n_; ++t)
      if (kinds_[t] == StepKind::task) levels_[t] = level(graph_.node(TaskId(t)).priority);
  }

  void add_junctions() {
    joined_of_.assign(n_ + 2, 0);
    joined_.emplace_back();  // that of all who have none
    std::vector<std::vector<std::uint32_t>> n_from{{}};
    for (std::uint32_t s = 0; s < n_ + 2; ++s) {
      const std::size_t n_before = s == end()    ? graph_.n_sinks()
                                   : s == gate() ? 0
                                                 : graph_.n_predecessors(TaskId(s));
      if (n_before < n_to_join) continue;
      joined_of_[s] = static_cast<std::uint32_t>(joined_.size());
      joined_.emplace_back(n_homes_);
      n_from.emplace_back(n_homes_, 0);
    }
    const auto count = [&](std::uint32_t from, std::uint32_t to) {
      if (joined_of_[to] != 0 && homes_[from] != homes_[to]) ++n_from[joined_of_[to]][homes_[from]];
    };
    for (std::uint32_t t = 0; t < n_; ++t) {
      const std::span<const std::uint32_t> after = graph_.successors(TaskId(t));
      for (const std::uint32_t s : after) count(t, s);
      if (after.empty()) count(t, end());
    }
    for (std::uint32_t s = 0; s < n_ + 2; ++s)
      for (std::uint32_t h = 0; joined_of_[s] != 0 && h < n_homes_; ++h) {
        if (n_from[joined_of_[s]][h] < n_to_join) continue;
        joined_[joined_of_[s]][h] = n_all();
        kinds_.push_back(StepKind::junction);
        homes_.push_back(h);
        levels_.push_back(0);
        behind_.push_back(s);
      }
  }

  void number() {
    std::vector<std::uint32_t> order(n_all());
    std::iota(order.begin(), order.end(), 0);
    const auto is_special = [&](std::uint32_t i) {
      return kinds_[i] != StepKind::task || levels_[i] != p_.base_level_ || i == decider_;
    };
    std::ranges::stable_sort(order, {},
                             [&](std::uint32_t i) { return std::pair(homes_[i], is_special(i)); });
    p_.domains_.resize(n_homes_);
    p_.step_of_.resize(n_all());
    p_.nodes_.reserve(n_all() + n_homes_ * n_in_line);
    std::size_t next = 0;
    for (std::uint32_t h = 0; h < n_homes_; ++h) {
      const auto here = [&] { return static_cast<std::uint32_t>(p_.nodes_.size()); };
      Domain& domain = p_.domains_[h];
      domain.begin = domain.special = here();
      for (; next < order.size() && homes_[order[next]] == h; ++next) {
        p_.step_of_[order[next]] = here();
        p_.nodes_.push_back(order[next]);
        if (!is_special(order[next])) domain.special = here();
      }
      domain.end = here();
      while (h + 1 < n_homes_ && here() % n_in_line != 0) p_.nodes_.push_back(n_all());
    }
    p_.gate_ = p_.step_of_[gate()];
    p_.end_ = p_.step_of_[end()];
  }

  void link() {
    const std::size_t n = p_.nodes_.size();
    p_.steps_.resize(n);
    p_.kinds_.resize(n);
    p_.homes_.resize(n);
    p_.levels_.resize(n);
    p_.n_past_.resize(n);
    p_.extras_.emplace_back();  // that of all who have none
    p_.targets_.reserve(graph_.n_edges() + graph_.n_wrap_edges() + 2 * n);
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::uint32_t t = p_.nodes_[i];
      if (t == n_all()) continue;  // between two homes
      p_.kinds_[i] = kinds_[t];
      p_.homes_[i] = homes_[t];
      p_.levels_[i] = levels_[t];
      if (t < n_) {
        p_.steps_[i].invoke = graph_.node(TaskId(t)).invoke;
        p_.steps_[i].body = graph_.node(TaskId(t)).body;
      }
      list_edges(t);
      link_step(i);
    }
    // The gate before, and the replay `depth` before.
    p_.steps_[p_.gate_].full += 2;
  }

  /// What waits for a node: in the next replay, then in its own.
  void list_edges(std::uint32_t t) {
    edges_.clear();
    const auto add = [&](std::uint32_t to) { edges_.push_back({joined(t, to), false}); };
    if (t == gate()) {
      for (const std::uint32_t s : graph_.sources()) add(s);
    } else if (t > end()) {
      add(behind_[t - end() - 1]);
    } else if (t < n_) {
      if (decider_ == t) edges_.push_back({gate(), true});
      for (const std::uint32_t s : graph_.wrap_successors(TaskId(t))) edges_.push_back({s, true});
      for (const std::uint32_t s : graph_.successors(TaskId(t))) add(s);
      if (graph_.successors(TaskId(t)).empty()) add(end());
    }
  }
  std::uint32_t joined(std::uint32_t from, std::uint32_t to) const {
    if (n_homes_ == 1 || to > end() || from > end() || joined_of_[to] == 0) return to;
    return joined_[joined_of_[to]][homes_[from]].value_or(to);
  }

  void link_step(std::uint32_t from) {
    Step& step = p_.steps_[from];
    const std::uint32_t home = p_.homes_[from];
    const auto place = [&] { return static_cast<std::uint32_t>(p_.targets_.size()); };
    const auto put = [&](std::uint32_t at_home, bool is_wrap) {
      const std::uint32_t first = place();
      for (const Edge& e : edges_)
        if (homes_[e.to] == at_home && e.is_wrap == is_wrap) {
          const std::uint32_t to = p_.step_of_[e.to];
          p_.targets_.push_back(to);
          ++p_.steps_[to].full;
          if (is_wrap) ++p_.n_past_[to];
        }
      return place() - first;
    };
    Extra extra{.first_wrap = place(), .n_wraps = put(home, true)};
    const std::uint32_t first = place();
    step.n_targets = put(home, false);
    if (step.n_targets <= Step::n_inline) {
      std::copy(p_.targets_.begin() + first, p_.targets_.end(), step.targets);
      p_.targets_.resize(first);
    } else {
      step.targets[0] = first;
    }
    extra.first_letter = static_cast<std::uint32_t>(p_.letters_.size());
    away_.clear();
    for (const Edge& e : edges_)
      if (homes_[e.to] != home) away_.push_back(homes_[e.to]);
    std::ranges::sort(away_);
    away_.erase(std::ranges::unique(away_).begin(), away_.end());
    for (const std::uint32_t to : away_) {
      Letter letter{.first_target = place(), .to = to};
      letter.n_wraps = put(to, true);
      letter.n_targets = put(to, false);
      p_.letters_.push_back(letter);
    }
    extra.n_letters = static_cast<std::uint32_t>(p_.letters_.size()) - extra.first_letter;
    if (extra.n_wraps == 0 && extra.n_letters == 0) return;
    step.extra = static_cast<std::uint32_t>(p_.extras_.size());
    p_.extras_.push_back(extra);
  }

  const Graph& graph_;
  Program& p_;
  std::uint32_t n_homes_;
  std::uint32_t n_;
  std::optional<std::uint32_t> decider_;
  std::vector<StepKind> kinds_;
  std::vector<std::uint32_t> homes_;
  std::vector<std::uint32_t> levels_;
  std::vector<std::uint32_t> behind_;  ///< of junction: who waits for it
  std::vector<std::uint32_t> joined_of_;
  std::vector<Joined> joined_;
  std::vector<Edge> edges_;  ///< of the step being linked
  std::vector<std::uint32_t> away_;
};

Program::Program(const Graph& graph, const Options& options) {
  ProgramBuilder(graph, options, *this);
}

}  // namespace thalweg::flow
