// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
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
/// time: of second order in dt, and exact for a constant acceleration. Where the two differ in more
/// than their sign that is no rate: source terms are stiff, or cannot go backwards.
/// @threads safe on distinct scratch       @cost no allocation
template <int D>
class StageSource {
 public:
  StageSource(const Box<D>& valid, int n_components) : valid_(valid), n_components_(n_components) {}

  /// Bytes of scratch that evaluate() keeps.
  static std::size_t scratch_bytes(const Box<D>& valid, int n_components) {
    numerics::Scratch counting;
    counting.take(valid, n_components);
    counting.take(valid, n_components);
    counting.take(valid, 1);
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
    const View<double, D> is_unresolved = pieces.take(valid_, 1);
    if (source) {
      numerics::copy_cells<D>(cells, change_, valid_);
      numerics::copy_cells<D>(cells, back, valid_);
      source(change_, valid_, step);
      source(back, valid_, {step.level, step.time, -step.dt});
      n_unresolved_ = find_change(cells, back, is_unresolved);
    } else {
      for_each_component_row(change_, change_, [](double, double) { return 0.0; });
    }
    if (rate) rate({geometry, step.level, step.time}, cells, valid_, step.dt, change_);
    return scratch.subspan(scratch_bytes(valid_, n_components_));
  }
  /// In how many cells what evaluate() found may be no rate: a step forwards and one backwards
  /// differ by more than their mean change and a hundredth of the state, or only one changes it.
  std::int64_t n_unresolved() const { return n_unresolved_; }
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

  // Where source terms have taken the cells forwards, and back in time: the change that is half of
  // what is between. @return n_unresolved()
  std::int64_t find_change(const View<const double, D>& cells, const View<const double, D>& back,
                           const View<double, D>& is_unresolved) const {
    double n_cells = 0;
    for_each_row(valid_, [&](const Index<D>& row, int n) {
      double* const unresolved = is_unresolved.at(0, row);
      std::fill_n(unresolved, n, 0.0);
      for (int c = 0; c < n_components_; ++c) {
        double* const change = change_.at(c, row);
        const double* const u = cells.at(c, row);
        const double* const of_back = back.at(c, row);
        numerics::for_each_in_row(n, [=](int i) {
          const double between = change[i] - of_back[i];
          const double bend = std::abs((change[i] - u[i]) + (of_back[i] - u[i]));
          const double least = (of_back[i] == u[i] ? 1e-10 : 0.01) * std::abs(u[i]);
          const bool is_rate = bend <= 0.5 * std::abs(between) || bend <= least;
          unresolved[i] = is_rate ? unresolved[i] : 1.0;
          change[i] = 0.5 * between;
        });
      }
      n_cells = std::accumulate(unresolved, unresolved + n, n_cells);
    });
    return static_cast<std::int64_t>(n_cells);
  }

  Box<D> valid_;
  int n_components_;
  View<double, D> change_{};
  std::int64_t n_unresolved_ = 0;
};

}  // namespace thalweg::step
