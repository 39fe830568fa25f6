// SPDX-License-Identifier: MIT
#pragma once
#include <concepts>
#include <cstddef>

#include <thalweg/core/vec.hpp>
#include <thalweg/numerics/rows.hpp>
#include <thalweg/numerics/system.hpp>

namespace thalweg::numerics {

/// A system on which a constant acceleration may act that its pressure holds against:
///     d_t (rho v) + div(rho v v + p) = rho g,    d_t E + div((E + p) v) = rho v g.
/// Schemes reconstruct the pressure less the weight of the gas and evaluate g within the step, so
/// that gas at rest stays at rest to rounding (docs/adr/0019-sources-and-gravity.md).
///
/// - acceleration(): g; where it is zero, schemes have the bits that they have without it;
/// - raise_pressure(u, dp): u with a pressure higher by dp, all else equal;
/// - density_at, velocity_at, pressure_at: places among the components of a Primitive; at the same
///   places a State has density, momenta and total energy.
///
/// Valid: hydro::Euler<3>. Invalid: shallow water, whose pressure is no component.
template <class S>
concept GravitySystem = HyperbolicSystem<S> && requires(const S s, typename S::State u, double dp) {
  { s.acceleration() } -> std::same_as<Vec<S::dim>>;
  { s.raise_pressure(u, dp) } -> std::same_as<typename S::State>;
  { S::density_at } -> std::convertible_to<int>;
  { S::velocity_at } -> std::convertible_to<int>;
  { S::pressure_at } -> std::convertible_to<int>;
};

/// The acceleration along an axis; 0 for systems that have none.
template <HyperbolicSystem System>
double acceleration_along(const System& system, int axis) {
  if constexpr (GravitySystem<System>)
    return system.acceleration()[axis];
  else
    return 0.0;
}

/// Say whether an acceleration acts along any axis.
template <HyperbolicSystem System>
bool has_gravity(const System& system) {
  bool has = false;
  for (int a = 0; a < System::dim; ++a) has = has || acceleration_along(system, a) != 0;
  return has;
}

}  // namespace thalweg::numerics
