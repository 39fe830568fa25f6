// SPDX-License-Identifier: MIT
#include <thalweg/flow/detail/recording.hpp>

namespace thalweg::flow::detail {

std::size_t Recording::n_bytes() const {
  const auto of = [](const auto& list) { return list.capacity() * sizeof(list[0]); };
  return nodes.n_bytes() + messages.n_bytes() + access_begin.n_bytes() + accesses.n_bytes() +
         of(datum_names) + of(segments) + predecessors.n_bytes() + of(explicit_edges) +
         boundary.n_bytes() + history.n_bytes() + parts.n_bytes() + successors.n_bytes() +
         wraps.n_bytes() + wrap_predecessors.n_bytes() + of(sources);
}

void Recording::clear() {
  nodes.clear();
  messages.clear();
  access_begin.clear();
  accesses.clear();
  datum_names.clear();
  segments.clear();
  predecessors.clear();
  explicit_edges.clear();
  boundary.clear();
  history.clear();
  names.clear();
  parts.clear();
  tags.clear();
  has_termination_node = false;
  successors.clear();
  wraps.clear();
  wrap_predecessors.clear();
  sources.clear();
}

}  // namespace thalweg::flow::detail
