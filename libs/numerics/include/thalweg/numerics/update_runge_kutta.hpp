// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <span>

#include <thalweg/numerics/const_view.hpp>
#include <thalweg/numerics/detail/flux_sweep.hpp>
#include <thalweg/numerics/detail/sweep_workspace.hpp>
#include <thalweg/numerics/row_kernels.hpp>
#include <thalweg/numerics/rows.hpp>
#include <thalweg/numerics/runge_kutta.hpp>
#include <thalweg/numerics/scratch.hpp>

namespace thalweg::numerics {

namespace detail {

/// u += of_start (start - u): a mean that leaves equal states as they are, to the bit.
template <int D>
void mix_in_start(View<double, D> u, ConstView<D> start, const Box<D>& valid, double of_start) {
  for (int c = 0; c < u.n_components(); ++c)
    for_each_row(valid, [&](const Index<D>& row, int n) {
      double* const q = u.at(c, row);
      const double* const before = start.at(c, row);
      for_each_in_row(n, [=](int i) { q[i] += of_start * (before[i] - q[i]); });
    });
}

}  // namespace detail

/// The method of lines with rules that are chosen while the program runs: a BlockScheme, as
/// RungeKutta is, which calls it.
///
/// Reconstruction and a Riemann solver give the fluxes of the state u itself; with them
///     u <- of_start u_start + (1 - of_start) (u + dt/dx_a (F_a,lo - F_a,hi)),
/// the axes summed in their order; a GravitySystem's pressure is reconstructed less the weight of
/// the gas, and gravity acts on u. The flux through a face is a function of the n_ghosts cells on
/// either side of it along its axis: blocks of any size give the same bits. A uniform state stays
/// the same to the bit. Each stage is a mean of Euler steps, so what detail/limit_flux.hpp does for
/// one keeps density and pressure positive in all.
///
/// @shape   u      n_components on valid.grown(n_ghosts) or more; corner ghost cells are not read
/// @shape   start  n_components on valid; not read where the stage's of_start is 0
/// @shape   flux   n_components on faces_of(valid, axis), in scratch, until that is used again
/// @pre     dt * max_signal(...) <= 1/D; 1/(2D) for guaranteed positivity
/// @errors  none; a state made inadmissible by the fluxes is reported, and u then holds it
/// @threads safe on distinct blocks and scratch       @cost no allocation
/// @verified runge_kutta_test.cpp; apps/hydro/test: blocks, free_stream, convergence_lines
template <HyperbolicSystem System>
struct RungeKuttaRows : RowKernels<System> {
  using RowKernels<System>::dim;
  using RowKernels<System>::n_components;

  int order = 3;  ///< 2 or 3: also the number of stages
  int n_ghosts = 1 + this->edges.radius;

  std::span<const Stage> stages() const { return runge_kutta_stages(order); }
  StepReport<dim> update_stage(std::size_t stage, View<double, dim> u, ConstView<dim> start,
                               const Box<dim>& valid, StepSize<dim> step,
                               std::span<std::byte> scratch) const {
    THALWEG_EXPECT(u.n_components() == n_components, "components differ from the system's");
    THALWEG_EXPECT(u.box().contains(valid.grown(n_ghosts)), "too few ghost cells");
    Scratch pieces(scratch);
    const detail::SweepWorkspace<dim> work(*this, valid, n_ghosts, false, pieces);
    const double of_start = stages()[stage].of_start;
    return detail::sweep<System>(*this, u, u, valid, step, work, 0.0, [&](const Box<dim>& cells) {
      if (of_start > 0) detail::mix_in_start<dim>(u, start, cells, of_start);
    });
  }
  std::size_t scratch_bytes(const Box<dim>& valid) const {
    Scratch counting;
    detail::SweepWorkspace<dim>(*this, valid, n_ghosts, false, counting);
    return counting.n_bytes();
  }
};

template <HyperbolicSystem S, Reconstruction R, RiemannSolver<S> F>
RungeKuttaRows<S> RungeKutta<S, R, F>::rows() const {
  return {{system, edge_kernel<R>, face_kernels<S, F>}, order};
}

}  // namespace thalweg::numerics
