// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <thalweg/exchange/emit/level_data.hpp>
#include <thalweg/flow/recorder.hpp>
#include <thalweg/step/cell_functions.hpp>
#include <thalweg/step/equations.hpp>

namespace thalweg::step {

/// Fail where a state is none of the equations, or not finite. @errors throws std::runtime_error
template <int D>
void check_initial(const Equations<D>& equations, const View<const double, D>& cells,
                   const Box<D>& valid, int level) {
  auto wrong = equations.find_inadmissible(cells, valid);
  std::vector<double> values(static_cast<std::size_t>(cells.n_components()));
  const auto read = [&](const Index<D>& i) {
    for (int c = 0; c < cells.n_components(); ++c)
      values[static_cast<std::size_t>(c)] = cells[c, i];
  };
  if (!wrong)
    for_each(valid, [&](const Index<D>& i) {
      read(i);
      if (!wrong && !std::ranges::all_of(values, [](double x) { return std::isfinite(x); }))
        wrong = i;
    });
  if (!wrong) return;
  read(*wrong);
  std::vector<std::string> words;
  for (const double x : values)
    words.push_back(std::isnan(x) ? "not a number" : fmt::format("{:g}", x));
  throw std::runtime_error(fmt::format(
      "initial state (step 0): cell ({}) on level {} would be ({}), which is no state of the "
      "equations; check what the deck says of the problem",
      fmt::join(wrong->at, ", "), level, fmt::join(words, ", ")));
}

/// Record setting the initial state of all blocks, one task a block.
/// @errors the task of a block with a cell that is no state of the equations fails, and names it
template <int D>
void record_initial(flow::Recorder& recorder, const mesh::Geometry<D>& geometry,
                    std::shared_ptr<const Equations<D>> equations,
                    const std::vector<exchange::LevelData<D>>& levels, const SetCells<D>& initial,
                    double time) {
  const auto shared = std::make_shared<const SetCells<D>>(initial);
  recorder.phase("initial state", flow::PhaseKind::level);
  for (const auto& level : levels)
    for (const auto& block : level.blocks)
      recorder.task("initial state", std::array{flow::Access{block.interior, flow::Mode::out}},
                    [shared, &geometry, equations, time, l = level.level, cells = block.cells,
                     valid = block.valid](flow::TaskContext&) {
                      (*shared)({geometry, l, time}, cells, valid);
                      check_initial<D>(*equations, cells, valid, l);
                    },
                    {.preferred_worker = block.preferred_worker,
                     .level = level.level,
                     .block = block.key.code});
}

}  // namespace thalweg::step
