// SPDX-License-Identifier: MIT
#pragma once
#include <utility>
#include <vector>

#include <thalweg/exchange/emit/gather.hpp>
#include <thalweg/exchange/emit/level_data.hpp>
#include <thalweg/exchange/emit/messages.hpp>
#include <thalweg/exchange/plan/restrict.hpp>
#include <thalweg/flow/recorder.hpp>
#include <thalweg/numerics/restrict.hpp>

namespace thalweg::exchange {

/// Gives the means of the cells of a fine block.
template <int D>
struct MeanSource {
  View<const double, D> fine;
  Box<D> region;  ///< coarse cells
  int ratio;

  void operator()(View<double, D> to) const {
    numerics::restrict_cells<D>(fine, to, region, ratio);
  }
};

/// Record replacing the coarse cells under a level by the means of its cells.
template <int D>
void emit_restrict(flow::Recorder& recorder, const LevelData<D>& fine, const LevelData<D>& coarse,
                   const RestrictPlan<D>& plan, int ratio, int n_components) {
  const auto means = [&fine, ratio](const Copy<D>& copy, std::vector<flow::Access>& accesses) {
    const auto& block = fine.at(copy.src);
    add_access(accesses, {block.interior, flow::Mode::in});
    return MeanSource<D>{block.cells, copy.region, ratio};
  };
  Gatherer gather(
      recorder, plan.transfers,
      emit_messages(recorder, "restrict", plan.transfers, n_components, fine.level, means), means);
  std::vector<flow::Access> accesses;
  for (const auto& block : coarse.blocks) {
    accesses.assign({{block.interior, flow::Mode::inout}});
    const auto gathered = gather(block.key, block.cells, accesses);
    if (gathered.is_empty()) continue;
    recorder.task(
        "restrict", accesses,
        [gathered, cells = block.cells](flow::TaskContext&) { gathered(cells); },
        {.home_worker = block.home_worker, .level = coarse.level, .block = block.key.code});
  }
}

}  // namespace thalweg::exchange
