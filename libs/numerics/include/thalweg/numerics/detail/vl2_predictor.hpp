// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <type_traits>
#include <utility>

#include <thalweg/numerics/const_view.hpp>
#include <thalweg/numerics/detail/flux_row.hpp>
#include <thalweg/numerics/detail/to_primitive.hpp>
#include <thalweg/numerics/detail/vl2_workspace.hpp>
#include <thalweg/numerics/rows.hpp>

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

/// half = u - c (f_hi - f_lo) for one row of one component, or half -= ... after the first axis.
template <bool is_first>
void add_difference(int n, double c, const double* f_lo, const double* f_hi, const double* u,
                    double* half) {
  for_each_in_row(n, [=](int i) {
    const double before = is_first ? u[i] : half[i];
    half[i] = before - c * (f_hi[i] - f_lo[i]);
  });
}

/// Add the donor-cell flux differences along x to the half-step state.
template <class Scheme, int D = Scheme::dim>
void predict_along_x(const Scheme& scheme, ConstView<D> u, const Box<D>& valid, double c,
                     const Vl2Workspace<Scheme>& work) {
  const RowBuffer& flux = work.rows[0];
  for_each_row(work.half.box(), [&](Index<D> row, int) {
    const Range cells = row_of_cross(valid, Scheme::reach, row);
    if (cells.is_empty()) return;
    row[0] = cells.lo;
    const double* const w = work.old.at(0, row);
    flux_row(scheme, std::integral_constant<int, 0>{}, cells.size() + 1, w - 1,
             work.old.component_stride(), w, work.old.component_stride(), flux.data, flux.stride);
    for (int k = 0; k < Scheme::n_components; ++k) {
      const double* const f = flux.data + k * flux.stride;
      add_difference<true>(cells.size(), c, f, f + 1, u.at(k, row), work.half.at(k, row));
    }
  });
}

/// Add the donor-cell flux differences along an axis other than x to the half-step state.
template <class Scheme, int Axis, int D = Scheme::dim>
void predict_along(const Scheme& scheme, std::integral_constant<int, Axis> axis,
                   const Box<D>& valid, double c, const Vl2Workspace<Scheme>& work) {
  RowBuffer lower = work.rows[0];
  RowBuffer upper = work.rows[1];
  const std::ptrdiff_t stride = work.old.component_stride();
  for_each_row_along(Axis, faces_of(work.half.box(), Axis), [&](Index<D> row) {
    Index<D> below = row - Index<D>::unit(Axis);
    const Range cells = row_of_cross(valid, Scheme::reach, below);
    const Range faces = hull(cells, row_of_cross(valid, Scheme::reach, row));
    if (faces.is_empty()) return;
    std::swap(lower, upper);
    row[0] = faces.lo;
    const double* const w = work.old.at(0, row);
    flux_row(scheme, axis, faces.size(), w - work.old.stride(Axis), stride, w, stride,
             upper.at(faces.lo), upper.stride);
    if (cells.is_empty()) return;
    below[0] = cells.lo;
    for (int k = 0; k < Scheme::n_components; ++k)
      add_difference<false>(cells.size(), c, lower.at(cells.lo) + k * lower.stride,
                            upper.at(cells.lo) + k * upper.stride, nullptr, work.half.at(k, below));
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

/// Turn the half-step state into primitive variables; where it is inadmissible, take the old one.
template <class Scheme, int D = Scheme::dim>
void finish_prediction(const Scheme& scheme, const Box<D>& valid,
                       const Vl2Workspace<Scheme>& work) {
  for_each_row(work.half.box(), [&](Index<D> row, int) {
    const Range cells = row_of_cross(valid, Scheme::reach, row);
    if (cells.is_empty()) return;
    row[0] = cells.lo;
    finish_row(scheme.system, cells.size(), work.old.at(0, row), work.old.component_stride(),
               work.half.at(0, row), work.half.component_stride(), work.replaced.counts());
  });
}

/// Compute the primitive states at the start of the step and, where the corrector reads, half on.
template <class Scheme, int D = Scheme::dim>
void predict(const Scheme& scheme, ConstView<D> u, const Box<D>& valid, StepSize<D> step,
             const Vl2Workspace<Scheme>& work) {
  convert_to_primitive(scheme.system, u, work.old);
  for_each_axis<D>([&](auto axis) {
    const double c = 0.5 * step.dt / step.dx[axis];
    if constexpr (axis == 0)
      predict_along_x(scheme, u, valid, c, work);
    else
      predict_along(scheme, axis, valid, c, work);
  });
  finish_prediction(scheme, valid, work);
}

}  // namespace thalweg::numerics::detail
