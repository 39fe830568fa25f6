// SPDX-License-Identifier: MIT
// What tasks contribute to a datum, and the nodes that combine it.
#include <thalweg/flow/recorder.hpp>

namespace thalweg::flow {

Recorder::OpenReduction& Recorder::open_reduction(DatumId target, std::type_index kind) {
  require_open();
  const Access access{target, Mode::inout};
  if (!nests_.empty()) check_declared("reduce", {&access, 1});
  const auto found = reductions_.find(target);
  if (found != reductions_.end() && found->second.kind == kind) return found->second;
  if (found != reductions_.end()) close_reduction(target);  // of another operation
  return reductions_.emplace(target, OpenReduction{kind, {}, {access}}).first->second;
}

void Recorder::close_reduction(DatumId target) {
  const auto node = reductions_.extract(target);
  const OpenReduction& open = node.mapped();
  add_node({.invoke = open.combiner.invoke,
            .body = open.combiner.object,
            .name = recording_.names.intern("reduce"),
            .kind = NodeKind::task},
           open.accesses);
}

void Recorder::close_reductions_of(std::span<const Access> accesses) {
  for (const Access& access : accesses)
    if (reductions_.contains(access.datum)) close_reduction(access.datum);
}

void Recorder::close_all_reductions() {
  while (!reductions_.empty()) close_reduction(reductions_.begin()->first);
}

}  // namespace thalweg::flow
