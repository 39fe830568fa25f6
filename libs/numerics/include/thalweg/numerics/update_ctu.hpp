// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include <thalweg/numerics/const_view.hpp>
#include <thalweg/numerics/ctu.hpp>
#include <thalweg/numerics/detail/apply_fluxes.hpp>
#include <thalweg/numerics/detail/ctu_shocks.hpp>
#include <thalweg/numerics/detail/ctu_solve.hpp>
#include <thalweg/numerics/detail/ctu_trace.hpp>
#include <thalweg/numerics/detail/ctu_workspace.hpp>
#include <thalweg/numerics/detail/limit_flux.hpp>
#include <thalweg/numerics/detail/to_primitive.hpp>

namespace thalweg::numerics {

/// Bytes of scratch that update_ctu needs for a block of this many valid cells.
template <class Scheme>
std::size_t scratch_bytes_ctu(const Box<Scheme::dim>& valid) {
  Scratch counting;
  detail::CtuWorkspace<Scheme>(valid, counting);
  return counting.n_bytes();
}

namespace detail {

/// Keep the new states admissible: blend fluxes with first-order ones where they must be.
template <class Scheme, int Axis, int D = Scheme::dim>
std::int64_t limit_fluxes(const Scheme& scheme, std::integral_constant<int, Axis> axis,
                          ConstView<D> u, StepSize<D> step, const CtuWorkspace<Scheme>& work) {
  std::int64_t n_limited = 0;
  const View<double, D>& flux = work.flux[Axis];
  for_each_row(flux.box(), [&](const Index<D>& row, int n) {
    const double* const u_row = u.at(0, row);
    const double* const w_row = work.old.at(0, row);
    const FaceRow<typename Scheme::System> faces{
        .system = scheme.system,
        .below = {u_row - u.stride(Axis), w_row - work.old.stride(Axis)},
        .above = {u_row, w_row},
        .u_stride = u.component_stride(),
        .w_stride = work.old.component_stride(),
        .weight = 2 * D * step.dt / step.dx[Axis]};
    n_limited += limit_flux_row(faces, axis, n, flux.at(0, row), flux.component_stride());
  });
  return n_limited;
}

}  // namespace detail

/// Advance the valid cells of one block by one step, in place.
///
/// The unsplit corner transport upwind scheme. Parabolas in the cells are traced along the
/// characteristics to their faces for half a step; fluxes between these states correct the states
/// along the other axes, so that each face also hears of the cells across its edges and corners;
/// the fluxes between the corrected states are those of the step:
///     u += dt/dx_a (F_a,lo - F_a,hi), summed in the order of the axes.
/// Riemann problems a cell: 1 in one dimension, 4 in two, 12 in three. Parabolas are flattened in
/// shocks, and artificial viscosity is added where the flow converges (ShockCare).
///
/// The flux through a face is a function of the n_ghosts cells on either side of it and of their
/// neighbours along the other axes alone: blocks of any size give the same bits. A uniform state
/// stays the same to the bit. What keeps density and pressure positive is described in
/// detail/limit_flux.hpp; it changes nothing where the flow is smooth.
///
/// @shape   u      n_components on valid.grown(n_ghosts) or more; corner ghost cells are read too
/// @shape   flux   n_components on faces_of(valid, axis), in scratch, until scratch is used again
/// @pre     dt * max_signal(...) <= 1; 1/(2D) for guaranteed positivity
/// @errors  none; an inadmissible new state is reported, and u then holds it
/// @threads safe on distinct blocks and scratch       @cost no allocation
/// @source  Colella, JCP 87 (1990) 171; Saltzman, JCP 115 (1994) 153, for three dimensions; Miller
///          and Colella, JCP 183 (2002) 26; Almgren et al., ApJ 715 (2010) 1221, for the whole
/// @verified update_ctu_test.cpp; apps/hydro/test: blocks, free_stream, convergence, positivity
template <class Scheme>
StepReport<Scheme::dim> update_ctu(const Scheme& scheme, View<double, Scheme::dim> u,
                                   const Box<Scheme::dim>& valid, StepSize<Scheme::dim> step,
                                   std::span<std::byte> scratch) {
  constexpr int D = Scheme::dim;
  static_assert(!DiffusiveSystem<typename Scheme::System>,
                "a system with diffusion goes with RungeKutta, whose stages evaluate it");
  THALWEG_EXPECT(u.n_components() == Scheme::n_components, "components differ from the system's");
  THALWEG_EXPECT(u.box().contains(valid.grown(Scheme::n_ghosts)), "too few ghost cells");
  Scratch pieces(scratch);
  const detail::CtuWorkspace<Scheme> work(valid, pieces);
  detail::convert_to_primitive(scheme.system, u, work.old);
  detail::find_flatness(scheme, work);
  for_each_axis<D>([&](auto axis) { detail::trace(scheme, axis, step, work); });
  detail::solve_with_corners(scheme, step, work);
  if constexpr (ShockSystem<typename Scheme::System>)
    if (scheme.care.viscosity > 0) {
      detail::find_divergence(scheme, step, work);
      for_each_axis<D>([&](auto axis) { detail::add_viscosity(scheme, axis, u, step, work); });
    }
  StepReport<D> report{.flux = work.flux};
  report.fallbacks.replaced_states = work.replaced.sum();
  for_each_axis<D>([&](auto axis) {
    report.fallbacks.limited_fluxes += detail::limit_fluxes(scheme, axis, u, step, work);
  });
  report.inadmissible = detail::apply_fluxes(scheme.system, u, valid, step, work.flux);
  return report;
}

template <CharacteristicSystem S, Reconstruction R, RiemannSolver<S> F>
auto Ctu<S, R, F>::update(View<double, dim> u, const Box<dim>& valid, StepSize<dim> step,
                          std::span<std::byte> scratch) const -> StepReport<dim> {
  return update_ctu(*this, u, valid, step, scratch);
}

template <CharacteristicSystem S, Reconstruction R, RiemannSolver<S> F>
std::size_t Ctu<S, R, F>::scratch_bytes(const Box<dim>& valid) const {
  return scratch_bytes_ctu<Ctu>(valid);
}

}  // namespace thalweg::numerics
