// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <thalweg/core/joined_text.hpp>
#include <thalweg/exchange/emit/level_data.hpp>
#include <thalweg/flow/recorder.hpp>
#include <thalweg/numerics/rows.hpp>
#include <thalweg/step/cell_functions.hpp>
#include <thalweg/step/detail/state_words.hpp>
#include <thalweg/step/equations.hpp>

namespace thalweg::step {

namespace detail {

/// The first cell, along x, y, z, with a component that is not finite.
template <int D>
std::optional<Index<D>> find_not_finite(const View<const double, D>& cells, const Box<D>& valid) {
  const auto is_finite = [](double x) { return std::abs(x) <= std::numeric_limits<double>::max(); };
  std::optional<Index<D>> found;
  for_each_row(valid, [&](const Index<D>& row, int n) {
    int first = n;
    for (int c = 0; c < cells.n_components(); ++c) {
      const auto is_bad = [q = cells.at(c, row), is_finite](int i) { return !is_finite(q[i]); };
      if (!numerics::any_in_row(n, is_bad)) continue;
      for (int i = 0; i < first; ++i)
        if (is_bad(i)) first = i;
    }
    if (found || first == n) return;
    found = row;
    (*found)[0] += first;
  });
  return found;
}

}  // namespace detail

/// What is wrong with the state of a block of a level that a run is to begin with: the first cell
/// that is inadmissible, or not finite; none if nothing is.
template <int D>
std::optional<std::string> objection_to_state(const Equations<D>& equations,
                                              const View<const double, D>& cells,
                                              const Box<D>& valid, int level) {
  auto wrong = equations.find_inadmissible(cells, valid);
  if (!wrong) wrong = detail::find_not_finite(cells, valid);
  if (!wrong) return std::nullopt;
  return fmt::format(
      "cell ({}) on level {} would be ({}), which is not admissible (it must have {})",
      joined_text(wrong->at), level,
      detail::state_words(equations.component_names(), cells, *wrong),
      numerics::and_finite(equations.admissible_states()));
}

/// The same of the initial state.
template <int D>
std::optional<std::string> objection_to_initial(const Equations<D>& equations,
                                                const View<const double, D>& cells,
                                                const Box<D>& valid, int level) {
  const auto wrong = objection_to_state(equations, cells, valid, level);
  if (!wrong) return std::nullopt;
  return fmt::format("initial state (step 0): {}; check what the deck says of the problem", *wrong);
}

/// Whether a block of a level has an admissible initial state. @threads called by all workers
template <int D>
using CheckCells =
    std::function<bool(const View<const double, D>& cells, const Box<D>& valid, int level)>;

/// Record setting the initial state of all blocks, one task a block.
/// @param check  is called with each block when it is set; lives as long as the graph
template <int D>
void record_initial(flow::Recorder& recorder, const mesh::Geometry<D>& geometry,
                    const std::vector<exchange::LevelData<D>>& levels, const SetCells<D>& initial,
                    const CheckCells<D>& check, double time) {
  const auto shared = std::make_shared<const SetCells<D>>(initial);
  recorder.phase("initial state", flow::PhaseKind::level);
  for (const auto& level : levels)
    for (const auto& block : level.blocks)
      recorder.task(
          "initial state", std::array{flow::Access{block.interior, block.sets()}},
          [shared, &geometry, &check, time, l = level.level, cells = block.cells,
           valid = block.valid](flow::TaskContext&) {
            (*shared)({geometry, l, time}, cells, valid);
            check(cells, valid, l);
          },
          block.task_options());
}

}  // namespace thalweg::step
