// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <thalweg/numerics/const_view.hpp>
#include <thalweg/numerics/detail/apply_fluxes.hpp>
#include <thalweg/numerics/detail/flux_row.hpp>
#include <thalweg/numerics/detail/limit_flux.hpp>
#include <thalweg/numerics/detail/planes.hpp>
#include <thalweg/numerics/detail/reconstruct_row.hpp>
#include <thalweg/numerics/detail/row_buffer.hpp>
#include <thalweg/numerics/detail/states_by_axis.hpp>
#include <thalweg/numerics/detail/strips.hpp>
#include <thalweg/numerics/detail/sweep_workspace.hpp>
#include <thalweg/numerics/detail/wall_faces.hpp>
#include <thalweg/numerics/detail/weight.hpp>
#include <thalweg/numerics/row_kernels.hpp>
#include <thalweg/numerics/scheme.hpp>

namespace thalweg::numerics::detail {

/// Compute fluxes along each axis of one block, a strip of rows at a time: reconstruct work.half,
/// solve, and limit by the states at the start, work.old. Planes are those across z: a block of two
/// dimensions is one.
/// @param before  the states that work.old has as primitive ones
/// @param u       those that work.half has; the same where that is work.old
template <class System>
class FluxSweep {
  static constexpr int D = System::dim;

 public:
  FluxSweep(const RowKernels<System>& kernels, ConstView<D> before, ConstView<D> u,
            const Box<D>& valid, StepSize<D> step, const SweepWorkspace<D>& work)
      : kernels_(kernels), before_(before), u_(u), valid_(valid), step_(step), work_(work) {
    step_.walls = weighed_walls(kernels.system, step.walls);
  }

  /// Fill the flux views, and call settle(cells) for the valid cells, in three dimensions plane by
  /// plane, as soon as the fluxes around them are known and nobody needs what they were: so most of
  /// a large block is in the cache while it is worked on. The number of limited fluxes; states that
  /// had to be replaced are counted in work.replaced.
  template <class F>
  std::int64_t along_all_axes(F&& settle) const {
    std::int64_t n_limited = 0;
    if constexpr (D < 3) {
      n_limited += within_plane(valid_.lo);
      settle(valid_);
    } else {
      const int lo = valid_.lo[2], hi = valid_.hi[2];
      const int radius = kernels_.edges.radius;
      Index<D> plane = valid_.lo;
      for (plane[2] = lo - 1 - radius; plane[2] <= hi + radius; ++plane[2]) {
        n_limited += within_plane(plane);
        // A plane of cells is reconstructed when there are as many behind it as that takes.
        const int reconstructed = plane[2] - radius;
        if (reconstructed < lo - 1) continue;
        n_limited += along_z(reconstructed);
        if (reconstructed > lo) settle(in_plane(valid_, reconstructed - 1));
      }
    }
    return n_limited;
  }

 private:
  /// Convert the states of a plane, from its first row on, and find the fluxes within it.
  std::int64_t within_plane(const Index<D>& first) const {
    const int plane = first[D - 1];
    work_.old.convert_around(kernels_.system, before_, valid_, plane);
    if (work_.is_from_half) work_.half.convert_around(kernels_.system, u_, valid_, plane);
    std::int64_t n_limited = 0;
    if (D > 2 && (plane < valid_.lo[D - 1] || plane >= valid_.hi[D - 1])) return n_limited;
    // In this order: the strips along x are converted for the other axes, too.
    for_each_strip_of(first, [&](auto&&... strip) { n_limited += along_x(strip...); });
    if constexpr (D > 1)
      for_each_strip_of(first, [&](auto&&... strip) { n_limited += along_y(strip...); });
    return n_limited;
  }
  template <class F>
  void for_each_strip_of(const Index<D>& first, F&& f) const {
    for_each_strip(Box<D>{first, valid_.hi}, work_.n_rows, f);
  }

  std::int64_t along_x(const Index<D>& row, int n_rows) const {
    work_.old.convert_strip(kernels_.system, before_, row, n_rows);
    if (work_.is_from_half) work_.half.convert_strip(kernels_.system, u_, row, n_rows);
    const RowBuffer& lower = work_.rows[0];
    const RowBuffer& upper = work_.rows[1];
    const int n = valid_.extent(0);
    const int pitch = work_.half.pitch();
    reconstruct(0, row - Index<D>::unit(0), {n_rows, n + 2, pitch}, work_.half.strip().from(-1),
                lower, upper);
    return solve(0, row, {n_rows, n + 1, pitch}, upper, lower.from(1));
  }

  /// Each row of cells is reconstructed once: the upper edges of the last one of a strip are the
  /// first ones of the next.
  std::int64_t along_y(const Index<D>& row, int n_rows) const {
    const RowBuffer& lower = work_.rows[0];
    const RowBuffer& upper = work_.rows[1];
    const int n = valid_.extent(0);
    const int n_faces = n_rows + (row[1] + n_rows == valid_.hi[1] ? 1 : 0);  // rows of them
    const bool is_first = row[1] == valid_.lo[1];
    if (!is_first)
      for (int c = 0; c < System::n_components; ++c) {
        double* const first = upper.data + c * upper.stride;
        std::copy_n(first + work_.n_rows * n, n, first);
      }
    const int n_known = is_first ? 0 : 1;
    reconstruct(1, row + (n_known - 1) * Index<D>::unit(1), {n_faces + 1 - n_known, n, n},
                work_.half.along(1, row).from((n_known - 1) * n), lower.from(n_known * n),
                upper.from(n_known * n));
    return solve(1, row, {n_faces, n, n}, upper, lower.from(n));
  }

  /// For a plane, whose upper edges wait for the next one.
  std::int64_t along_z(int plane) const {
    const RowBuffer& lower = work_.rows[0];
    std::int64_t n_limited = 0;
    const int n = valid_.extent(0);
    Index<D> first = valid_.lo;
    first[2] = plane;
    for_each_strip_of(first, [&](const Index<D>& row, int n_rows) {
      const Strip strip{n_rows, n, n};
      const RowBuffer upper = work_.upper_edges_of(row, valid_);
      reconstruct(2, row, strip, work_.half.along(2, row), lower, upper);
      if (plane >= valid_.lo[2])
        n_limited +=
            solve(2, row, strip, work_.upper_edges_of(row - Index<D>::unit(2), valid_), lower);
    });
    return n_limited;
  }

  /// Reconstruct the edges of a strip of cells from `first` on.
  void reconstruct(int axis, const Index<D>& first, const Strip& strip, const CellsAlong& w,
                   const RowBuffer& lower, const RowBuffer& upper) const {
    const System& system = kernels_.system;
    const Weight weight = detail::along(work_.weight, system, axis, step_.dx[axis]);
    const int size = strip.size();
    const EdgeRow edges{lower.data, upper.data, upper.stride, nullptr};
    reconstruct_edges<System>(kernels_.edges, size, w.first, w.component_stride, w.stride, edges,
                              weight);
    if (may_be_inadmissible(kernels_.edges, weight) && have_inadmissible_edges(system, size, edges))
      for (int r = 0; r < strip.n_rows; ++r) {
        const std::ptrdiff_t at = r * strip.pitch;
        flatten_inadmissible_row(system, strip.n, w.first + at, w.component_stride,
                                 {lower.data + at, upper.data + at, upper.stride,
                                  work_.replaced.counts(row_of_strip(first, r))});
      }
    if constexpr (GravitySystem<System>) {
      if (weight.is_zero()) return;
      const double* const rho = w.first + System::density_at * w.component_stride;
      add_weight(system, size, -weight.half, rho, lower.data, lower.stride, lower.data,
                 lower.stride);
      add_weight(system, size, weight.half, rho, upper.data, upper.stride, upper.data,
                 upper.stride);
    }
  }

  /// Solve the Riemann problems of a strip of faces, the first being the lower one of cell `row`,
  /// between the states l and r, which walls mirror; add what diffuses through them, and limit the
  /// fluxes.
  std::int64_t solve(int axis, const Index<D>& row, const Strip& strip, const RowBuffer& l,
                     const RowBuffer& r) const {
    const auto a = static_cast<std::size_t>(axis);
    const View<double, D>& flux = work_.flux[a];
    double* const f = flux.at(0, row);
    mirror_at_walls<System>(step_.walls, faces_of(valid_, axis), axis, row, strip, l, r);
    kernels_.fluxes[a](kernels_.system, strip.size(), l.data, l.stride, r.data, r.stride, f,
                       flux.component_stride());
    const CellsAlong u{before_.at(0, row), before_.component_stride(), before_.stride(axis)};
    const std::ptrdiff_t u_pitch = D > 1 ? before_.stride(1) : 0;
    const CellsAlong w = axis == 0 ? work_.old.strip() : work_.old.along(axis, row);
    const std::ptrdiff_t w_pitch = axis == 0 ? work_.old.pitch() : strip.n;
    std::int64_t n_limited = 0;
    for (int i = 0; i < strip.n_rows; ++i)
      n_limited += complete_row(axis, row_of_strip(row, i), strip.n, u.from(i * u_pitch),
                                w.from(i * w_pitch), f + i * strip.pitch, flux.component_stride());
    return n_limited;
  }
  static Index<D> row_of_strip(Index<D> first, int number) {
    if constexpr (D > 1) first[1] += number;
    return first;
  }

  /// @param row   the cell above the first face
  /// @param u, w  the cells above the faces, conserved and primitive
  std::int64_t complete_row(int axis, const Index<D>& row, int n, const CellsAlong& u,
                            const CellsAlong& w, double* flux, std::ptrdiff_t flux_stride) const {
    if constexpr (DiffusiveSystem<System>)
      add_diffusive_row(kernels_.system, axis, n, u.below(), u.first, u.component_stride,
                        step_.dx[axis], flux, flux_stride);
    const FaceRow<System> faces{.system = kernels_.system,
                                .below = {u.below(), w.below()},
                                .above = {u.first, w.first},
                                .u_stride = u.component_stride,
                                .w_stride = w.component_stride,
                                .weight = 2 * D * step_.dt / step_.dx[axis]};
    return limit_and_close_row(faces, step_.walls, valid_, axis, row, n, flux, flux_stride);
  }

  const RowKernels<System>& kernels_;
  ConstView<D> before_;
  ConstView<D> u_;
  Box<D> valid_;
  StepSize<D> step_;
  const SweepWorkspace<D>& work_;
};

/// Compute the fluxes of a block, set the valid cells to those before and what the fluxes bring,
/// and check them; then let gravity act. Call finish(cells) for boxes that together are the valid
/// cells, each once its states are final; not after an inadmissible state was found, which stays as
/// it is.
/// @param before  the states at the start, which limit fluxes; may be u
/// @param u       in: what is reconstructed
/// @param after   the share of the new states in what gravity acts on, see add_gravity
template <class System, class F, int D = System::dim>
StepReport<D> sweep(const RowKernels<System>& kernels, ConstView<D> before, View<double, D> u,
                    const Box<D>& valid, StepSize<D> step, const SweepWorkspace<D>& work,
                    double after, F&& finish) {
  StepReport<D> report;
  for (int a = 0; a < D; ++a) {
    const auto axis = static_cast<std::size_t>(a);
    report.flux[axis] = work.flux[axis].part(faces_of(valid, a));
  }
  const FluxSweep<System> fluxes(kernels, before, u, valid, step, work);
  report.fallbacks.limited_fluxes = fluxes.along_all_axes([&](const Box<D>& settled) {
    apply_fluxes(kernels.system, before, u, settled, step, report);
    if (report.inadmissible) return;
    add_gravity(kernels.system, u, settled, step.dt, after, work.old.block());
    finish(settled);
  });
  report.fallbacks.replaced_states = work.replaced.sum();
  return report;
}

}  // namespace thalweg::numerics::detail
