// SPDX-License-Identifier: MIT
#include <thalweg/predict/critical_path.hpp>

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <thalweg/core/contract.hpp>
#include <thalweg/core/error.hpp>

#include "duration.hpp"
#include "network.hpp"

namespace thalweg::predict {
namespace {

using flow::NodeKind;

constexpr std::uint32_t nothing = std::numeric_limits<std::uint32_t>::max();

/// When a node can begin and is over, without anybody in its way.
struct Reach {
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;
};

/// Who a node of a replay waits for last: a node of the same replay or of some before.
struct From {
  std::uint32_t node = nothing;
  std::uint8_t replays_ago = 0;
};

/// Walks through a job, replay by replay, in an order in which each node comes after those that it
/// waits for. Nodes are numbered over all ranks.
class PathFinder {
 public:
  PathFinder(const Job& job, const Machine& machine, const Scenario& scenario)
      : job_(job), machine_(machine), scenario_(scenario), network_(machine, job.ranks.size()) {
    if (job.n_nodes() >= nothing)
      throw Error(
          fmt::format("{} tasks and messages of all ranks (their numbers have 32 bits); "
                      "predict fewer ranks, or larger blocks",
                      job.n_nodes()));
    first_.reserve(job.ranks.size() + 1);
    for (std::uint32_t r = 0; r < job.ranks.size(); ++r) {
      first_.push_back(n_nodes_);
      n_nodes_ += static_cast<std::uint32_t>(job.graph_of(r).n_nodes());
    }
    first_.push_back(n_nodes_);
    sort();
    from_.resize(n_nodes_ * scenario.n_steps);
    gates_.resize(job.ranks.size() * scenario.n_steps);
  }

  /// About what one takes of the heap; sort() takes less on the way than what comes after it.
  static std::size_t n_bytes(const Job& job, const Scenario& scenario) {
    const std::size_t of_node =
        2 * sizeof(std::uint32_t) + 2 * sizeof(Reach) + scenario.n_steps * sizeof(From);
    constexpr std::size_t of_network = 4 * sizeof(std::int64_t);  // ways of nodes and groups
    const std::size_t of_rank =
        sizeof(std::uint32_t) + of_network + scenario.n_steps * sizeof(Gate);
    constexpr std::size_t of_name = 512;         // what it takes of the path, as a key and in lists
    constexpr std::size_t of_lists = 64 * 1024;  // pages that the heap rounds them up to
    return job.n_nodes() * of_node + job.ranks.size() * of_rank + job.names.size() * of_name +
           of_lists;
  }

  trace::CriticalPath operator()() {
    for (std::uint64_t k = 0; k < scenario_.n_steps; ++k) pass(k);
    return walk_back();
  }

 private:
  /// When all nodes of a rank's replay are over, and which of them last.
  struct Gate {
    std::int64_t end_ns = 0;
    std::uint32_t last = nothing;
    std::int64_t decided_ns = 0;  ///< that there is a next replay
    std::uint32_t termination_node = nothing;
  };

  std::uint32_t connection_number(std::uint32_t id) const {
    return job_.connection_of(rank_of_[id], node(id));
  }
  const Connection& connection_of(std::uint32_t id) const {
    return job_.connections[connection_number(id)];
  }
  bool is_long(const Connection& c) const { return c.n_bytes > machine_.eager_bytes; }
  bool is_long(std::uint32_t id) const {
    const NodeKind kind = node(id).kind;
    return (kind == NodeKind::send || kind == NodeKind::recv) && is_long(connection_of(id));
  }
  std::uint32_t send_of(const Connection& c) const { return first_[c.from_rank] + c.from_node; }
  std::uint32_t receive_of(const Connection& c) const { return first_[c.to_rank] + c.to_node; }
  const JobNode& node(std::uint32_t id) const {
    const std::uint32_t r = rank_of_[id];
    return job_.graph_of(r).nodes[id - first_[r]];
  }
  Gate& gate(std::uint32_t r, std::uint64_t replay) {
    return gates_[replay * job_.ranks.size() + r];
  }

  /// Nodes in an order of their own replay's dependencies: a short receive comes after its send, a
  /// long message's ends one after the other when both may begin.
  void sort() {
    std::vector<std::uint32_t> left(n_nodes_);
    std::vector<bool> has_begun(job_.connections.size());
    rank_of_.resize(n_nodes_);
    order_.reserve(n_nodes_);
    const auto make_ready = [&](std::uint32_t id) {
      if (!is_long(id)) return order_.push_back(id);
      const Connection& c = connection_of(id);
      if (!has_begun[connection_number(id)]) {
        has_begun[connection_number(id)] = true;
        return;
      }
      order_.push_back(send_of(c));
      order_.push_back(receive_of(c));
    };
    for (std::uint32_t r = 0; r < job_.ranks.size(); ++r)
      std::fill(rank_of_.begin() + first_[r], rank_of_.begin() + first_[r + 1], r);
    for (std::uint32_t id = 0; id < n_nodes_; ++id) {
      const bool waits_for_send = node(id).kind == NodeKind::recv && !is_long(id);
      left[id] = node(id).n_predecessors + (waits_for_send ? 1 : 0);
    }
    for (std::uint32_t id = 0; id < n_nodes_; ++id)
      if (left[id] == 0) make_ready(id);
    const auto count_down = [&](std::uint32_t id) {
      if (--left[id] == 0) make_ready(id);
    };
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const std::uint32_t id = order_[i];
      for_each_successor(id, count_down);
      if (node(id).kind == NodeKind::send && !is_long(id))
        count_down(receive_of(connection_of(id)));
    }
    THALWEG_EXPECT(order_.size() == n_nodes_, "no cycle");
  }

  /// Call f with those that wait for the end of a node in its own replay.
  template <class F>
  void for_each_successor(std::uint32_t id, F f) {
    const std::uint32_t r = rank_of_[id];
    for (const std::uint32_t edge : job_.graph_of(r).edges_of(id - first_[r]))
      if ((edge & wrap_bit) == 0) f(first_[r] + edge);
  }

  void wait(std::uint32_t id, std::int64_t for_ns, From whom) {
    if (whom.node == nothing || for_ns < now_[id].begin_ns ||
        (for_ns == now_[id].begin_ns && from_now_[id].node != nothing))
      return;
    now_[id].begin_ns = for_ns;
    from_now_[id] = whom;
  }

  void pass(std::uint64_t k) {
    std::swap(before_, now_);
    now_.assign(n_nodes_, {});
    from_now_ = std::span(from_).subspan(k * n_nodes_, n_nodes_);
    if (k > 0) wait_for_replays_before(k);
    for (const std::uint32_t id : order_) {
      complete(id, k);
      const std::uint32_t r = rank_of_[id];
      const std::int64_t end_ns = now_[id].end_ns;
      for_each_successor(id, [&](std::uint32_t to) { wait(to, end_ns, {id, 0}); });
      Gate& own = gate(r, k);
      if (own.last == nothing || end_ns > own.end_ns)
        own = {end_ns, id, own.decided_ns, own.termination_node};
      if (node(id).controls_termination && end_ns >= own.decided_ns) {
        own.decided_ns = end_ns;
        own.termination_node = id;
      }
    }
  }

  void wait_for_replays_before(std::uint64_t k) {
    for (std::uint32_t r = 0; r < job_.ranks.size(); ++r) {
      const RankGraph& rank = job_.graph_of(r);
      for (std::uint32_t t = 0; t < rank.n_nodes(); ++t)
        for (const std::uint32_t edge : rank.edges_of(t))
          if ((edge & wrap_bit) != 0)
            wait(first_[r] + (edge & ~wrap_bit), before_[first_[r] + t].end_ns, {first_[r] + t, 1});
      const std::uint64_t depth = rank.overlaps ? scenario_.depth : 1;
      for (const std::uint32_t source : rank.sources) {
        const Gate& before = gate(r, k - 1);
        wait(first_[r] + source, before.decided_ns, {before.termination_node, 1});
        if (k < depth) continue;
        const Gate& whole = gate(r, k - depth);
        wait(first_[r] + source, whole.end_ns, {whole.last, static_cast<std::uint8_t>(depth)});
      }
    }
  }

  /// Set when a node is over, whose begin is known.
  void complete(std::uint32_t id, std::uint64_t k) {
    Reach& own = now_[id];
    const JobNode& what = node(id);
    const std::uint32_t r = rank_of_[id];
    switch (what.kind) {
      case NodeKind::barrier:
        own.end_ns = own.begin_ns;
        return;
      case NodeKind::task:
        own.end_ns = own.begin_ns + duration_ns(job_, machine_, scenario_, r, k, id - first_[r]);
        return;
      case NodeKind::send:
        send(id, connection_of(id));
        return;
      case NodeKind::recv:
        receive(id, connection_of(id));
        return;
    }
  }

  /// When a long message may go: its receive is there and was asked, and has answered.
  std::int64_t permitted_ns(const Connection& c) const {
    const std::int64_t asked_ns =
        now_[send_of(c)].begin_ns + network_.overhead_ns(c) + network_.latency_ns(c);
    return std::max(asked_ns, now_[receive_of(c)].begin_ns) + network_.latency_ns(c);
  }
  /// Whether a message's receive is there before the message, or the question whether it may come.
  bool receive_is_first(const Connection& c) const {
    const std::int64_t way_ns = is_long(c) ? network_.latency_ns(c) : network_.way_ns(c);
    return now_[send_of(c)].begin_ns + network_.overhead_ns(c) + way_ns >
           now_[receive_of(c)].begin_ns;
  }

  void send(std::uint32_t id, const Connection& c) {
    Reach& own = now_[id];
    if (!is_long(c)) {
      own.end_ns = own.begin_ns + network_.overhead_ns(c);
      return;
    }
    own.end_ns = permitted_ns(c) + network_.length_ns(c);
    if (!receive_is_first(c)) from_now_[id] = {receive_of(c), 0};
  }

  void receive(std::uint32_t id, const Connection& c) {
    Reach& own = now_[id];
    const std::int64_t sent_ns =
        is_long(c) ? permitted_ns(c) : now_[send_of(c)].begin_ns + network_.overhead_ns(c);
    own.end_ns = std::max(own.begin_ns, sent_ns + network_.way_ns(c)) + network_.overhead_ns(c);
    if (receive_is_first(c)) from_now_[id] = {send_of(c), 0};
  }

  trace::CriticalPath walk_back() {
    trace::CriticalPath path;
    std::uint64_t k = scenario_.n_steps - 1;
    std::uint32_t at = nothing;
    for (std::uint32_t r = 0; r < job_.ranks.size(); ++r)
      for (std::uint64_t replay = 0; replay < scenario_.n_steps; ++replay) {
        const Gate& g = gate(r, replay);
        if (g.last == nothing || (at != nothing && g.end_ns <= path.length_ns)) continue;
        path.length_ns = g.end_ns;
        at = g.last;
        k = replay;
      }
    std::map<std::string, trace::PathShare> shares;
    const auto add = [&](const std::string& name, std::int64_t ns, std::uint64_t n) {
      trace::PathShare& share = shares[name];
      share.name = name;
      share.time_ns += ns;
      share.count += n;
    };
    std::int64_t rest_ns = path.length_ns;  // what is not of tasks
    std::uint64_t n_messages = 0;
    while (at != nothing) {
      const std::uint32_t r = rank_of_[at];
      const JobNode& what = node(at);
      if (what.kind == NodeKind::task) {
        const std::int64_t ns = duration_ns(job_, machine_, scenario_, r, k, at - first_[r]);
        if (ns > 0) add(job_.names[what.name], ns, 1);
        rest_ns -= ns;
      }
      if (what.kind == NodeKind::recv) ++n_messages;
      const From from = from_[k * n_nodes_ + at];
      if (from.node != nothing && rank_of_[from.node] != r) ++path.n_rank_changes;
      at = from.node;
      k -= from.replays_ago;
    }
    if (rest_ns > 0) add("messages", rest_ns, n_messages);
    for (const auto& [name, share] : shares) path.shares.push_back(share);
    std::ranges::stable_sort(path.shares, std::greater<>(), &trace::PathShare::time_ns);
    return path;
  }

  const Job& job_;
  const Machine& machine_;
  const Scenario& scenario_;
  Network network_;
  std::uint32_t n_nodes_ = 0;
  std::vector<std::uint32_t> first_;  ///< node of each rank, and the end
  std::vector<std::uint32_t> rank_of_, order_;
  std::vector<Reach> before_, now_;  ///< of the replay before, of this one
  std::vector<From> from_;           ///< of all replays
  std::span<From> from_now_;
  std::vector<Gate> gates_;
};

}  // namespace

trace::CriticalPath critical_path(const Job& job, const Machine& machine,
                                  const Scenario& scenario) {
  THALWEG_EXPECT(scenario.n_steps > 0, "a run has a step");
  return PathFinder(job, machine, scenario)();
}

std::size_t bytes_of_path(const Job& job, const Scenario& scenario) {
  return PathFinder::n_bytes(job, scenario);
}

}  // namespace thalweg::predict
