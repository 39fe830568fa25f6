// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <span>

#include <thalweg/numerics/const_view.hpp>
#include <thalweg/numerics/detail/flux_sweep.hpp>
#include <thalweg/numerics/detail/sweep_workspace.hpp>
#include <thalweg/numerics/detail/vl2_predictor.hpp>
#include <thalweg/numerics/row_kernels.hpp>
#include <thalweg/numerics/scheme.hpp>
#include <thalweg/numerics/scratch.hpp>

namespace thalweg::numerics {

/// The predictor-corrector of van Leer with rules that are chosen while the program runs: a
/// BlockScheme, as Scheme is, which calls it.
///
/// Donor-cell fluxes give the states half a step on in stage 0; in stage 1, whose ghost cells are
/// half a step on too, reconstruction and a Riemann solver there give the fluxes of the whole step,
///     u <- u_start + dt/dx_a (F_a,lo - F_a,hi), summed in the order of the axes.
/// A GravitySystem's pressure is lifted to faces by the weight of the gas in both, and gravity acts
/// on the mean of the densities before and after the stage, its work on that of the momenta.
///
/// The flux through a face is a function of the n_ghosts cells on either side of it along its axis,
/// and of the one on either side at the start: two blocks that share a face compute the same bits.
/// A uniform state stays the same to the bit. What keeps density and pressure positive is described
/// in detail/limit_flux.hpp; it changes nothing where the flow is smooth.
///
/// @shape   u      n_components on valid.grown(n_ghosts) or more; corner ghost cells are not read
/// @shape   start  n_components on valid.grown(1) or more; not read in stage 0
/// @shape   flux   n_components on faces_of(valid, axis), in scratch, until that is used again;
///                 none in stage 0
/// @pre     dt * max_signal(...) <= 1/2 (1 in one dimension); 1/(2D) for guaranteed positivity
/// @errors  none; a state made inadmissible by the fluxes is reported, and u then holds it
/// @threads safe on distinct blocks and scratch       @cost no allocation
/// @source  Stone and Gardiner, New Astronomy 14 (2009) 139
/// @verified update_vl2_test.cpp; apps/hydro/test: blocks, free_stream, convergence, positivity
template <HyperbolicSystem System>
struct Vl2Rows : RowKernels<System> {
  using RowKernels<System>::dim;
  using RowKernels<System>::n_components;

  int n_ghosts = 1 + this->edges.radius;

  std::span<const Stage> stages() const { return vl2_stages; }
  StepReport<dim> update_stage(std::size_t stage, View<double, dim> u, ConstView<dim> start,
                               const Box<dim>& valid, StepSize<dim> step,
                               std::span<std::byte> scratch) const {
    static_assert(!DiffusiveSystem<System>,
                  "a system with diffusion goes with RungeKutta, whose stages evaluate it");
    THALWEG_EXPECT(u.n_components() == n_components, "components differ from the system's");
    THALWEG_EXPECT(u.box().contains(valid.grown(n_ghosts)), "too few ghost cells");
    Scratch pieces(scratch);
    return stage == 0 ? predict(u, valid, step, pieces) : correct(u, start, valid, step, pieces);
  }
  std::size_t scratch_bytes(const Box<dim>& valid) const {
    Scratch of_predictor, of_corrector;
    detail::PredictorWorkspace<dim>(*this, valid, of_predictor);
    detail::SweepWorkspace<dim>(*this, valid, n_ghosts, true, of_corrector);
    return std::max(of_predictor.n_bytes(), of_corrector.n_bytes());
  }

 private:
  StepReport<dim> predict(View<double, dim> u, const Box<dim>& valid, StepSize<dim> step,
                          Scratch& scratch) const {
    const detail::PredictorWorkspace<dim> work(*this, valid, scratch);
    detail::Predictor<System>(*this, u, valid, step, work).predict();
    return {.fallbacks = {.replaced_states = work.replaced.sum()}};
  }
  StepReport<dim> correct(View<double, dim> u, ConstView<dim> start, const Box<dim>& valid,
                          StepSize<dim> step, Scratch& scratch) const {
    THALWEG_EXPECT(start.box().contains(valid.grown(1)), "too few ghost cells at the start");
    const detail::SweepWorkspace<dim> work(*this, valid, n_ghosts, true, scratch);
    return detail::sweep<System>(*this, start, u, valid, step, work, 0.5, [](const Box<dim>&) {});
  }
};

template <HyperbolicSystem S, Reconstruction R, RiemannSolver<S> F>
Vl2Rows<S> Vl2<S, R, F>::rows() const {
  return {{system, edge_kernel<R>, face_kernels<S, F>}};
}

}  // namespace thalweg::numerics
