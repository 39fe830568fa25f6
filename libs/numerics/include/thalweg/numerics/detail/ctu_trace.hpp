// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>

#include <thalweg/numerics/characteristic.hpp>
#include <thalweg/numerics/detail/ctu_workspace.hpp>
#include <thalweg/numerics/detail/guarded.hpp>
#include <thalweg/numerics/detail/reconstruct_row.hpp>
#include <thalweg/numerics/detail/weight.hpp>
#include <thalweg/numerics/row_kernels.hpp>
#include <thalweg/numerics/rows.hpp>
#include <thalweg/numerics/scheme.hpp>

namespace thalweg::numerics::detail {

/// Parabolas of all components in one cell.
template <class Primitive>
struct Parabolas {
  Primitive mean;
  Primitive lower;
  Primitive upper;

  constexpr Primitive below_upper_face(double share) const {
    return map_components(
        [=](double q, double lo, double hi) { return mean_below_upper_face(q, {lo, hi}, share); },
        mean, lower, upper);
  }
  constexpr Primitive above_lower_face(double share) const {
    return map_components(
        [=](double q, double lo, double hi) { return mean_above_lower_face(q, {lo, hi}, share); },
        mean, lower, upper);
  }
};

/// The state at the upper face of a cell half a step on: what the fastest wave brings there, less
/// the part that belongs to each wave that moves there, plus what that wave brings.
/// @source Miller and Colella, JCP 183 (2002) 26, sec. 3.2
template <CharacteristicSystem System, class Primitive = typename System::Primitive>
constexpr Primitive trace_to_upper(const System& system, const Parabolas<Primitive>& cell,
                                   double dt_dx, int axis) {
  const auto mean_of_wave = [&](double speed) {
    return cell.below_upper_face(std::max(speed, 0.0) * dt_dx);
  };
  const Primitive reference = mean_of_wave(system.wave_speed(cell.mean, System::n_waves - 1, axis));
  Primitive state = reference;
  for (int wave = 0; wave < System::n_waves - 1; ++wave) {
    const double speed = system.wave_speed(cell.mean, wave, axis);
    const Primitive missing =
        map_components([](double a, double b) { return a - b; }, mean_of_wave(speed), reference);
    const double moves_there = speed > 0 ? 1.0 : 0.0;
    state = map_components([=](double q, double dq) { return q + moves_there * dq; }, state,
                           system.wave_part(reference, missing, wave, axis));
  }
  return state;
}

/// The state at the lower face of a cell half a step on.
template <CharacteristicSystem System, class Primitive = typename System::Primitive>
constexpr Primitive trace_to_lower(const System& system, const Parabolas<Primitive>& cell,
                                   double dt_dx, int axis) {
  const auto mean_of_wave = [&](double speed) {
    return cell.above_lower_face(std::max(-speed, 0.0) * dt_dx);
  };
  const Primitive reference = mean_of_wave(system.wave_speed(cell.mean, 0, axis));
  Primitive state = reference;
  for (int wave = System::n_waves - 1; wave > 0; --wave) {
    const double speed = system.wave_speed(cell.mean, wave, axis);
    const Primitive missing =
        map_components([](double a, double b) { return a - b; }, mean_of_wave(speed), reference);
    const double moves_there = speed < 0 ? 1.0 : 0.0;
    state = map_components([=](double q, double dq) { return q + moves_there * dq; }, state,
                           system.wave_part(reference, missing, wave, axis));
  }
  return state;
}

/// The traced state, or the mean where that is inadmissible (as when a wave outruns a vacuum).
template <class System, class Primitive = typename System::Primitive>
constexpr Guarded<Primitive> admissible_or(const System& system, const Primitive& traced,
                                           const Primitive& mean) {
  return guarded(system.admissible(traced), traced, mean);
}

/// Trace a row of cells to their faces along an axis, from edges that are flattened first.
template <int Axis, class System>
void trace_row(const System& equations, int n, double dt_dx, const double* w,
               std::ptrdiff_t w_stride, const double* flatness, const EdgeRow& edges,
               double* to_lower, double* to_upper, std::ptrdiff_t to_stride,
               const TallyRow& replaced) {
  using Primitive = typename System::Primitive;
  compute_row(n, [=, system = equations](int i) {
    const auto mean = load<Primitive>(w + i, w_stride);
    const auto flatten = [f = flatness[i]](double q, double edge) { return q + f * (edge - q); };
    const Parabolas<Primitive> cell{
        mean, map_components(flatten, mean, load<Primitive>(edges.lower + i, edges.stride)),
        map_components(flatten, mean, load<Primitive>(edges.upper + i, edges.stride))};
    const auto lower = admissible_or(system, trace_to_lower(system, cell, dt_dx, Axis), mean);
    const auto upper = admissible_or(system, trace_to_upper(system, cell, dt_dx, Axis), mean);
    store(lower.state, to_lower + i, to_stride);
    store(upper.state, to_upper + i, to_stride);
    replaced.after[i] =
        replaced.before[i] + (bool(int(lower.is_own) & int(upper.is_own)) ? 0.0 : 1.0);
  });
}

/// Let gravity act for half a step on n traced states of cells at their upper or lower faces along
/// an axis, where that leaves admissible states: the tracing has seen what the pressure's gradient
/// along the axis lacks to hold the gas, so pressures are lifted to the faces, and velocities along
/// the other axes gain speed.
/// @param half  as add_weight takes it
template <GravitySystem System>
void weigh_traced_row(const System& system, int axis, int n, double half, double dt,
                      const double* rho, double* traced, std::ptrdiff_t stride) {
  add_weight(system, n, half, rho, traced, stride, traced, stride);
  for (int a = 0; a < System::dim; ++a)
    if (a != axis)
      for_each_in_row(n,
                      [v = traced + (System::velocity_at + a) * stride,
                       gain = 0.5 * dt * acceleration_along(system, a)](int i) { v[i] += gain; });
}

/// Trace a plane of the valid cells and one layer around them to their faces along an axis.
template <class System, int D = System::dim>
void trace(const RowKernels<System>& kernels, int axis, int plane, StepSize<D> step,
           CtuWorkspace<D>& work) {
  const FaceStates<D>& traced = work.traced[static_cast<std::size_t>(axis)];
  const System& system = kernels.system;
  const Weight weight = along(work.weight, system, axis, step.dx[axis]);
  for_each_row(in_plane(traced.lower.box(), plane), [&](const Index<D>& row, int n) {
    const double* const w = work.old.at(0, row);
    const EdgeRow edges{work.rows[0].data, work.rows[1].data, work.rows[0].stride,
                        work.replaced.counts(row)};
    reconstruct_row(system, kernels.edges, n, w, work.old.component_stride(), work.old.stride(axis),
                    edges, weight);
    with_axis<D>(axis, [&](auto a) {
      trace_row<a>(system, n, step.dt / step.dx[a], w, work.old.component_stride(),
                   work.flatness.at(0, row), edges, traced.lower.at(0, row),
                   traced.upper.at(0, row), traced.lower.component_stride(),
                   work.replaced.next_row(row, n));
    });
    if constexpr (GravitySystem<System>) {
      if (!has_gravity(system)) return;
      const double* const rho = w + System::density_at * work.old.component_stride();
      const std::ptrdiff_t stride = traced.lower.component_stride();
      weigh_traced_row(system, axis, n, -weight.half, step.dt, rho, traced.lower.at(0, row),
                       stride);
      weigh_traced_row(system, axis, n, weight.half, step.dt, rho, traced.upper.at(0, row), stride);
    }
  });
}

}  // namespace thalweg::numerics::detail
