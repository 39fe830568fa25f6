// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>

#include <thalweg/numerics/const_view.hpp>
#include <thalweg/numerics/detail/apply_fluxes.hpp>
#include <thalweg/numerics/detail/limit_flux.hpp>
#include <thalweg/numerics/detail/reconstruct_row.hpp>
#include <thalweg/numerics/detail/row_buffer.hpp>
#include <thalweg/numerics/detail/sweep_workspace.hpp>
#include <thalweg/numerics/detail/weight.hpp>
#include <thalweg/numerics/row_kernels.hpp>
#include <thalweg/numerics/rows.hpp>
#include <thalweg/numerics/scheme.hpp>

namespace thalweg::numerics::detail {

/// Compute fluxes along each axis of one block: reconstruct work.half, solve, and limit by the
/// states at the start, u and work.old.
template <class System>
class FluxSweep {
  static constexpr int D = System::dim;

 public:
  FluxSweep(const RowKernels<System>& kernels, ConstView<D> u, const Box<D>& valid,
            StepSize<D> step, const SweepWorkspace<D>& work)
      : kernels_(kernels), u_(u), valid_(valid), step_(step), work_(work) {}

  /// Fill the flux view of an axis; the number of limited fluxes. States that had to be replaced
  /// are counted in work.replaced.
  std::int64_t along(int axis) const { return axis == 0 ? along_x() : along_other(axis); }

 private:
  std::int64_t along_x() const {
    const RowBuffer& lower = work_.rows[0];
    const RowBuffer& upper = work_.rows[1];
    std::int64_t n_limited = 0;
    for_each_row(valid_, [&](const Index<D>& row, int n) {
      reconstruct(0, n + 2, work_.half.at(0, row) - 1, lower, upper);
      n_limited += solve_row(0, row, n + 1, upper.data, lower.data + 1, upper.stride);
    });
    return n_limited;
  }

  /// Each row of cells is reconstructed once; its upper edges wait for the next row.
  std::int64_t along_other(int axis) const {
    const RowBuffer& lower = work_.rows[0];
    RowBuffer upper = work_.rows[1];
    RowBuffer upper_before = work_.rows[2];
    std::int64_t n_limited = 0;
    for_each_row_along(axis, valid_.grown(axis, 1), [&](const Index<D>& row) {
      std::swap(upper, upper_before);
      const int n = valid_.extent(0);
      reconstruct(axis, n, work_.half.at(0, row), lower, upper);
      if (row[axis] >= valid_.lo[axis])
        n_limited += solve_row(axis, row, n, upper_before.data, lower.data, upper.stride);
    });
    return n_limited;
  }

  void reconstruct(int axis, int n, const double* w, const RowBuffer& lower,
                   const RowBuffer& upper) const {
    const System& system = kernels_.system;
    const std::ptrdiff_t w_stride = work_.half.component_stride();
    const EdgeRow edges{lower.data, upper.data, upper.stride, work_.replaced.counts()};
    const Weight weight = detail::along(work_.weight, system, axis, step_.dx[axis]);
    reconstruct_row(system, kernels_.edges, n, w, w_stride, work_.half.stride(axis), edges, weight);
    if constexpr (GravitySystem<System>) {
      if (weight.is_zero()) return;
      const double* const rho = w + System::density_at * w_stride;
      add_weight(system, n, -weight.half, rho, lower.data, lower.stride, lower.data, lower.stride);
      add_weight(system, n, weight.half, rho, upper.data, upper.stride, upper.data, upper.stride);
    }
  }

  /// Solve the Riemann problems of n faces, the first being the lower one of cell `row`.
  std::int64_t solve_row(int axis, const Index<D>& row, int n, const double* l, const double* r,
                         std::ptrdiff_t stride) const {
    const auto a = static_cast<std::size_t>(axis);
    const View<double, D>& flux = work_.flux[a];
    double* const f = flux.at(0, row);
    kernels_.fluxes[a](kernels_.system, n, l, stride, r, stride, f, flux.component_stride());
    const double* const u = u_.at(0, row);
    if constexpr (DiffusiveSystem<System>)
      add_diffusive_row(kernels_.system, axis, n, u - u_.stride(axis), u, u_.component_stride(),
                        step_.dx[axis], f, flux.component_stride());
    const double* const w = work_.old.at(0, row);
    const FaceRow<System> faces{.system = kernels_.system,
                                .below = {u - u_.stride(axis), w - work_.old.stride(axis)},
                                .above = {u, w},
                                .u_stride = u_.component_stride(),
                                .w_stride = work_.old.component_stride(),
                                .weight = 2 * D * step_.dt / step_.dx[axis]};
    return limit_flux_row(faces, axis, n, f, flux.component_stride());
  }

  const RowKernels<System>& kernels_;
  ConstView<D> u_;
  Box<D> valid_;
  StepSize<D> step_;
  const SweepWorkspace<D>& work_;
};

/// Compute the fluxes from the states in work.half, set the valid cells to those before and what
/// the fluxes bring, and check them; then let gravity act.
/// @param before  the states that work.old has as primitive ones; may be u
/// @param after   the share of the new states in what gravity acts on, see add_gravity
template <class System, int D = System::dim>
StepReport<D> sweep(const RowKernels<System>& kernels, ConstView<D> before, View<double, D> u,
                    const Box<D>& valid, StepSize<D> step, const SweepWorkspace<D>& work,
                    double after) {
  StepReport<D> report{.flux = work.flux};
  const FluxSweep<System> fluxes(kernels, before, valid, step, work);
  for (int a = 0; a < D; ++a) report.fallbacks.limited_fluxes += fluxes.along(a);
  report.fallbacks.replaced_states = work.replaced.sum();
  apply_fluxes(kernels.system, before, u, valid, step, report);
  add_gravity(kernels.system, u, valid, step.dt, after, work.old);
  return report;
}

}  // namespace thalweg::numerics::detail
