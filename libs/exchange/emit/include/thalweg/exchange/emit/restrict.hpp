// SPDX-License-Identifier: MIT
#pragma once
#include <string_view>
#include <vector>

#include <thalweg/exchange/emit/gather.hpp>
#include <thalweg/exchange/emit/level_data.hpp>
#include <thalweg/exchange/emit/messages.hpp>
#include <thalweg/exchange/plan/restrict.hpp>
#include <thalweg/flow/recorder.hpp>

namespace thalweg::exchange {

/// Record writing what a plan brings into the valid cells of a level's blocks; the others stay.
///
/// @param name    of the tasks, for traces
/// @param source  as for emit_messages
template <int D, class Source>
void emit_into_interiors(flow::Recorder& recorder, std::string_view name, const LevelData<D>& to,
                         const Transfers<D>& transfers, int message_level, int n_components,
                         const Source& source) {
  Gatherer gather(recorder, transfers,
                  emit_messages(recorder, name, transfers, n_components, message_level, source),
                  source);
  std::vector<flow::Access> accesses;
  for (const auto& block : to.blocks) {
    accesses.assign({{block.interior, flow::Mode::inout}});
    const auto gathered = gather(block.key, block.cells, accesses);
    if (gathered.is_empty()) continue;
    recorder.task(
        name, accesses, [gathered, cells = block.cells](flow::TaskContext&) { gathered(cells); },
        block.task_options());
  }
}

/// Record replacing the coarse cells under a level by the means of its cells.
template <int D>
void emit_restrict(flow::Recorder& recorder, const LevelData<D>& fine, const LevelData<D>& coarse,
                   const RestrictPlan<D>& plan, int ratio, int n_components);

}  // namespace thalweg::exchange
