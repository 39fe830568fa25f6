// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstddef>
#include <span>

#include <thalweg/numerics/const_view.hpp>
#include <thalweg/numerics/detail/apply_fluxes.hpp>
#include <thalweg/numerics/detail/flux_sweep.hpp>
#include <thalweg/numerics/detail/row_buffer.hpp>
#include <thalweg/numerics/detail/tally.hpp>
#include <thalweg/numerics/detail/to_primitive.hpp>
#include <thalweg/numerics/rows.hpp>
#include <thalweg/numerics/runge_kutta.hpp>
#include <thalweg/numerics/scratch.hpp>

namespace thalweg::numerics {

namespace detail {

/// What a Runge-Kutta stage keeps while it works on one block.
template <class Scheme>
struct RungeKuttaWorkspace {
  static constexpr int D = Scheme::dim;

  RungeKuttaWorkspace(const Box<D>& valid, Scratch& scratch)
      : replaced(valid.grown(Scheme::n_ghosts), scratch) {
    // The fluxes outlive the stage: first, so that a caller may keep the front of the scratch only.
    for (int a = 0; a < D; ++a)
      flux[static_cast<std::size_t>(a)] = scratch.take(faces_of(valid, a), Scheme::n_components);
    old = scratch.take(valid.grown(Scheme::n_ghosts), Scheme::n_components);
    half = old;
    take_rows(valid.grown(Scheme::n_ghosts), Scheme::n_components, scratch, rows);
  }

  FluxViews<D> flux;              ///< through the faces of the valid cells
  View<double, D> old;            ///< primitive, at the start of the stage
  View<double, D> half;           ///< what is reconstructed: the same
  std::array<RowBuffer, 3> rows;  ///< for what the sweeps pass from row to row
  Tally replaced;                 ///< inadmissible states
};

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

/// Advance the valid cells of one block by one stage of a step, in place.
///
/// Reconstruction and a Riemann solver give the fluxes of the state u itself; with them
///     u <- of_start u_start + (1 - of_start) (u + dt/dx_a (F_a,lo - F_a,hi)),
/// the axes summed in their order. The flux through a face is a function of the n_ghosts cells on
/// either side of it along its axis: blocks of any size give the same bits. A uniform state stays
/// the same to the bit. Each stage is a mean of Euler steps, so what detail/limit_flux.hpp does for
/// one keeps density and pressure positive in all.
///
/// @shape   u      n_components on valid.grown(n_ghosts) or more; corner ghost cells are converted,
///                 but nothing depends on them
/// @shape   start  n_components on valid; not read where the stage's of_start is 0
/// @shape   flux   n_components on faces_of(valid, axis), in scratch, until scratch is used again
/// @pre     dt * max_signal(...) <= 1/D; 1/(2D) for guaranteed positivity
/// @errors  none; a state made inadmissible by the fluxes is reported
/// @threads safe on distinct blocks and scratch       @cost no allocation
/// @verified runge_kutta_test.cpp; apps/hydro/test: blocks, free_stream, convergence_lines
template <class Scheme>
StepReport<Scheme::dim> update_runge_kutta_stage(const Scheme& scheme, const Stage& stage,
                                                 View<double, Scheme::dim> u,
                                                 ConstView<Scheme::dim> start,
                                                 const Box<Scheme::dim>& valid,
                                                 StepSize<Scheme::dim> step,
                                                 std::span<std::byte> scratch) {
  constexpr int D = Scheme::dim;
  THALWEG_EXPECT(u.n_components() == Scheme::n_components, "components differ from the system's");
  THALWEG_EXPECT(u.box().contains(valid.grown(Scheme::n_ghosts)), "too few ghost cells");
  Scratch pieces(scratch);
  const detail::RungeKuttaWorkspace<Scheme> work(valid, pieces);
  detail::convert_to_primitive(scheme.system, u, work.old);
  StepReport<D> report{.flux = work.flux};
  const detail::FluxSweep sweep(scheme, u, valid, step, work);
  for_each_axis<D>([&](auto axis) { report.fallbacks.limited_fluxes += sweep.along(axis); });
  report.fallbacks.replaced_states = work.replaced.sum();
  report.inadmissible = detail::apply_fluxes(scheme.system, u, valid, step, work.flux);
  if (stage.of_start > 0) detail::mix_in_start<D>(u, start, valid, stage.of_start);
  return report;
}

template <HyperbolicSystem S, Reconstruction R, RiemannSolver<S> F>
auto RungeKutta<S, R, F>::update_stage(std::size_t stage, View<double, dim> u, ConstView<dim> start,
                                       const Box<dim>& valid, StepSize<dim> step,
                                       std::span<std::byte> scratch) const -> StepReport<dim> {
  return update_runge_kutta_stage(*this, stages()[stage], u, start, valid, step, scratch);
}

template <HyperbolicSystem S, Reconstruction R, RiemannSolver<S> F>
std::size_t RungeKutta<S, R, F>::scratch_bytes(const Box<dim>& valid) const {
  Scratch counting;
  detail::RungeKuttaWorkspace<RungeKutta>(valid, counting);
  return counting.n_bytes();
}

}  // namespace thalweg::numerics
