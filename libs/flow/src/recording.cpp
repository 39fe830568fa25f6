// SPDX-License-Identifier: MIT
#include <thalweg/flow/detail/recording.hpp>

namespace thalweg::flow::detail {

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
  sections.clear();
  section_of_key.clear();
  has_decider = false;
  successors.clear();
  wraps.clear();
  wrap_predecessors.clear();
  sources.clear();
}

}  // namespace thalweg::flow::detail
