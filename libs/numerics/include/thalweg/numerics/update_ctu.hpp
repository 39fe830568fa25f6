// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include <thalweg/numerics/const_view.hpp>
#include <thalweg/numerics/correction_kernels.hpp>
#include <thalweg/numerics/ctu.hpp>
#include <thalweg/numerics/detail/apply_fluxes.hpp>
#include <thalweg/numerics/detail/ctu_shocks.hpp>
#include <thalweg/numerics/detail/ctu_solve.hpp>
#include <thalweg/numerics/detail/ctu_trace.hpp>
#include <thalweg/numerics/detail/ctu_workspace.hpp>
#include <thalweg/numerics/detail/limit_flux.hpp>
#include <thalweg/numerics/detail/planes.hpp>
#include <thalweg/numerics/detail/to_primitive.hpp>
#include <thalweg/numerics/detail/wall_faces.hpp>
#include <thalweg/numerics/row_kernels.hpp>

namespace thalweg::numerics {

namespace detail {

/// Keep the new states admissible: blend a plane of fluxes with first-order ones where they must
/// be.
template <class System, int D = System::dim>
std::int64_t limit_fluxes(const System& system, int axis, int plane, ConstView<D> u,
                          const Box<D>& valid, StepSize<D> step, const CtuWorkspace<D>& work) {
  std::int64_t n_limited = 0;
  const View<double, D>& flux = work.flux[static_cast<std::size_t>(axis)];
  for_each_row(in_plane(flux.box(), plane), [&](const Index<D>& row, int n) {
    const double* const u_row = u.at(0, row);
    const double* const w_row = work.old.at(0, row);
    const FaceRow<System> faces{.system = system,
                                .below = {u_row - u.stride(axis), w_row - work.old.stride(axis)},
                                .above = {u_row, w_row},
                                .u_stride = u.component_stride(),
                                .w_stride = work.old.component_stride(),
                                .weight = 2 * D * step.dt / step.dx[axis]};
    n_limited += limit_and_close_row(faces, work.walls, valid, axis, row, n, flux.at(0, row),
                                     flux.component_stride());
  });
  return n_limited;
}

}  // namespace detail

/// Corner transport upwind with rules that are chosen while the program runs: a BlockScheme, as Ctu
/// is, which calls it.
///
/// Parabolas in the cells are traced along the
/// characteristics to their faces for half a step; fluxes between these states correct the states
/// along the other axes, so that each face also hears of the cells across its edges and corners;
/// the fluxes between the corrected states are those of the step:
///     u += dt/dx_a (F_a,lo - F_a,hi), summed in the order of the axes.
/// A GravitySystem's pressure is traced less the weight of the gas, and gravity acts on the mean of
/// the densities before and after the step, its work on that of the momenta. Riemann problems a
/// cell: 1 in one dimension, 4 in two, 12 in three. Parabolas are flattened in shocks, and
/// artificial viscosity is added where the flow converges (ShockCare).
///
/// The flux through a face is a function of the n_ghosts cells on either side of it and of their
/// neighbours along the other axes alone: blocks of any size give the same bits. A uniform state
/// stays the same to the bit. What keeps density and pressure positive is described in
/// detail/limit_flux.hpp; it changes nothing where the flow is smooth.
///
/// @shape   u      n_components on valid.grown(n_ghosts) or more; corner ghost cells are read too
/// @shape   start  any: not read
/// @shape   flux   n_components on faces_of(valid, axis), in scratch, until scratch is used again
/// @pre     dt * max_signal(...) <= 1; 1/(2D) for guaranteed positivity
/// @errors  none; a state made inadmissible by the fluxes is reported, and u then holds it
/// @threads safe on distinct blocks and scratch       @cost no allocation
/// @source  Colella, JCP 87 (1990) 171; Saltzman, JCP 115 (1994) 153, for three dimensions; Miller
///          and Colella, JCP 183 (2002) 26; Almgren et al., ApJ 715 (2010) 1221, for the whole
/// @verified update_ctu_test.cpp; apps/hydro/test: blocks, free_stream, convergence, positivity
template <CharacteristicSystem System>
struct CtuRows : RowKernels<System> {
  using RowKernels<System>::dim;
  using RowKernels<System>::n_components;

  CorrectionKernels<System> corrections;  ///< those of the Riemann solver of the fluxes
  ShockCare care{};
  int n_ghosts = ctu_ghosts<System>(this->edges.radius);

  std::span<const Stage> stages() const { return one_stage; }
  StepReport<dim> update_stage(std::size_t, View<double, dim> u, ConstView<dim>,
                               const Box<dim>& valid, StepSize<dim> step,
                               std::span<std::byte> scratch) const {
    static_assert(
        !DiffusiveSystem<System> && !MeetingSystem<System> && n_coefficients_of<System> == 0,
        "a system with diffusion or coefficients goes with RungeKutta");
    THALWEG_EXPECT(u.n_components() == n_components, "components differ from the system's");
    THALWEG_EXPECT(u.box().contains(valid.grown(n_ghosts)), "too few ghost cells");
    Scratch pieces(scratch);
    auto work = workspace(valid, pieces);
    work.walls = detail::weighed_walls(this->system, step.walls);
    StepReport<dim> report{.flux = work.flux};
    const Box<dim> traced = valid.grown(1);
    detail::for_each_plane(work.old.box(), [&](int newest) {
      const auto cells = detail::in_plane(work.old.box(), newest);
      detail::convert_box(this->system, cells, u, work.old);
      // To trace a plane, and find shocks in it, takes n_ghosts - 1 planes on either side.
      const int plane = newest - (n_ghosts - 1);
      if (dim > 1 && plane < traced.lo[dim - 1]) return;
      find_fluxes(u, valid, plane, step, work, report.fallbacks);
      const auto settled = detail::in_plane(valid, plane - 1);
      detail::apply_fluxes(this->system, u, u, settled, step, report);
      if (report.inadmissible) return;
      detail::add_gravity(this->system, u, settled, step.dt, 0.5, work.old);
    });
    report.fallbacks.replaced_states = work.replaced.sum();
    return report;
  }
  std::size_t scratch_bytes(const Box<dim>& valid) const {
    Scratch counting;
    workspace(valid, counting);
    return counting.n_bytes();
  }

 private:
  /// Trace a plane of cells, and find the fluxes that are known then.
  void find_fluxes(ConstView<dim> u, const Box<dim>& valid, int plane, StepSize<dim> step,
                   detail::CtuWorkspace<dim>& work, Fallbacks& fallbacks) const {
    const System& equations = this->system;
    detail::find_flatness(equations, care, plane, work);
    for (int a = 0; a < dim; ++a) detail::trace<System>(*this, a, plane, step, work);
    detail::solve_with_corners<System>(*this, corrections, plane, step, work);
    if constexpr (ShockSystem<System>)
      if (care.viscosity > 0) {
        detail::find_divergence(equations, plane, step, work);
        for (int a = 0; a < dim; ++a)
          detail::add_viscosity<System>(care.viscosity, a, detail::plane_of_fluxes<dim>(a, plane),
                                        u, step, work);
      }
    for (int a = 0; a < dim; ++a)
      fallbacks.limited_fluxes += detail::limit_fluxes(
          equations, a, detail::plane_of_fluxes<dim>(a, plane), u, valid, step, work);
  }
  detail::CtuWorkspace<dim> workspace(const Box<dim>& valid, Scratch& scratch) const {
    detail::CtuWorkspace<dim> work(valid, n_components, corrections.n_face_state, n_ghosts,
                                   scratch);
    work.weight = detail::take_weight(*this, valid.grown(1).extent(0), scratch);
    return work;
  }
};

template <CharacteristicSystem S, Reconstruction R, RiemannSolver<S> F>
CtuRows<S> Ctu<S, R, F>::rows() const {
  return {{system, edge_kernel<R>, face_kernels<S, F>}, correction_kernels<S, F>, care};
}

}  // namespace thalweg::numerics
