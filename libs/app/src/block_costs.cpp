// SPDX-License-Identifier: MIT
#include <thalweg/app/block_costs.hpp>

#include <algorithm>
#include <atomic>

#include <thalweg/exchange/emit/task_names.hpp>
#include <thalweg/field/joined_blocks.hpp>

namespace thalweg::app {

std::vector<std::string> names_of_costs() {
  std::vector<std::string> names;
  for (const auto& of : {exchange::task_names::advance, exchange::task_names::predictor})
    for (const auto& [name, n] : of.by_number(field::n_joined_in(3))) names.emplace_back(name);
  return names;
}

void BlockCosts::describe(trace::GraphInfo graph) {
  blocks_.clear();
  numbers_.assign(graph.nodes.size(), none);
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    const trace::NodeInfo& node = graph.nodes[n];
    if (std::ranges::find(names_, graph.names[node.name]) == names_.end()) continue;
    numbers_[n] = static_cast<std::uint32_t>(blocks_.size());
    blocks_.emplace_back(node.level, node.block);
  }
  times_.assign(blocks_.size(), 0);
}

void BlockCosts::record(const trace::Event& event) noexcept {
  if (event.kind == trace::EventKind::task && numbers_[event.node] != none)
    // A node's next replay may run elsewhere before this is recorded.
    std::atomic_ref(times_[numbers_[event.node]])
        .fetch_add(event.end_ns - event.start_ns, std::memory_order_relaxed);
}

void BlockCosts::end_run(std::int64_t) {
  for (std::size_t i = 0; i < blocks_.size(); ++i) costs_[blocks_[i]] += times_[i];
}

}  // namespace thalweg::app
