// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>

#include <thalweg/numerics/correction_kernels.hpp>
#include <thalweg/numerics/detail/ctu_correction.hpp>
#include <thalweg/numerics/detail/ctu_workspace.hpp>
#include <thalweg/numerics/row_kernels.hpp>
#include <thalweg/numerics/rows.hpp>
#include <thalweg/numerics/scheme.hpp>

namespace thalweg::numerics::detail {

/// What crosses faces along an axis and the time, over the cell size, for which it acts.
template <int D>
struct Transverse {
  const View<double, D>& crossing;
  int axis;
  double weight;

  TransverseRow row(const Index<D>& cell) const {
    const double* const lower = crossing.at(0, cell);
    return {lower, lower + crossing.stride(axis), crossing.component_stride(), weight};
  }
};

/// Solve the Riemann problems between the traced states along an axis, and store what is found at
/// all faces of `to`.
template <class System, int D = System::dim>
void solve(const System& system, const FaceKernels<System>& kernels, int axis,
           const CtuWorkspace<D>& work, const View<double, D>& to) {
  const auto a = static_cast<std::size_t>(axis);
  const auto& [lower, upper] = work.traced[a];
  for_each_row(to.box(), [&](const Index<D>& row, int n) {
    kernels[a](system, n, upper.at(0, row) - upper.stride(axis), upper.component_stride(),
               lower.at(0, row), lower.component_stride(), to.at(0, row), to.component_stride());
  });
}

/// The same with each state corrected first, by one or two other axes.
template <class System, int D = System::dim, class... Transverses>
void solve(const System& system, const CorrectedFaceKernels<System>& kernels, int axis,
           CtuWorkspace<D>& work, const View<double, D>& to, const Transverses&... transverses) {
  const auto a = static_cast<std::size_t>(axis);
  const auto& [lower, upper] = work.traced[a];
  const auto moved_down = [axis](TransverseRow row, const View<double, D>& crossing) {
    row.lower -= crossing.stride(axis);
    row.upper -= crossing.stride(axis);
    return row;
  };
  for_each_row(to.box(), [&](const Index<D>& row, int n) {
    const std::array of_above{transverses.row(row)...};
    std::array of_below = of_above;
    std::size_t k = 0;
    ((of_below[k] = moved_down(of_below[k], transverses.crossing), ++k), ...);
    kernels[a](system, n,
               {upper.at(0, row) - upper.stride(axis), upper.component_stride(), of_below.data()},
               {lower.at(0, row), lower.component_stride(), of_above.data()}, to.at(0, row),
               to.component_stride(), work.replaced.next_row(n));
  });
}

/// Compute the fluxes of the step from the traced states.
template <class System, int D = System::dim>
void solve_with_corners(const RowKernels<System>& kernels,
                        const CorrectionKernels<System>& corrections, StepSize<D> step,
                        CtuWorkspace<D>& work) {
  const System& system = kernels.system;
  const auto at = [](auto& of_axis, int axis) -> auto& {
    return of_axis[static_cast<std::size_t>(axis)];
  };
  const auto during = [&](double share, const View<double, D>& crossing, int axis) {
    return Transverse<D>{crossing, axis, share * step.dt / step.dx[axis]};
  };
  if constexpr (D > 1)
    for (int a = 0; a < D; ++a) solve(system, corrections.crossings, a, work, at(work.first, a));
  if constexpr (D > 2)
    for (int a = 0; a < D; ++a)
      for (const int other : {(a + 1) % 3, (a + 2) % 3})
        solve(system, corrections.crossings_after_one, a, work, at(at(work.second, a), other),
              during(1.0 / 3.0, at(work.first, other), other));
  for (int a = 0; a < D; ++a) {
    const int b = (a + 1) % D, c = (a + 2) % D;
    const View<double, D>& flux = at(work.flux, a);
    if constexpr (D == 1) solve(system, kernels.fluxes, a, work, flux);
    if constexpr (D == 2)
      solve(system, corrections.fluxes_after_all, a, work, flux, during(0.5, at(work.first, b), b));
    if constexpr (D == 3)
      solve(system, corrections.fluxes_after_all, a, work, flux,
            during(0.5, at(at(work.second, b), c), b), during(0.5, at(at(work.second, c), b), c));
  }
}

}  // namespace thalweg::numerics::detail
