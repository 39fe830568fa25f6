// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <concepts>

#include <thalweg/numerics/characteristic.hpp>
#include <thalweg/numerics/system.hpp>

namespace thalweg::numerics {

/// A system with an average of two states for which its linearised form is exact across the jump.
///
/// - roe_average(l, r): the state w with A(w) (U_r - U_l) = F_r - F_l;
/// - conserved_change(w, dw): what a small change dw of the state w changes in the conserved state.
///
/// Valid: hydro::Euler<3>. Invalid: one whose average is the mean of the two states.
template <class S>
concept RoeSystem = CharacteristicSystem<S> && requires(const S s, typename S::Primitive w) {
  { s.roe_average(w, w) } -> std::same_as<typename S::Primitive>;
  { s.conserved_change(w, w) } -> std::same_as<typename S::State>;
};

namespace detail {

/// |speed| of a wave; where the wave is a fan that spreads by `spread` to a side, not below what
/// keeps it from standing as a shock. @source Harten (1983), eq. 3.3; LeVeque (2002), eq. 15.53
constexpr double speed_with_spread(double speed, double spread) {
  const double magnitude = std::abs(speed);
  const double rounded = 0.5 * (speed * speed / std::max(spread, 1e-200) + spread);
  return magnitude < spread ? rounded : magnitude;
}

}  // namespace detail

/// Roe's flux: each wave of the linearised problem is taken from where it comes,
///
///     F = (F_l + F_r)/2 - 1/2 sum_k |lambda_k| (part of U_r - U_l that wave k carries).
///
/// A single shock or contact is resolved exactly. Of the outermost waves, which alone may be fans,
/// |lambda_k| is bounded below where they spread: Roe's own flux lets a fan stand as an expansion
/// shock where it is sonic. Between streams that tear apart strongly the linearised problem may
/// have a negative pressure: schemes limit such fluxes.
/// @threads safe
/// @source Roe, JCP 43 (1981) 357, eq. 15-21; the fix: Harten, JCP 49 (1983) 357, eq. 3.3, with the
///         width of Harten and Hyman, JCP 50 (1983) 235: max(0, lambda - lambda_l, lambda_r -
///         lambda), none in shocks and contacts
/// @verified apps/hydro/test/riemann_roe_test.cpp
struct RiemannRoe {
  template <RoeSystem System>
  static constexpr auto flux(const System& system, const typename System::Primitive& l,
                             const typename System::Primitive& r, int axis) {
    using State = typename System::State;
    const auto mean = system.roe_average(l, r);
    const auto jump = map_components([](double a, double b) { return b - a; }, l, r);
    constexpr int last = System::n_waves - 1;
    const auto scaled = [&](int wave, double speed) {
      return map_components(
          [=](double du) { return speed * du; },
          system.conserved_change(mean, system.wave_part(mean, jump, wave, axis)));
    };
    const auto of_fan = [&](int wave) {
      const double speed = system.wave_speed(mean, wave, axis);
      const double spread = std::max(speed - system.wave_speed(l, wave, axis),
                                     system.wave_speed(r, wave, axis) - speed);
      return scaled(wave, detail::speed_with_spread(speed, std::max(0.0, spread)));
    };
    const auto add = [](double a, double b) { return a + b; };
    // The outer waves first: a mirrored problem gives the mirrored flux to the bit.
    State waves = map_components(add, of_fan(0), of_fan(last));
    for (int k = 1; k < last; ++k)
      waves = map_components(add, waves, scaled(k, std::abs(system.wave_speed(mean, k, axis))));
    return map_components([](double f_l, double f_r, double w) { return 0.5 * ((f_l + f_r) - w); },
                          system.flux(l, axis), system.flux(r, axis), waves);
  }
};

}  // namespace thalweg::numerics
