// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>

#include <thalweg/core/box.hpp>
#include <thalweg/core/vec.hpp>
#include <thalweg/core/view.hpp>
#include <thalweg/numerics/const_view.hpp>
#include <thalweg/numerics/copy.hpp>
#include <thalweg/numerics/scratch.hpp>
#include <thalweg/numerics/signal.hpp>

namespace thalweg::step {

/// When source terms act, and on cells of which level.
struct SourceStep {
  int level;
  double time;  ///< at the start
  double dt;    ///< negative: backwards
};

/// Advances the cells of a region by dt under the source terms alone, each cell by itself, ghost
/// cells outside the domain too. A pure function, called from any worker.
template <int D>
using SourceTerms =
    std::function<void(const View<double, D>& cells, const Box<D>& region, const SourceStep& step)>;

/// By how much source terms alone raise the largest signal of a block in step.dt, over that time; 0
/// where they do not.
///
/// The signal of a cell under a constant acceleration is a convex function of time: until the end
/// of the step none is above what grows so from `signal`.
/// @param  signal   the largest now [1/time]
/// @param  scratch  as large as what StageSource keeps
/// @units  1/time^2   @threads safe on distinct scratch
template <numerics::HyperbolicSystem System, int D = System::dim>
double signal_growth(const System& system, const SourceTerms<D>& source,
                     numerics::ConstView<D> cells, const Box<D>& valid, const Vec<D>& dx,
                     double signal, const SourceStep& step, std::span<std::byte> scratch) {
  const View<double, D> after = numerics::Scratch(scratch).take(valid, cells.n_components());
  numerics::copy_cells<D>(cells, after, valid);
  source(after, valid, step);
  return std::max(0.0, (numerics::max_signal(system, after, valid, dx) - signal) / step.dt);
}

}  // namespace thalweg::step
