// SPDX-License-Identifier: MIT
#pragma once
#include <concepts>

#include <thalweg/numerics/reconstruction.hpp>
#include <thalweg/numerics/system.hpp>

namespace thalweg::numerics {

/// A system whose primitive form d_t w + A(w) d_x w = 0 can be taken apart into waves, as tracing
/// along characteristics needs.
///
/// - n_waves: distinct speeds, counted from the slowest;
/// - wave_speed(w, wave, axis): the speed of a wave;
/// - wave_part(w, dw, wave, axis): the part of the jump dw that this wave carries, with the
///   eigenvectors of A(w); the parts of all waves add up to dw.
///
/// Valid: hydro::Euler<3>, with n_waves = 3. Invalid: one that counts a degenerate wave twice.
template <class S>
concept CharacteristicSystem =
    HyperbolicSystem<S> && requires(const S s, typename S::Primitive w, int i) {
      { S::n_waves } -> std::convertible_to<int>;
      { s.wave_speed(w, i, i) } -> std::same_as<double>;
      { s.wave_part(w, w, i, i) } -> std::same_as<typename S::Primitive>;
    };

/// A system with shocks, which are told from other steep places by two numbers.
///
/// - pressure_excess(w): positive, and multiplied by shocks: the pressure of an ideal gas;
/// - velocity(w, axis): falls across shocks.
template <class S>
concept ShockSystem =
    HyperbolicSystem<S> && requires(const S s, typename S::Primitive w, int axis) {
      { s.pressure_excess(w) } -> std::same_as<double>;
      { s.velocity(w, axis) } -> std::same_as<double>;
    };

/// The mean of the parabola with these edges and this mean over the part of the cell next to its
/// upper face from which a wave of speed > 0 gets there; share = speed dt / dx <= 1.
/// @source Colella and Woodward (1984), eq. 1.12
constexpr double mean_below_upper_face(double mean, Edges e, double share) {
  const double curve = 6.0 * mean - 3.0 * (e.lower + e.upper);
  return e.upper - (0.5 * share) * ((e.upper - e.lower) - (1.0 - (2.0 / 3.0) * share) * curve);
}

/// The same next to the lower face, for a wave of speed < 0; share = -speed dt / dx.
constexpr double mean_above_lower_face(double mean, Edges e, double share) {
  const double curve = 6.0 * mean - 3.0 * (e.lower + e.upper);
  return e.lower + (0.5 * share) * ((e.upper - e.lower) + (1.0 - (2.0 / 3.0) * share) * curve);
}

}  // namespace thalweg::numerics
