// SPDX-License-Identifier: MIT
#pragma once
#include <thalweg/numerics/detail/apply_fluxes.hpp>
#include <thalweg/numerics/detail/flux_sweep.hpp>
#include <thalweg/numerics/detail/vl2_workspace.hpp>
#include <thalweg/numerics/rows.hpp>

namespace thalweg::numerics::detail {

/// Compute the fluxes from the half-step states, add them to the valid cells, and check those.
template <class Scheme, int D = Scheme::dim>
StepReport<D> correct(const Scheme& scheme, View<double, D> u, const Box<D>& valid,
                      StepSize<D> step, const Vl2Workspace<Scheme>& work) {
  StepReport<D> report{.flux = work.flux};
  const FluxSweep sweep(scheme, u, valid, step, work);
  for_each_axis<D>([&](auto axis) { report.fallbacks.limited_fluxes += sweep.along(axis); });
  report.fallbacks.replaced_states = work.replaced.sum();
  report.inadmissible = apply_fluxes(scheme.system, u, valid, step, work.flux);
  return report;
}

}  // namespace thalweg::numerics::detail
