// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <span>

#include <thalweg/core/box.hpp>
#include <thalweg/core/view.hpp>
#include <thalweg/exchange/emit/fill.hpp>
#include <thalweg/numerics/copy.hpp>
#include <thalweg/numerics/scratch.hpp>
#include <thalweg/step/source_terms.hpp>

namespace thalweg::step {

/// Source terms that act for half a step before a scheme and for the other half after it.
/// @source  Strang, SIAM J. Numer. Anal. 5 (1968) 506
/// @threads safe on distinct scratch       @cost no allocation
template <int D>
struct SplitSource {
  const SourceTerms<D>& source;
  const exchange::FillContext<D>& boundary;  ///< when the source has acted on all ghost cells
  SourceStep half;                           ///< the first half of the step

  /// Let the first half act on a region, ghost cells within; outside the domain the cells are then
  /// the mirror image of what is before them now.
  void act_before(const View<double, D>& cells, const Box<D>& region) const {
    source(cells, region, half);
    boundary.fill_boundaries(cells, half.level);
  }
  void act_after(const View<double, D>& cells, const Box<D>& valid) const {
    source(cells, valid, {half.level, half.time + half.dt, half.dt});
  }

  /// Bytes of scratch that start_of_scheme() keeps, of a state with a layer of ghost cells.
  static std::size_t scratch_bytes(const Box<D>& valid, int n_components) {
    numerics::Scratch counting;
    counting.take(valid.grown(1), n_components);
    return counting.n_bytes();
  }
  /// The state from which the scheme went in an earlier stage, once more; in scratch.
  /// @param start  the state at the start of the step
  View<const double, D> start_of_scheme(const View<const double, D>& start,
                                        std::span<std::byte> scratch) const {
    const View<double, D> cells =
        numerics::Scratch(scratch).take(start.box(), start.n_components());
    numerics::copy_cells<D>(start, cells, start.box());
    act_before(cells, start.box());
    return cells;
  }
};

}  // namespace thalweg::step
