// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cmath>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>

#include <thalweg/exchange/emit/level_data.hpp>
#include <thalweg/flow/recorder.hpp>
#include <thalweg/numerics/system.hpp>
#include <thalweg/step/cell_functions.hpp>

namespace thalweg::step {

/// Fail where a state is none of the system, or not finite. @errors throws std::runtime_error
template <class System, int D = System::dim>
void check_initial(const System& system, const View<const double, D>& cells, const Box<D>& valid,
                   int level) {
  using State = typename System::State;
  for_each(valid, [&](const Index<D>& i) {
    const auto state = numerics::load<State>(cells.at(0, i), cells.component_stride());
    bool is_finite = true;
    std::array<double, static_cast<std::size_t>(System::n_components)> values;
    for (std::size_t c = 0; c < values.size(); ++c) {
      values[c] = numerics::component(state, c);
      is_finite = is_finite && std::isfinite(values[c]);
    }
    if (is_finite && system.admissible(state)) return;
    throw std::runtime_error(fmt::format(
        "initial state (step 0): cell ({}) on level {} would be ({:g}), which is no state of the "
        "equations; check what the deck says of the problem",
        fmt::join(i.at, ", "), level, fmt::join(values, ", ")));
  });
}

/// Record setting the initial state of all blocks, one task a block.
/// @errors the task of a block with a cell that is no state of the system fails, and names it
template <class System, int D = System::dim>
void record_initial(flow::Recorder& recorder, const mesh::Geometry<D>& geometry,
                    const System& system, const std::vector<exchange::LevelData<D>>& levels,
                    const InitialState<typename System::State, D>& initial, double time) {
  const auto shared = std::make_shared<const InitialState<typename System::State, D>>(initial);
  recorder.phase("initial state", flow::PhaseKind::level);
  for (const auto& level : levels)
    for (const auto& block : level.blocks)
      recorder.task("initial state", std::array{flow::Access{block.interior, flow::Mode::out}},
                    [shared, &geometry, system, time, l = level.level, cells = block.cells,
                     valid = block.valid](flow::TaskContext&) {
                      (*shared)({geometry, l, time}, cells, valid);
                      check_initial(system, View<const double, D>(cells), valid, l);
                    },
                    {.preferred_worker = block.preferred_worker,
                     .level = level.level,
                     .block = block.key.code});
}

}  // namespace thalweg::step
