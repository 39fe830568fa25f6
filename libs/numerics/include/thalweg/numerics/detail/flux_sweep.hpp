// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <type_traits>
#include <utility>

#include <thalweg/numerics/detail/flux_row.hpp>
#include <thalweg/numerics/detail/limit_flux.hpp>
#include <thalweg/numerics/detail/reconstruct_row.hpp>
#include <thalweg/numerics/detail/row_buffer.hpp>
#include <thalweg/numerics/rows.hpp>
#include <thalweg/numerics/scheme.hpp>

namespace thalweg::numerics::detail {

/// Compute fluxes along each axis of one block: reconstruct work.half, solve, and limit by the
/// states at the start, u and work.old.
template <class Scheme, class Workspace>
class FluxSweep {
  static constexpr int D = Scheme::dim;

 public:
  FluxSweep(const Scheme& scheme, View<const double, D> u, const Box<D>& valid, StepSize<D> step,
            const Workspace& work)
      : scheme_(scheme), u_(u), valid_(valid), step_(step), work_(work) {}

  /// Fill the flux view of an axis; the number of limited fluxes. States that had to be replaced
  /// are counted in work.replaced.
  template <int Axis>
  std::int64_t along(std::integral_constant<int, Axis> axis) const {
    if constexpr (Axis == 0)
      return along_x(axis);
    else
      return along_other(axis);
  }

 private:
  std::int64_t along_x(std::integral_constant<int, 0> axis) const {
    const RowBuffer& lower = work_.rows[0];
    const RowBuffer& upper = work_.rows[1];
    std::int64_t n_limited = 0;
    for_each_row(valid_, [&](const Index<D>& row, int n) {
      const double* const w = work_.half.at(0, row);
      reconstruct_row(scheme_, n + 2, w - 1, work_.half.component_stride(), 1,
                      {lower.data, upper.data, upper.stride, work_.replaced.counts()});
      n_limited += solve_row(axis, row, n + 1, upper.data, lower.data + 1, upper.stride);
    });
    return n_limited;
  }

  /// Each row of cells is reconstructed once; its upper edges wait for the next row.
  template <int Axis>
  std::int64_t along_other(std::integral_constant<int, Axis> axis) const {
    const RowBuffer& lower = work_.rows[0];
    RowBuffer upper = work_.rows[1];
    RowBuffer upper_before = work_.rows[2];
    std::int64_t n_limited = 0;
    for_each_row_along(Axis, valid_.grown(Axis, 1), [&](const Index<D>& row) {
      std::swap(upper, upper_before);
      const int n = valid_.extent(0);
      reconstruct_row(scheme_, n, work_.half.at(0, row), work_.half.component_stride(),
                      work_.half.stride(Axis),
                      {lower.data, upper.data, upper.stride, work_.replaced.counts()});
      if (row[Axis] >= valid_.lo[Axis])
        n_limited += solve_row(axis, row, n, upper_before.data, lower.data, upper.stride);
    });
    return n_limited;
  }

  /// Solve the Riemann problems of n faces, the first being the lower one of cell `row`.
  template <int Axis>
  std::int64_t solve_row(std::integral_constant<int, Axis> axis, const Index<D>& row, int n,
                         const double* l, const double* r, std::ptrdiff_t stride) const {
    const View<double, D>& flux = work_.flux[Axis];
    double* const f = flux.at(0, row);
    flux_row(scheme_, axis, n, l, stride, r, stride, f, flux.component_stride());
    const double* const u = u_.at(0, row);
    if constexpr (DiffusiveSystem<typename Scheme::System>)
      add_diffusive_row(scheme_.system, axis, n, u - u_.stride(Axis), u, u_.component_stride(),
                        step_.dx[Axis], f, flux.component_stride());
    const double* const w = work_.old.at(0, row);
    const FaceRow<typename Scheme::System> faces{
        .system = scheme_.system,
        .below = {u - u_.stride(Axis), w - work_.old.stride(Axis)},
        .above = {u, w},
        .u_stride = u_.component_stride(),
        .w_stride = work_.old.component_stride(),
        .weight = 2 * D * step_.dt / step_.dx[Axis]};
    return limit_flux_row(faces, axis, n, f, flux.component_stride());
  }

  const Scheme& scheme_;
  View<const double, D> u_;
  Box<D> valid_;
  StepSize<D> step_;
  const Workspace& work_;
};

}  // namespace thalweg::numerics::detail
