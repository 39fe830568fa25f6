// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <span>

#include <thalweg/numerics/detail/flux_sweep.hpp>
#include <thalweg/numerics/detail/sweep_workspace.hpp>
#include <thalweg/numerics/detail/vl2_predictor.hpp>
#include <thalweg/numerics/row_kernels.hpp>
#include <thalweg/numerics/scheme.hpp>

namespace thalweg::numerics {

/// The predictor-corrector of van Leer with rules that are chosen while the program runs: a
/// BlockScheme, as Scheme is, which calls it.
///
/// Donor-cell fluxes give the states half a step on, reconstruction and a Riemann solver there give
/// the fluxes of the whole step,
///     u += dt/dx_a (F_a,lo - F_a,hi), summed in the order of the axes.
/// A GravitySystem's pressure is lifted to faces by the weight of the gas in both, and gravity acts
/// on the mean of the densities before and after the step, its work on that of the momenta.
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
template <HyperbolicSystem System>
struct Vl2Rows : RowKernels<System> {
  using RowKernels<System>::dim;
  using RowKernels<System>::n_components;

  /// Cells on either side of a face whose averages its flux is reconstructed from.
  int reach = 1 + this->edges.radius;
  int n_ghosts = 1 + reach;

  StepReport<dim> update(View<double, dim> u, const Box<dim>& valid, StepSize<dim> step,
                         std::span<std::byte> scratch) const {
    static_assert(!DiffusiveSystem<System>,
                  "a system with diffusion goes with RungeKutta, whose stages evaluate it");
    THALWEG_EXPECT(u.n_components() == n_components, "components differ from the system's");
    THALWEG_EXPECT(u.box().contains(valid.grown(n_ghosts)), "too few ghost cells");
    Scratch pieces(scratch);
    const auto work = workspace(valid, pieces);
    detail::Predictor<System>(*this, u, valid, reach, step, work).predict();
    return detail::sweep<System>(*this, u, valid, step, work, 0.5);
  }
  std::size_t scratch_bytes(const Box<dim>& valid) const {
    Scratch counting;
    workspace(valid, counting);
    return counting.n_bytes();
  }

 private:
  detail::SweepWorkspace<dim> workspace(const Box<dim>& valid, Scratch& scratch) const {
    detail::SweepWorkspace<dim> work(*this, valid, n_ghosts, scratch);
    work.half = scratch.take(valid.grown(reach), n_components);
    return work;
  }
};

template <HyperbolicSystem S, Reconstruction R, RiemannSolver<S> F>
Vl2Rows<S> Scheme<S, R, F>::rows() const {
  return {{system, edge_kernel<R>, face_kernels<S, F>}};
}

}  // namespace thalweg::numerics
