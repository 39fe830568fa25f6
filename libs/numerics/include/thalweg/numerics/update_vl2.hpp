// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <span>

#include <thalweg/numerics/detail/vl2_corrector.hpp>
#include <thalweg/numerics/detail/vl2_predictor.hpp>
#include <thalweg/numerics/detail/vl2_workspace.hpp>
#include <thalweg/numerics/scheme.hpp>

namespace thalweg::numerics {

/// Bytes of scratch that update_vl2 needs for a block of this many valid cells.
template <class Scheme>
std::size_t scratch_bytes_vl2(const Box<Scheme::dim>& valid) {
  Scratch counting;
  detail::Vl2Workspace<Scheme>(valid, counting);
  return counting.n_bytes();
}

/// Advance the valid cells of one block by one step, in place.
///
/// The unsplit predictor-corrector of van Leer: donor-cell fluxes give the states half a step on,
/// reconstruction and a Riemann solver there give the fluxes of the whole step,
///     u += dt/dx_a (F_a,lo - F_a,hi), summed in the order of the axes.
/// The predictor also runs in the ghost cells, so one ghost fill a step is enough.
///
/// The flux through a face is a function of the n_ghosts cells on either side of it and their
/// neighbours along the other axes alone: two blocks that share a face compute the same bits. A
/// uniform state stays the same to the bit. What keeps density and pressure positive is described
/// in detail/limit_flux.hpp; it changes nothing where the flow is smooth.
///
/// @shape   u      n_components on valid.grown(n_ghosts) or more; corner ghost cells are read too
/// @shape   flux   n_components on faces_of(valid, axis), in scratch, until scratch is used again
/// @pre     dt * max_signal(...) <= 1/2 (1 in one dimension); 1/(2D) for guaranteed positivity
/// @errors  none; an inadmissible new state is reported, and u then holds it
/// @threads safe on distinct blocks and scratch       @cost no allocation
/// @source  Stone and Gardiner, New Astronomy 14 (2009) 139
/// @verified update_vl2_test.cpp; apps/hydro/test: blocks, free_stream, convergence, positivity
template <class Scheme>
StepReport<Scheme::dim> update_vl2(const Scheme& scheme, View<double, Scheme::dim> u,
                                   const Box<Scheme::dim>& valid, StepSize<Scheme::dim> step,
                                   std::span<std::byte> scratch) {
  static_assert(!DiffusiveSystem<typename Scheme::System>,
                "a system with diffusion goes with RungeKutta, whose stages evaluate it");
  THALWEG_EXPECT(u.n_components() == Scheme::n_components, "components differ from the system's");
  THALWEG_EXPECT(u.box().contains(valid.grown(Scheme::n_ghosts)), "too few ghost cells");
  Scratch pieces(scratch);
  detail::Vl2Workspace<Scheme> work(valid, pieces);
  detail::predict(scheme, u, valid, step, work);
  return detail::correct(scheme, u, valid, step, work);
}

template <HyperbolicSystem S, Reconstruction R, RiemannSolver<S> F>
auto Scheme<S, R, F>::update(View<double, dim> u, const Box<dim>& valid, StepSize<dim> step,
                             std::span<std::byte> scratch) const -> StepReport<dim> {
  return update_vl2(*this, u, valid, step, scratch);
}

template <HyperbolicSystem S, Reconstruction R, RiemannSolver<S> F>
std::size_t Scheme<S, R, F>::scratch_bytes(const Box<dim>& valid) const {
  return scratch_bytes_vl2<Scheme>(valid);
}

}  // namespace thalweg::numerics
