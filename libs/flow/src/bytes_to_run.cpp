// SPDX-License-Identifier: MIT
#include <cstddef>
#include <cstdint>
#include <optional>

#include "engine.hpp"

namespace thalweg::flow {

// What Program and Engine::begin make, list by list.
std::size_t bytes_to_run(const Graph& graph, const ExecutorConfig& config) {
  const std::size_t n_exec_nodes = graph.n_nodes() + 2;  // with the token and the end
  const std::uint32_t depth = graph.overlaps() ? config.depth : 1;
  const detail::ItemCode code(n_exec_nodes, depth + 1);
  constexpr std::size_t n_numbers_a_node =
      5;  // owner, priority class, past, node, and the index of a node
  const std::size_t n_targets = graph.n_edges() + graph.n_wrap_edges() + 2 * n_exec_nodes;
  std::size_t n = n_exec_nodes * (sizeof(ExecNode) + sizeof(ExecKind)) +
                  (n_exec_nodes * n_numbers_a_node + n_targets) * sizeof(std::uint32_t);

  if (config.n_workers > 1)  // joins: who is before a node, and where a node's begin
    n += (graph.n_edges() + graph.n_sinks() + 3 * n_exec_nodes) * sizeof(std::uint32_t);

  std::size_t n_bytes_an_item = sizeof(std::uint32_t) + sizeof(Item) + sizeof(std::uint8_t);
  if (config.posting == Posting::persistent && graph.n_messages() != 0)
    n_bytes_an_item += sizeof(std::optional<PreparedId>);
  if (config.sink != nullptr) n_bytes_an_item += sizeof(std::int64_t);
  n += code.size() * n_bytes_an_item;
  n += 2 * n_exec_nodes * code.n_slots() * sizeof(Item);  // of all workers' ready stacks together
  n += config.n_workers * graph.n_messages() * depth * sizeof(Ticket);
  if (config.picker != nullptr)  // what it is offered
    n += graph.n_nodes() * depth * (sizeof(Item) + sizeof(TaskId));
  return n;
}

}  // namespace thalweg::flow
