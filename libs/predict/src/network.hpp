// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include <thalweg/predict/job.hpp>
#include <thalweg/predict/machine.hpp>

#include "duration.hpp"

namespace thalweg::predict {

/// When messages arrive, with what other messages take of the way.
///
/// A node sends one message after another, and receives one after another; so does a group of
/// nodes. The way is taken in the order in which messages start, also where one that starts later
/// would reach a place earlier.
class Network {
 public:
  Network(const Machine& machine, std::size_t n_ranks) : machine_(machine) {
    const std::size_t n_nodes = node_of(static_cast<std::uint32_t>(n_ranks - 1)) + 1;
    out_free_.resize(n_nodes, 0);
    in_free_.resize(n_nodes, 0);
    if (machine.nodes_per_group > 0) {
      const std::size_t n_groups = group_of(static_cast<std::uint32_t>(n_nodes - 1)) + 1;
      group_out_free_.resize(n_groups, 0);
      group_in_free_.resize(n_groups, 0);
    }
  }

  const Link& link(const Connection& c) const {
    return is_local(c) ? machine_.memory : machine_.network;
  }
  /// What a worker pays for one end of a message [ns].
  std::int64_t overhead_ns(const Connection& c) const {
    const Link& l = link(c);
    return whole_ns(l.overhead_ns + l.overhead_ns_per_byte * static_cast<double>(c.n_bytes));
  }
  std::int64_t latency_ns(const Connection& c) const { return whole_ns(link(c).latency_ns); }
  /// From its first byte's start to its last one's [ns].
  std::int64_t length_ns(const Connection& c) const {
    return whole_ns(link(c).ns_per_byte * static_cast<double>(c.n_bytes));
  }

  /// From its first byte's start until its last one is there, with nothing else on the way [ns]:
  /// the slower of the node's and the group's bandwidth counts.
  std::int64_t way_ns(const Connection& c) const {
    return std::max(length_ns(c), group_length_ns(c)) + latency_ns(c);
  }

  struct Times {
    std::int64_t left_ns;     ///< the sender's node is free again
    std::int64_t arrived_ns;  ///< the last byte is there
  };
  /// Send a message now. Calls in the order of time.
  Times send(const Connection& c, std::int64_t now_ns) {
    const Link& l = link(c);
    const std::int64_t length = length_ns(c);
    const std::int64_t latency = latency_ns(c);
    if (is_local(c)) return {now_ns + length, now_ns + length + latency};
    const std::int64_t busy = std::max<std::int64_t>(length, whole_ns(l.gap_ns));
    const std::uint32_t from = node_of(c.from_rank), to = node_of(c.to_rank);
    std::int64_t start = take(out_free_[from], now_ns, busy);
    const std::int64_t left = start + length;
    const std::int64_t busy_group = group_length_ns(c);
    if (leaves_group(from, to)) {
      start = take(group_out_free_[group_of(from)], start, busy_group);
      start = take(group_in_free_[group_of(to)], start, busy_group);
    }
    start = take(in_free_[to], start + latency, busy);
    return {left, start + std::max(length, busy_group)};
  }

 private:
  /// Take something that is free from some time on, for so long; when that begins.
  static std::int64_t take(std::int64_t& free_ns, std::int64_t from_ns, std::int64_t for_ns) {
    const std::int64_t start = std::max(free_ns, from_ns);
    free_ns = std::min(start + for_ns, 2 * longest_ns);
    return start;
  }
  /// How long a message takes the way out of, and into, a group; 0 within one.
  std::int64_t group_length_ns(const Connection& c) const {
    if (!leaves_group(node_of(c.from_rank), node_of(c.to_rank))) return 0;
    return whole_ns(machine_.group_ns_per_byte * static_cast<double>(c.n_bytes));
  }
  bool leaves_group(std::uint32_t from_node, std::uint32_t to_node) const {
    return machine_.nodes_per_group > 0 && group_of(from_node) != group_of(to_node);
  }
  std::uint32_t node_of(std::uint32_t rank) const {
    return rank / static_cast<std::uint32_t>(machine_.ranks_per_node);
  }
  std::uint32_t group_of(std::uint32_t node) const {
    return node / static_cast<std::uint32_t>(machine_.nodes_per_group);
  }
  bool is_local(const Connection& c) const { return node_of(c.from_rank) == node_of(c.to_rank); }

  const Machine& machine_;
  // From when on each node's, and group's, way out and in is free [ns].
  std::vector<std::int64_t> out_free_, in_free_, group_out_free_, group_in_free_;
};

}  // namespace thalweg::predict
