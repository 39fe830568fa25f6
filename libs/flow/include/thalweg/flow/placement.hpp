// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <vector>

#include <thalweg/flow/graph.hpp>

namespace thalweg::flow {

/// Choose the owner of each node: the worker that counts down what it waits for, and runs it unless
/// another one steals it.
///
/// A task has its `preferred_worker`, or else each phase is cut into equal parts; a message lives
/// with the task that packs or unpacks it, or with worker 0 where the model lets only that one
/// communicate.
/// @pre n_workers > 0
std::vector<std::uint32_t> node_owners(const Graph& graph, std::uint32_t n_workers);

/// The priorities of a graph's tasks as dense numbers, which are easier to have queues for.
struct PriorityClasses {
  std::uint32_t n = 1;
  std::uint32_t base = 0;                ///< of the usual priority, 0
  std::vector<std::uint32_t> of_node{};  ///< 0 of what is no task
};
PriorityClasses priority_classes(const Graph& graph);

}  // namespace thalweg::flow
