// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>

#include <thalweg/numerics/const_view.hpp>
#include <thalweg/numerics/detail/row_buffer.hpp>
#include <thalweg/numerics/detail/tally.hpp>
#include <thalweg/numerics/detail/to_primitive.hpp>
#include <thalweg/numerics/detail/weight.hpp>
#include <thalweg/numerics/row_kernels.hpp>
#include <thalweg/numerics/rows.hpp>
#include <thalweg/numerics/scheme.hpp>
#include <thalweg/numerics/scratch.hpp>

namespace thalweg::numerics::detail {

/// What half a step with donor-cell fluxes keeps while it works on one block: of the fluxes no more
/// than those on both sides of a row of cells.
template <int D>
struct PredictorWorkspace {
  template <class System>
  PredictorWorkspace(const RowKernels<System>& kernels, const Box<D>& valid, Scratch& scratch)
      : replaced(valid, scratch) {
    constexpr int n_components = System::n_components;
    old = scratch.take(valid.grown(1), n_components);
    for (int a = 0; a < D; ++a) {
      Box<D> kept = faces_of(valid, a);
      for (int b = a > 0 ? a : 1; b < D; ++b) kept.hi[b] = kept.lo[b] + (b == a ? 2 : 1);
      flux[static_cast<std::size_t>(a)] = scratch.take(kept, n_components);
    }
    take_rows(valid, n_components, scratch, half);
    if (has_gravity(kernels.system)) take_rows(valid, n_components, scratch, weighed);
  }

  View<double, D> old;  ///< primitive, at the start of the step
  FluxViews<D> flux;    ///< along x of a row; along another axis of the last two layers of faces
  std::array<RowBuffer, 1> half;       ///< the new states of a row
  std::array<RowBuffer, 2> weighed{};  ///< cells at their faces; none where no gravity acts
  Tally replaced;                      ///< inadmissible states
};

/// A row of numbers of each component on both sides of cells.
struct RowOfFaces {
  const double* lower;
  const double* upper;
  std::ptrdiff_t stride;  ///< from component to component
};

/// half = u - sum over the axes of c (f_upper - f_lower) for one row, in their order.
template <class State, std::size_t D>
void subtract_differences(int n, const Vec<int(D)>& c, const std::array<RowOfFaces, D>& flux,
                          const double* u, std::ptrdiff_t u_stride, const RowBuffer& half) {
  // All components in one loop: in blocks of 8 cells a side rows are as short as loops take to
  // begin and end.
  for_each_in_row(n, [=, to = half.data, to_stride = half.stride](int i) {
    auto state = load<State>(u + i, u_stride);
    for (std::size_t a = 0; a < D; ++a)
      state = map_components([factor = c.at[a]](double value, double hi,
                                                double lo) { return value - factor * (hi - lo); },
                             state, load<State>(flux[a].upper + i, flux[a].stride),
                             load<State>(flux[a].lower + i, flux[a].stride));
    store(state, to + i, to_stride);
  });
}

/// Take over the states of a row that are admissible; the others stay as they were, which is
/// counted.
template <class System>
void take_admissible_row(const System& equations, int n, const double* half,
                         std::ptrdiff_t half_stride, double* u, std::ptrdiff_t u_stride,
                         double* replaced) {
  using State = typename System::State;
  for_each_in_row(n, [=, system = equations](int i) {
    const auto after = load<State>(half + i, half_stride);
    const bool is_good = system.admissible(after);
    store(map_components([=](double a, double b) { return is_good ? a : b; }, after,
                         load<State>(u + i, u_stride)),
          u + i, u_stride);
    replaced[i] += is_good ? 0.0 : 1.0;
  });
}

/// Advances the valid cells of a block by half a step with donor-cell fluxes.
template <class System>
class Predictor {
  static constexpr int D = System::dim;

 public:
  Predictor(const RowKernels<System>& kernels, View<double, D> u, const Box<D>& valid,
            StepSize<D> step, const PredictorWorkspace<D>& work)
      : kernels_(kernels), u_(u), valid_(valid), step_(step), work_(work) {}

  void predict() const {
    convert_straight_out<System>(kernels_.system, u_, valid_, work_.old);
    for_each_row(valid_, [&](const Index<D>& row, int n) {
      solve_around(row, n);
      advance(row, n);
    });
  }

 private:
  /// Find the fluxes on both sides of a row of n cells that the rows before have not.
  void solve_around(const Index<D>& row, int n) const {
    solve(0, row, n + 1);
    for (int a = 1; a < D; ++a) {
      if (row[a] == valid_.lo[a]) solve(a, row, n);
      solve(a, row + Index<D>::unit(a), n);
    }
  }

  /// Where the fluxes through the lower faces of a row of cells are kept.
  double* flux_at(int axis, Index<D> row) const {
    if (axis > 0) row[axis] = valid_.lo[axis] + (row[axis] - valid_.lo[axis]) % 2;
    for (int b = axis + 1; b < D; ++b) row[b] = valid_.lo[b];
    return flux(axis).at(0, row);
  }
  const View<double, D>& flux(int axis) const { return work_.flux[static_cast<std::size_t>(axis)]; }

  /// Find the donor-cell fluxes through the lower faces of n cells of a row; cells are lifted to
  /// the faces by the weight of the gas.
  void solve(int axis, const Index<D>& row, int n) const {
    const double* const w = work_.old.at(0, row);
    const double* const below = w - work_.old.stride(axis);
    const std::ptrdiff_t w_stride = work_.old.component_stride();
    const auto solve_faces = kernels_.fluxes[static_cast<std::size_t>(axis)];
    const System& system = kernels_.system;
    double* const f = flux_at(axis, row);
    const std::ptrdiff_t f_stride = flux(axis).component_stride();
    if constexpr (GravitySystem<System>)
      if (const double half = 0.5 * step_.dx[axis] * acceleration_along(system, axis); half != 0) {
        const auto& [l, r] = work_.weighed;
        const std::ptrdiff_t rho = System::density_at * w_stride;
        add_weight(system, n, half, below + rho, below, w_stride, l.data, l.stride);
        add_weight(system, n, -half, w + rho, w, w_stride, r.data, r.stride);
        return solve_faces(system, n, l.data, l.stride, r.data, r.stride, f, f_stride);
      }
    solve_faces(system, n, below, w_stride, w, w_stride, f, f_stride);
  }

  /// Let the fluxes around a row and gravity act for half the step.
  void advance(const Index<D>& row, int n) const {
    std::array<RowOfFaces, std::size_t{D}> faces;
    Vec<D> c;
    for (int a = 0; a < D; ++a) {
      const double* const lower = flux_at(a, row);
      faces[static_cast<std::size_t>(a)] = {
          lower, a == 0 ? lower + 1 : flux_at(a, row + Index<D>::unit(a)),
          flux(a).component_stride()};
      c[a] = 0.5 * step_.dt / step_.dx[a];
    }
    double* const u = u_.at(0, row);
    const std::ptrdiff_t u_stride = u_.component_stride();
    const RowBuffer& half = work_.half[0];
    subtract_differences<typename System::State>(n, c, faces, u, u_stride, half);
    if constexpr (GravitySystem<System>)
      if (has_gravity(kernels_.system))
        add_gravity_row(kernels_.system, n, 0.5 * step_.dt, 0.5, work_.old.at(0, row),
                        work_.old.component_stride(), half.data, half.stride);
    take_admissible_row(kernels_.system, n, half.data, half.stride, u, u_stride,
                        work_.replaced.counts());
  }

  const RowKernels<System>& kernels_;
  View<double, D> u_;
  Box<D> valid_;
  StepSize<D> step_;
  const PredictorWorkspace<D>& work_;
};

}  // namespace thalweg::numerics::detail
