// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <span>

#include <thalweg/core/box.hpp>
#include <thalweg/core/view.hpp>
#include <thalweg/mesh/geometry.hpp>
#include <thalweg/numerics/copy.hpp>
#include <thalweg/numerics/rows.hpp>
#include <thalweg/numerics/scratch.hpp>
#include <thalweg/step/cell_functions.hpp>
#include <thalweg/step/source_terms.hpp>

namespace thalweg::step {

/// What source terms add to the cells of a block in one stage of the method of lines: dt times
/// their rate in the state at the start of the stage.
///
/// The rate of SourceTerms comes from half the difference of a step forwards and one backwards in
/// time: of second order in dt, and exact for a constant acceleration.
/// @threads safe on distinct scratch       @cost no allocation
template <int D>
class StageSource {
 public:
  StageSource(const Box<D>& valid, int n_components) : valid_(valid), n_components_(n_components) {}

  /// Bytes of scratch that evaluate() keeps.
  std::size_t n_bytes() const {
    numerics::Scratch counting;
    counting.take(valid_, n_components_);
    counting.take(valid_, n_components_);
    return counting.n_bytes();
  }
  /// Evaluate the source terms in the cells at the start of a step; returns the scratch that is
  /// left over.
  /// @param source  acts on each cell by itself; may be none
  /// @param rate    of the states around a cell; may be none
  std::span<std::byte> evaluate(const SourceTerms<D>& source, const AddRate<D>& rate,
                                const mesh::Geometry<D>& geometry,
                                const View<const double, D>& cells, const SourceStep& step,
                                std::span<std::byte> scratch) {
    numerics::Scratch pieces(scratch);
    change_ = pieces.take(valid_, n_components_);
    const View<double, D> back = pieces.take(valid_, n_components_);
    if (source) {
      numerics::copy_cells<D>(cells, change_, valid_);
      numerics::copy_cells<D>(cells, back, valid_);
      source(change_, valid_, step);
      source(back, valid_, {step.level, step.time, -step.dt});
      for_each_component_row(change_, back,
                             [](double forth, double of_back) { return 0.5 * (forth - of_back); });
    } else {
      for_each_component_row(change_, change_, [](double, double) { return 0.0; });
    }
    if (rate) rate({geometry, step.level, step.time}, cells, valid_, step.dt, change_);
    return scratch.subspan(n_bytes());
  }
  /// Add the share of it that is the stage's to the cells.
  void add(const View<double, D>& cells, double share) const {
    for_each_component_row(cells, change_,
                           [share](double u, double change) { return u + share * change; });
  }

 private:
  /// to = f(to, from) in all valid cells.
  template <class F>
  void for_each_component_row(const View<double, D>& to, const View<const double, D>& from,
                              F f) const {
    for (int c = 0; c < n_components_; ++c)
      for_each_row(valid_, [&](const Index<D>& row, int n) {
        double* const q = to.at(c, row);
        const double* const other = from.at(c, row);
        numerics::for_each_in_row(n, [=](int i) { q[i] = f(q[i], other[i]); });
      });
  }

  Box<D> valid_;
  int n_components_;
  View<double, D> change_{};
};

}  // namespace thalweg::step
