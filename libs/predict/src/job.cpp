// SPDX-License-Identifier: MIT
#include <thalweg/predict/job.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <type_traits>

#include <fmt/format.h>

#include <thalweg/core/contract.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/flow/placement.hpp>

#include "message_sizes.hpp"

namespace thalweg::predict {
namespace {

using flow::NodeKind;
using flow::TaskId;

std::vector<double> sizes_of_tasks(const flow::Graph& graph) {
  const auto for_each_edge = [&](const auto& hear) {
    for (std::uint32_t t = 0; t < graph.n_nodes(); ++t)
      for (const std::uint32_t s : graph.successors(TaskId(t))) hear(t, s);
  };
  const auto bytes_of_kind = [&](NodeKind kind) {
    return [&graph, kind](std::uint32_t t) {
      const flow::Node& node = graph.node(TaskId(t));
      return node.kind == kind ? static_cast<double>(graph.message(node.message).n_bytes) : 0;
    };
  };
  return sizes_of_nodes(graph.n_nodes(), for_each_edge, bytes_of_kind(NodeKind::recv),
                        bytes_of_kind(NodeKind::send));
}

constexpr std::uint32_t no_graph = std::numeric_limits<std::uint32_t>::max();

/// Of graphs that are alike the same.
std::size_t hash_of(const RankGraph& graph) {
  static_assert(std::has_unique_object_representations_v<JobNode>);
  const auto bytes = std::as_bytes(std::span(graph.nodes));
  return std::hash<std::string_view>()({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

template <class T>
std::size_t bytes_of(const std::vector<T>& list) {
  return list.capacity() * sizeof(T);
}

}  // namespace

std::size_t Job::n_nodes() const {
  std::size_t n = 0;
  for (std::uint32_t r = 0; r < ranks.size(); ++r) n += graph_of(r).n_nodes();
  return n;
}

std::size_t Job::n_bytes() const {
  std::size_t n = bytes_of(graphs) + bytes_of(ranks) + bytes_of(connections) + bytes_of(messages);
  for (const RankGraph& graph : graphs)
    n += bytes_of(graph.nodes) + bytes_of(graph.edges) + bytes_of(graph.sources);
  return n;
}

JobBuilder::JobBuilder(int n_ranks, std::uint32_t n_workers, const TaskTimes& times)
    : times_(times) {
  THALWEG_EXPECT(n_ranks > 0 && n_workers > 0, "a job has ranks and workers");
  job_.n_workers = n_workers;
  job_.ranks.resize(static_cast<std::size_t>(n_ranks), {.graph = no_graph});
  sends_.resize(job_.ranks.size());
  receives_.resize(job_.ranks.size());
}

std::uint16_t JobBuilder::number_of(std::string_view name) {
  if (const auto it = numbers_.find(name); it != numbers_.end()) return it->second;
  if (job_.names.size() > std::numeric_limits<std::uint16_t>::max())
    throw Error("more than 65536 names of tasks (a name stands for a kind of task); name fewer");
  const auto number = static_cast<std::uint16_t>(job_.names.size());
  job_.names.emplace_back(name);
  job_.is_memory_bound.push_back(times_.is_memory_bound(name));
  const auto fit = times_.fits().find(name);
  job_.spreads.push_back(fit == times_.fits().end() ? std::vector<double>{} : fit->second.spread);
  numbers_.emplace(job_.names.back(), number);
  return number;
}

std::uint32_t JobBuilder::time_of(const std::string& name, double size) {
  if (!times_.is_known(name)) {
    auto& unknown = job_.unknown_names;
    if (std::ranges::find(unknown, name) == unknown.end()) unknown.push_back(name);
    return 0;
  }
  const double ns = std::round(times_.at(name, size));
  if (ns > std::numeric_limits<std::uint32_t>::max())
    throw Error(fmt::format(
        "task '{}' takes {:.3g} s (a node has room for 4.2 s); cut its work into smaller tasks",
        name, 1e-9 * ns));
  return static_cast<std::uint32_t>(ns);
}

/// The number of a graph like this one, which is kept if there is none yet.
std::uint32_t JobBuilder::shared(RankGraph graph) {
  const std::size_t hash = hash_of(graph);
  const auto [first, last] = graphs_.equal_range(hash);
  for (auto it = first; it != last; ++it)
    if (job_.graphs[it->second] == graph) return it->second;
  const auto number = static_cast<std::uint32_t>(job_.graphs.size());
  job_.graphs.push_back(std::move(graph));
  graphs_.emplace(hash, number);
  return number;
}

void JobBuilder::add(const flow::Graph& graph) {
  const std::uint32_t r = graph.rank()();
  THALWEG_EXPECT(job_.ranks[r].graph == no_graph, "a rank has one graph");
  RankGraph rank;
  std::uint32_t n_messages = 0;
  job_.one_communicates =
      graph.model() == flow::Model::bulk || graph.model() == flow::Model::forkjoin;
  if (graph.model() == flow::Model::bulk) job_.n_workers = 1;
  const auto owners = flow::node_owners(graph, job_.n_workers);
  const auto classes = flow::priority_classes(graph);
  const auto sizes = sizes_of_tasks(graph);
  const auto n = static_cast<std::uint32_t>(graph.n_nodes());
  if (classes.n > std::numeric_limits<std::uint16_t>::max())
    throw Error(fmt::format("{} priorities of tasks (a node has room for 65535 of them); use fewer",
                            classes.n));
  rank.n_priority_classes = classes.n;
  rank.base_priority_class = classes.base;
  rank.overlaps = graph.overlaps();
  rank.sources.assign(graph.sources().begin(), graph.sources().end());
  rank.nodes.resize(n + 1);
  rank.edges.reserve(graph.n_edges() + graph.n_wrap_edges());
  for (std::uint32_t t = 0; t < n; ++t) {
    const flow::Node& from = graph.node(TaskId(t));
    const std::string& name = graph.name(TaskId(t));
    JobNode& node = rank.nodes[t];
    node.first_edge = static_cast<std::uint32_t>(rank.edges.size());
    node.n_predecessors = graph.n_predecessors(TaskId(t));
    node.name = number_of(name);
    node.owner = static_cast<std::uint16_t>(owners[t]);
    node.priority_class = static_cast<std::uint16_t>(classes.of_node[t]);
    node.kind = from.kind;
    node.controls_termination = from.controls_termination;
    if (from.kind == NodeKind::task) node.value = time_of(name, sizes[t]);
    if (from.is_message()) {
      node.value = n_messages++;
      const flow::Message& m = graph.message(from.message);
      const bool is_send = from.kind == NodeKind::send;
      const Key key = is_send ? Key{{r, m.peer()}, m.tag()} : Key{{m.peer(), r}, m.tag()};
      (is_send ? sends_ : receives_)[is_send ? r : m.peer()].push_back({key, {t, m.n_bytes}});
    }
    for (const std::uint32_t s : graph.wrap_successors(TaskId(t))) {
      rank.edges.push_back(s | wrap_bit);
      ++rank.nodes[s].n_past;
    }
    rank.edges.insert(rank.edges.end(), graph.successors(TaskId(t)).begin(),
                      graph.successors(TaskId(t)).end());
  }
  rank.nodes[n].first_edge = static_cast<std::uint32_t>(rank.edges.size());
  // Two of these are a connection, so there are fewer of those.
  if (job_.messages.size() + n_messages > std::numeric_limits<std::uint32_t>::max())
    throw Error(
        fmt::format("more than {} sends and receives of all ranks (their numbers have 32 bits); "
                    "predict fewer ranks, or larger blocks",
                    job_.messages.size()));
  job_.ranks[r] = {shared(std::move(rank)), static_cast<std::uint32_t>(job_.messages.size())};
  job_.messages.resize(job_.messages.size() + n_messages);
}

Job JobBuilder::finish() && {
  const auto by_key = [](const auto& end) { return end.first; };
  const auto message_of = [this](std::uint32_t rank, std::uint32_t node) -> std::uint32_t& {
    return job_.messages[job_.ranks[rank].first_message + job_.graph_of(rank).nodes[node].value];
  };
  THALWEG_EXPECT(std::ranges::count(job_.ranks, no_graph, &JobRank::graph) == 0,
                 "each rank has a graph");
  for (std::size_t r = 0; r < job_.ranks.size(); ++r) {
    std::ranges::sort(sends_[r], {}, by_key);
    std::ranges::sort(receives_[r], {}, by_key);
    for (std::size_t i = 0; i < std::max(sends_[r].size(), receives_[r].size()); ++i) {
      if (i == sends_[r].size() || i == receives_[r].size() ||
          sends_[r][i].first != receives_[r][i].first) {
        const bool lacks_send =
            i == sends_[r].size() ||
            (i < receives_[r].size() && receives_[r][i].first < sends_[r][i].first);
        const Key& key = lacks_send ? receives_[r][i].first : sends_[r][i].first;
        throw Error(fmt::format(
            "the message from rank {} to rank {} with tag {} has no {} (so it would wait for "
            "ever); record both",
            key.first.first, key.first.second, key.second, lacks_send ? "send" : "receive"));
      }
      const auto& [key, send] = sends_[r][i];
      const End& receive = receives_[r][i].second;
      if (send.n_bytes != receive.n_bytes)
        throw Error(fmt::format(
            "the message from rank {} to rank {} with tag {} is sent with {} bytes and received "
            "with {} (they must be the same); record one size",
            key.first.first, key.first.second, key.second, send.n_bytes, receive.n_bytes));
      const auto number = static_cast<std::uint32_t>(job_.connections.size());
      job_.connections.push_back(
          {key.first.first, send.node, key.first.second, receive.node, send.n_bytes});
      message_of(key.first.first, send.node) = number;
      message_of(key.first.second, receive.node) = number;
    }
    sends_[r] = {};
    receives_[r] = {};
  }
  if (std::ranges::all_of(job_.spreads, &std::vector<double>::empty)) job_.spreads.clear();
  return std::move(job_);
}

}  // namespace thalweg::predict
