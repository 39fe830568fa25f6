// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>

#include <thalweg/numerics/correction_kernels.hpp>
#include <thalweg/numerics/detail/ctu_correction.hpp>
#include <thalweg/numerics/detail/ctu_workspace.hpp>
#include <thalweg/numerics/detail/wall_faces.hpp>
#include <thalweg/numerics/row_kernels.hpp>
#include <thalweg/numerics/rows.hpp>
#include <thalweg/numerics/scheme.hpp>

namespace thalweg::numerics::detail {

/// What crosses faces along an axis and the time, over the cell size, for which it acts.
template <int D>
struct Transverse {
  const TwoPlanes<D>& crossing;
  int axis;
  double weight;

  TransverseRow row(const Index<D>& cell) const {
    return {crossing.at(0, cell), crossing.at(0, cell + Index<D>::unit(axis)),
            crossing.component_stride(), weight};
  }
};

/// Solve the Riemann problems between the traced states along an axis, which walls mirror, and
/// store what is found at a plane of the faces of `to`.
template <class System, int D = System::dim, class Faces>
void solve(const System& system, const FaceKernels<System>& kernels, int axis, int plane,
           const CtuWorkspace<D>& work, const Faces& to) {
  const auto a = static_cast<std::size_t>(axis);
  const auto& [lower, upper] = work.traced[a];
  for_each_row(in_plane(to.box(), plane), [&](const Index<D>& row, int n) {
    const Index<D> below = row - Index<D>::unit(axis);
    mirror_at_walls<System>(work.walls, to.box(), axis, row, {1, n, n},
                            {upper.at(0, below), upper.component_stride()},
                            {lower.at(0, row), lower.component_stride()});
    kernels[a](system, n, upper.at(0, below), upper.component_stride(), lower.at(0, row),
               lower.component_stride(), to.at(0, row), to.component_stride());
  });
}

/// The same with each state corrected first, by one or two other axes.
template <class System, int D = System::dim, class Faces, class... Transverses>
void solve_corrected(const System& system, const FaceKernels<System>& kernels,
                     const CorrectionKernels<System>& corrections, int axis, int plane,
                     CtuWorkspace<D>& work, const Faces& to, const Transverses&... transverses) {
  constexpr std::size_t n_axes = sizeof...(transverses);
  const auto correct = corrections.correct[n_axes - 1];
  const auto solve_row = kernels[static_cast<std::size_t>(axis)];
  const Box<D> faces = in_plane(to.box(), plane);
  const int n = faces.extent(0), n_of_plane = n_rows(faces);
  if (n_of_plane == 0) return;
  Index<D> row = faces.lo;
  const Index<D> below = row - Index<D>::unit(axis);

  // Where the rows are is found once for the plane, then each from the one before.
  constexpr int next = D > 2 ? D - 2 : 0;
  const auto& [lower, upper] = work.traced[static_cast<std::size_t>(axis)];
  std::array of_below{transverses.row(below)...};
  std::array of_above{transverses.row(row)...};
  const std::array strides{transverses.crossing.stride(next)...};
  SideToCorrect l{upper.at(0, below), upper.component_stride(), of_below.data()};
  SideToCorrect r{lower.at(0, row), lower.component_stride(), of_above.data()};
  double* flux = to.at(0, row);
  const auto& [new_l, new_r] = work.rows;
  for (int i = 0; i < n_of_plane; ++i, ++row[next]) {
    correct(system, n, l, r, new_l, new_r, work.replaced.next_row(row, n));
    mirror_at_walls<System>(work.walls, to.box(), axis, row, {1, n, n}, new_l, new_r);
    solve_row(system, n, new_l.data, new_l.stride, new_r.data, new_r.stride, flux,
              to.component_stride());
    for (std::size_t k = 0; k < n_axes; ++k) {
      of_below[k].advance(strides[k]);
      of_above[k].advance(strides[k]);
    }
    l.states += upper.stride(next);
    r.states += lower.stride(next);
    flux += to.stride(next);
  }
}

/// Compute the fluxes of the step from the traced states, as far as those of a plane and of the one
/// before let.
///
/// What needs no more than what lies in a plane, or on both sides of the faces below it, is found
/// at once, so all fluxes along the last axis are. What is corrected by what passes through a cell
/// along the last axis is found a plane later, when both faces of the cell are known.
template <class System, int D = System::dim>
void solve_with_corners(const RowKernels<System>& kernels,
                        const CorrectionKernels<System>& corrections, int plane, StepSize<D> step,
                        CtuWorkspace<D>& work) {
  const System& system = kernels.system;
  constexpr int last = D - 1;
  const auto at = [](auto& of_axis, int axis) -> auto& {
    return of_axis[static_cast<std::size_t>(axis)];
  };
  const auto during = [&](double share, const TwoPlanes<D>& crossing, int axis) {
    return Transverse<D>{crossing, axis, share * step.dt / step.dx[axis]};
  };
  if constexpr (D > 1)
    for (int a = 0; a < D; ++a)
      solve(system, corrections.crossings, a, plane, work, at(work.first, a));
  if constexpr (D > 2)
    for (int a = 0; a < D; ++a)
      for (const int other : {(a + 1) % 3, (a + 2) % 3})
        solve_corrected(system, corrections.crossings, corrections, a,
                        other == last ? plane - 1 : plane, work, at(at(work.second, a), other),
                        during(1.0 / 3.0, at(work.first, other), other));
  for (int a = 0; a < D; ++a) {
    const int b = (a + 1) % D, c = (a + 2) % D;
    const int of_faces = plane_of_fluxes<D>(a, plane);
    const View<double, D>& flux = at(work.flux, a);
    if constexpr (D == 1) solve(system, kernels.fluxes, a, of_faces, work, flux);
    if constexpr (D == 2)
      solve_corrected(system, kernels.fluxes, corrections, a, of_faces, work, flux,
                      during(0.5, at(work.first, b), b));
    if constexpr (D == 3)
      solve_corrected(system, kernels.fluxes, corrections, a, of_faces, work, flux,
                      during(0.5, at(at(work.second, b), c), b),
                      during(0.5, at(at(work.second, c), b), c));
  }
}

}  // namespace thalweg::numerics::detail
