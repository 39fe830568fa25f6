// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <concepts>

#include <thalweg/core/fused.hpp>
#include <thalweg/core/vec.hpp>
#include <thalweg/hydro/euler.hpp>
#include <thalweg/numerics/carrying_system.hpp>
#include <thalweg/numerics/characteristic.hpp>
#include <thalweg/numerics/face_flux.hpp>
#include <thalweg/numerics/gravity_system.hpp>
#include <thalweg/numerics/scheme.hpp>
#include <thalweg/numerics/system.hpp>
#include <thalweg/numerics/transverse.hpp>

namespace thalweg::hydro {

/// A gas and the mass of N scalars, as it is stored.
template <int D, int N>
struct ScalarState {
  GasState<D> gas;
  BasicVec<double, N> rho_x;  ///< mass of each scalar per unit volume

  constexpr bool operator==(const ScalarState&) const = default;
};

/// What is reconstructed of a gas with N scalars.
template <int D, int N>
struct ScalarPrimitive {
  GasPrimitive<D> gas;
  BasicVec<double, N> x;  ///< share of the mass

  constexpr bool operator==(const ScalarPrimitive&) const = default;
};

/// What passes a face, with its scalars.
template <int D, int N>
struct ScalarFaceState {
  GasFaceState<D> gas;
  BasicVec<double, N> rho_x;  ///< flux of each scalar's mass
};

/// What a gas with scalars loses between two faces.
template <int D, int N>
struct ScalarTransverseDifference {
  GasTransverseDifference<D> gas;
  BasicVec<double, N> rho_x;
};

/// A gas that carries N passive scalars: what share X_k of its mass is dye, fuel, ...
///
///     d_t (rho X_k) + div (rho X_k v) = 0
/// beside the Euler equations, which do not know of X. What is stored is rho X_k, after the gas.
/// Solve Riemann problems by RiemannWithScalars, so that scalars go where the mass goes: then the
/// gas has the bits that it has without them, and a constant X stays one to rounding. keeps_bounds
/// limits their fluxes alone, so the gas keeps its bits.
/// @threads safe   @verified scalar_gas_test.cpp
template <int D, int N, EquationOfState Eos = GammaLaw>
struct ScalarGas {
  static constexpr int dim = D;
  static constexpr int n_components = Euler<D, Eos>::n_components + N;
  static constexpr int n_waves = Euler<D, Eos>::n_waves;
  static constexpr auto admissible_states = Euler<D, Eos>::admissible_states;
  using State = ScalarState<D, N>;
  using Primitive = ScalarPrimitive<D, N>;

  static constexpr int density_at = Euler<D, Eos>::density_at;
  static constexpr int velocity_at = Euler<D, Eos>::velocity_at;
  static constexpr int pressure_at = Euler<D, Eos>::pressure_at;
  static constexpr int n_carried = N;

  Euler<D, Eos> gas{};
  bool keeps_bounds = false;  ///< X_k within 0 and 1, where it is at the start and outside

  constexpr bool operator==(const ScalarGas&) const = default;
  /// The same with an equation of state of which this one is a case.
  template <EquationOfState Other>
    requires(!std::same_as<Other, Eos> && std::convertible_to<Eos, Other>)
  constexpr operator ScalarGas<D, N, Other>() const {
    return {gas, keeps_bounds};
  }

  constexpr Primitive to_primitive(State u) const {
    return {gas.to_primitive(u.gas), (1.0 / u.gas.rho) * u.rho_x};
  }
  constexpr State to_conserved(Primitive w) const {
    return {gas.to_conserved(w.gas), w.gas.rho * w.x};
  }
  constexpr State flux(Primitive w, int axis) const {
    const auto f = gas.flux(w.gas, axis);
    return {f, f.rho * w.x};
  }
  constexpr State plus_flux(State u, Primitive w, double scale, State change, int axis) const {
    const double moved = fused(scale, w.gas.vel[axis], 1.0);
    return {gas.plus_flux(u.gas, w.gas, scale, change.gas, axis), moved * u.rho_x - change.rho_x};
  }
  constexpr State without_tension(State mean, Primitive l, Primitive r, int axis) const {
    return {gas.without_tension(mean.gas, l.gas, r.gas, axis), mean.rho_x};
  }
  constexpr numerics::Speeds riemann_speeds(Primitive l, Primitive r, int axis) const {
    return gas.riemann_speeds(l.gas, r.gas, axis);
  }
  constexpr double max_speed(Primitive w, int axis) const { return gas.max_speed(w.gas, axis); }
  constexpr double wave_speed(Primitive w, int wave, int axis) const {
    return gas.wave_speed(w.gas, wave, axis);
  }
  /// Scalars jump across the contact alone.
  constexpr Primitive wave_part(Primitive w, Primitive dw, int wave, int axis) const {
    const double share = wave == 1 ? 1.0 : 0.0;
    return {gas.wave_part(w.gas, dw.gas, wave, axis), share * dw.x};
  }
  using FaceState = ScalarFaceState<D, N>;
  using TransverseDifference = ScalarTransverseDifference<D, N>;
  constexpr FaceState face_state(Primitive w, int axis) const {
    const auto c = gas.face_state(w.gas, axis);
    return {c, c.mass * w.x};
  }
  constexpr TransverseDifference transverse_difference(Primitive w, FaceState lower,
                                                       FaceState upper) const {
    return {gas.transverse_difference(w.gas, lower.gas, upper.gas), upper.rho_x - lower.rho_x};
  }
  constexpr Primitive apply_transverse(Primitive w, TransverseDifference x) const {
    const auto after = gas.apply_transverse(w.gas, x.gas);
    return {after, (1.0 / after.rho) * (w.gas.rho * w.x - x.rho_x)};
  }
  constexpr double pressure_excess(Primitive w) const { return gas.pressure_excess(w.gas); }
  constexpr double velocity(Primitive w, int axis) const { return w.gas.vel[axis]; }
  constexpr bool admissible(State u) const {
    int has_numbers = 1;
    for (int k = 0; k < N; ++k) has_numbers &= int(u.rho_x[k] == u.rho_x[k]);
    return bool(int(gas.admissible(u.gas)) & has_numbers);
  }
  constexpr bool admissible(Primitive w) const { return gas.admissible(w.gas); }
  constexpr bool passes_floor(State u, Primitive reference) const {
    return gas.passes_floor(u.gas, reference.gas);
  }
  constexpr Vec<D> acceleration() const { return gas.acceleration(); }
  constexpr double density_floor() const { return gas.density_floor(); }
  constexpr bool has_bounded_shares() const { return keeps_bounds; }
  constexpr State raise_pressure(State u, double dp) const {
    return {gas.raise_pressure(u.gas, dp), u.rho_x};
  }
  constexpr State mirror(State u, int axis) const { return {gas.mirror(u.gas, axis), u.rho_x}; }
};

/// The flux of a gas by one of its own solvers; its mass carries the scalars of the side that it
/// comes from, which is that of the contact.
/// @source Larrouturou, JCP 95 (1991) 59, eq. 3.8
template <class Solver>
struct RiemannWithScalars {
  template <int D, int N, class Eos>
    requires numerics::SolverInTwoParts<Solver, Euler<D, Eos>>
  static constexpr auto waves(const ScalarGas<D, N, Eos>& system, const ScalarPrimitive<D, N>& l,
                              const ScalarPrimitive<D, N>& r, int axis) {
    return Solver::waves(system.gas, l.gas, r.gas, axis);
  }
  template <int D, int N, class Eos, class... Waves>
  static constexpr ScalarState<D, N> flux(const ScalarGas<D, N, Eos>& system,
                                          const ScalarPrimitive<D, N>& l,
                                          const ScalarPrimitive<D, N>& r, int axis,
                                          const Waves&... waves) {
    const auto gas = Solver::flux(system.gas, l.gas, r.gas, axis, waves...);
    return {gas, std::max(gas.rho, 0.0) * l.x + std::min(gas.rho, 0.0) * r.x};
  }
  template <int D, int N, class Eos, class... Waves>
    requires numerics::FaceSolver<Solver, Euler<D, Eos>>
  static constexpr ScalarPrimitive<D, N> face(const ScalarGas<D, N, Eos>& system,
                                              const ScalarPrimitive<D, N>& l,
                                              const ScalarPrimitive<D, N>& r, int axis,
                                              const Waves&... waves) {
    const auto gas = Solver::face(system.gas, l.gas, r.gas, axis, waves...);
    const double of_l = gas.vel[axis] > 0 ? 1.0 : 0.0;
    return {gas, of_l * l.x + (1.0 - of_l) * r.x};
  }
};

static_assert(numerics::CharacteristicSystem<ScalarGas<3, 2>> &&
              numerics::ShockSystem<ScalarGas<3, 2>>);
static_assert(numerics::GravitySystem<ScalarGas<3, 2>>);
static_assert(numerics::CarryingSystem<ScalarGas<3, 2>>);
static_assert(numerics::RiemannSolver<RiemannWithScalars<numerics::RiemannHllc>, ScalarGas<3, 2>>);

}  // namespace thalweg::hydro
