// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <utility>

#include <thalweg/numerics/const_view.hpp>
#include <thalweg/numerics/detail/row_buffer.hpp>
#include <thalweg/numerics/detail/sweep_workspace.hpp>
#include <thalweg/numerics/detail/to_primitive.hpp>
#include <thalweg/numerics/detail/weight.hpp>
#include <thalweg/numerics/row_kernels.hpp>
#include <thalweg/numerics/rows.hpp>
#include <thalweg/numerics/scheme.hpp>

namespace thalweg::numerics::detail {

/// Half-open range of indices along x.
struct Range {
  int lo;
  int hi;

  bool is_empty() const { return hi <= lo; }
  int size() const { return std::max(0, hi - lo); }
};

/// The smallest range that holds both.
inline Range hull(Range a, Range b) {
  if (a.is_empty()) return b;
  if (b.is_empty()) return a;
  return {std::min(a.lo, b.lo), std::max(a.hi, b.hi)};
}

/// The part of a row within `reach` of the valid cells along one axis only, straight out.
///
/// The corrector reads nothing else, and this leaves out a tenth of the cells of a 16^3 block.
template <int D>
Range row_of_cross(const Box<D>& valid, int reach, const Index<D>& row) {
  int n_outside = 0;
  for (int a = 1; a < D; ++a) {
    if (row[a] < valid.lo[a] - reach || row[a] >= valid.hi[a] + reach) return {0, 0};
    n_outside += row[a] < valid.lo[a] || row[a] >= valid.hi[a];
  }
  if (n_outside > 1) return {0, 0};
  const int grow = n_outside == 0 ? reach : 0;
  return {valid.lo[0] - grow, valid.hi[0] + grow};
}

/// Numbers of a row of cells or faces.
template <class Number>
struct ComponentRow {
  Number* data;
  std::ptrdiff_t stride;  ///< from component to component
};

/// half = before - c (f_hi - f_lo) for one row.
template <class State>
void add_difference(int n, double c, const ComponentRow<const double>& f_lo,
                    const ComponentRow<const double>& f_hi,
                    const ComponentRow<const double>& before, const ComponentRow<double>& half) {
  // All components in one loop: in blocks of 8 cells a side rows are as short as loops take to
  // begin and end.
  for_each_in_row(n, [=](int i) {
    store(map_components([c](double u, double hi, double lo) { return u - c * (hi - lo); },
                         load<State>(before.data + i, before.stride),
                         load<State>(f_hi.data + i, f_hi.stride),
                         load<State>(f_lo.data + i, f_lo.stride)),
          half.data + i, half.stride);
  });
}

/// Turn a row of half-step states into primitive variables; inadmissible ones into the old ones,
/// which is counted.
template <class System>
void finish_row(const System& equations, int n, const double* old, std::ptrdiff_t old_stride,
                double* half, std::ptrdiff_t half_stride, double* replaced) {
  using State = typename System::State;
  using Primitive = typename System::Primitive;
  for_each_in_row(n, [=, system = equations](int i) {
    const State u = load<State>(half + i, half_stride);
    const bool is_good = system.admissible(u);
    store(map_components([=](double a, double b) { return is_good ? a : b; },
                         system.to_primitive(u), load<Primitive>(old + i, old_stride)),
          half + i, half_stride);
    replaced[i] += is_good ? 0.0 : 1.0;
  });
}

/// Makes the primitive states half a step on, in the cells that the corrector reads: those within
/// `reach` of the valid ones along one axis.
template <class System>
class Predictor {
  static constexpr int D = System::dim;
  using State = typename System::State;

 public:
  Predictor(const RowKernels<System>& kernels, ConstView<D> u, const Box<D>& valid, int reach,
            StepSize<D> step, const SweepWorkspace<D>& work)
      : kernels_(kernels), u_(u), valid_(valid), reach_(reach), step_(step), work_(work) {}

  /// Fill work.old and work.half.
  void predict() const {
    convert_to_primitive(kernels_.system, u_, work_.old);
    add_along_x();
    for (int a = 1; a < D; ++a) add_along(a);
    finish();
  }

 private:
  /// Start the half-step state with the donor-cell flux differences along x.
  void add_along_x() const {
    const double c = 0.5 * step_.dt / step_.dx[0];
    const RowBuffer& flux = work_.rows[0];
    for_each_row(work_.half.box(), [&](Index<D> row, int) {
      const Range cells = row_of_cross(valid_, reach_, row);
      if (cells.is_empty()) return;
      row[0] = cells.lo;
      solve(0, row, cells.size() + 1, flux.data, flux.stride);
      add_difference<State>(cells.size(), c, {flux.data, flux.stride}, {flux.data + 1, flux.stride},
                            {u_.at(0, row), u_.component_stride()}, half_at(row));
    });
  }

  /// Add the donor-cell flux differences along an axis other than x to the half-step state.
  void add_along(int axis) const {
    const double c = 0.5 * step_.dt / step_.dx[axis];
    RowBuffer lower = work_.rows[0];
    RowBuffer upper = work_.rows[1];
    for_each_row_along(axis, faces_of(work_.half.box(), axis), [&](Index<D> row) {
      Index<D> below = row - Index<D>::unit(axis);
      const Range cells = row_of_cross(valid_, reach_, below);
      const Range faces = hull(cells, row_of_cross(valid_, reach_, row));
      if (faces.is_empty()) return;
      std::swap(lower, upper);
      row[0] = faces.lo;
      solve(axis, row, faces.size(), upper.at(faces.lo), upper.stride);
      if (cells.is_empty()) return;
      below[0] = cells.lo;
      const ComponentRow<double> half = half_at(below);
      add_difference<State>(cells.size(), c, {lower.at(cells.lo), lower.stride},
                            {upper.at(cells.lo), upper.stride}, {half.data, half.stride}, half);
    });
  }

  ComponentRow<double> half_at(const Index<D>& row) const {
    return {work_.half.at(0, row), work_.half.component_stride()};
  }

  /// The donor-cell fluxes through the lower faces of n cells of a row; cells are lifted to the
  /// faces by the weight of the gas.
  void solve(int axis, const Index<D>& row, int n, double* flux, std::ptrdiff_t stride) const {
    const double* const w = work_.old.at(0, row);
    const double* const below = w - work_.old.stride(axis);
    const std::ptrdiff_t w_stride = work_.old.component_stride();
    const auto solve_faces = kernels_.fluxes[static_cast<std::size_t>(axis)];
    const System& system = kernels_.system;
    if constexpr (GravitySystem<System>)
      if (const double half = 0.5 * step_.dx[axis] * acceleration_along(system, axis); half != 0) {
        const auto& [l, r] = work_.weighed;
        const std::ptrdiff_t rho = System::density_at * w_stride;
        add_weight(system, n, half, below + rho, below, w_stride, l.data, l.stride);
        add_weight(system, n, -half, w + rho, w, w_stride, r.data, r.stride);
        return solve_faces(system, n, l.data, l.stride, r.data, r.stride, flux, stride);
      }
    solve_faces(system, n, below, w_stride, w, w_stride, flux, stride);
  }

  /// Let gravity act for half the step and turn the half-step state into primitive variables; where
  /// it is inadmissible, take the old one.
  void finish() const {
    for_each_row(work_.half.box(), [&](Index<D> row, int) {
      const Range cells = row_of_cross(valid_, reach_, row);
      if (cells.is_empty()) return;
      row[0] = cells.lo;
      const double* const old = work_.old.at(0, row);
      const std::ptrdiff_t old_stride = work_.old.component_stride();
      const ComponentRow<double> half = half_at(row);
      if constexpr (GravitySystem<System>)
        if (has_gravity(kernels_.system))
          add_gravity_row(kernels_.system, cells.size(), 0.5 * step_.dt, 0.5, old, old_stride,
                          half.data, half.stride);
      finish_row(kernels_.system, cells.size(), old, old_stride, half.data, half.stride,
                 work_.replaced.counts());
    });
  }

  const RowKernels<System>& kernels_;
  ConstView<D> u_;
  Box<D> valid_;
  int reach_;
  StepSize<D> step_;
  const SweepWorkspace<D>& work_;
};

}  // namespace thalweg::numerics::detail
