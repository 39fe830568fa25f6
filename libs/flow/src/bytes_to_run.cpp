// SPDX-License-Identifier: MIT
#include <cstddef>
#include <cstdint>
#include <optional>

#include "engine.hpp"

namespace thalweg::flow {

// What Program and Engine::begin make, list by list.
std::size_t bytes_to_run(const Graph& graph, const ExecutorConfig& config) {
  const std::size_t n_steps = graph.n_nodes() + 2;  // with the gate and the end
  const std::uint32_t depth = graph.overlaps() ? config.depth : 1;
  const detail::ItemCode code(n_steps, depth + 1);
  constexpr std::size_t n_numbers_a_step = 5;  // home, level, past, node, and the step of a node
  const std::size_t n_targets = graph.n_edges() + graph.n_wrap_edges() + 2 * n_steps;
  std::size_t n = n_steps * (sizeof(Step) + sizeof(StepKind)) +
                  (n_steps * n_numbers_a_step + n_targets) * sizeof(std::uint32_t);

  std::size_t n_bytes_an_item = sizeof(std::uint32_t) + sizeof(Item) + sizeof(std::uint8_t);
  if (config.posting == Posting::persistent) n_bytes_an_item += sizeof(std::optional<PreparedId>);
  if (config.sink != nullptr) n_bytes_an_item += sizeof(std::int64_t);
  n += code.size() * n_bytes_an_item;
  n += 2 * n_steps * code.n_slots() * sizeof(Item);  // of all workers' rows together
  n += config.n_workers * graph.n_messages() * depth * sizeof(Ticket);
  n += graph.n_nodes() * depth * (sizeof(Item) + sizeof(TaskId));  // what a picker is offered
  return n;
}

}  // namespace thalweg::flow
