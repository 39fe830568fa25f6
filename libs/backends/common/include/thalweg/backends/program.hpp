// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <thalweg/flow/graph.hpp>

namespace thalweg::backends {

/// One thing that tasks are ordered by, and whether a task writes it.
struct PieceUse {
  std::uint32_t piece;
  bool is_written;

  bool operator==(const PieceUse&) const = default;
};

/// A graph as a program that submits tasks one by one, as users of other runtimes write it.
///
/// Whoever submits the tasks in this order, with these uses, and waits for all between groups, has
/// them run in an order the graph allows. Pieces are the data, cut where accesses are to parts of
/// them, then one for every task that others come `after`: it writes that, they read it; then one
/// that the task that controls termination writes.
class Program {
 public:
  /// @pre the graph has no cycle
  explicit Program(const flow::Graph& graph);

  std::size_t n_pieces() const { return n_pieces_; }
  /// What orders a task; each piece once, in ascending order.
  std::span<const PieceUse> uses(std::uint32_t task) const {
    return {uses_.data() + begin_[task], uses_.data() + begin_[task + 1]};
  }
  /// Tasks and messages between two barriers, in the order to submit them.
  std::span<const std::uint32_t> group(std::size_t i) const {
    return {order_.data() + groups_[i], order_.data() + groups_[i + 1]};
  }
  std::size_t n_groups() const { return groups_.size() - 1; }
  /// The piece that the task that controls termination writes, if there is one.
  std::optional<std::uint32_t> decision() const { return decision_; }

 private:
  void find_order(const flow::Graph& graph);
  void find_uses(const flow::Graph& graph);

  std::size_t n_pieces_ = 0;
  std::vector<std::uint32_t> begin_{0};
  std::vector<PieceUse> uses_;
  std::vector<std::uint32_t> order_;
  std::vector<std::size_t> groups_{0};
  std::optional<std::uint32_t> decision_;
};

}  // namespace thalweg::backends
