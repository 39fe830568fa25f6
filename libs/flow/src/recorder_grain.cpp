// SPDX-License-Identifier: MIT
// Several tasks as one node.
#include <algorithm>

#include <thalweg/flow/recorder.hpp>

namespace thalweg::flow {

// Nothing can wait for the last node yet, so a task that joins it closes no cycle on this rank.
bool Recorder::can_join_last(const Node& node) const {
  if (n_joined_ == 0 || n_joined_ >= config().grain) return false;
  const Node& last = recording_.nodes.back();
  return !node.controls_termination && !last.controls_termination && node.name == last.name &&
         node.preferred_worker == last.preferred_worker && node.level == last.level &&
         node.priority == last.priority;
}

TaskId Recorder::join_last(const Node& node, std::span<const Access> accesses) {
  Node& last = recording_.nodes.back();
  using Part = detail::FusedBodies::Part;
  if (n_joined_ == 1) {
    const detail::FusedBodies fused{recording_.parts.bodies.make_array<Part>(4), 1};
    fused.parts[0] = {.object = last.body, .invoke = last.invoke, .block = last.block};
    last.body = recording_.parts.bodies.make(fused);
    last.invoke = &detail::FusedBodies::invoke;
  }
  auto& fused = *static_cast<detail::FusedBodies*>(last.body);
  if (fused.n == fused.parts.size()) {
    const auto more = recording_.parts.bodies.make_array<Part>(2 * fused.parts.size());
    std::ranges::copy(fused.parts, more.begin());
    fused.parts = more;
  }
  const auto task = static_cast<std::uint32_t>(n_tasks() - 1);
  const bool uses_others = add_accesses(task, accesses);
  fused.parts[fused.n++] = {
      .object = node.body, .invoke = node.invoke, .block = node.block, .uses_others = uses_others};
  last.cost += node.cost;
  ++n_joined_;
  return TaskId(task);
}

}  // namespace thalweg::flow
