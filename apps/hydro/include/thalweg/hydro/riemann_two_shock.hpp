// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>

#include <thalweg/hydro/euler.hpp>

namespace thalweg::hydro {

/// The state at a face after one step of the two-shock approximation, and its flux.
///
/// Both outer waves are taken as weak: with the Lagrangian sound speeds W = rho c,
///     p* = (W_r p_l + W_l p_r + W_l W_r (v_l - v_r)) / (W_l + W_r)
///     v* = (W_l v_l + W_r v_r + p_l - p_r) / (W_l + W_r).
/// The wave on the side from which the contact v* comes is a shock at the mean of its two sound
/// speeds if p* > p, else a fan, linear from edge to edge. A contact at rest is kept exactly.
/// @threads safe
/// @source Colella, Glaz, Ferguson (1997, unpublished); Almgren et al., ApJ 715 (2010) 1221, sec.
///         3.1, step III; verified riemann_two_shock_test.cpp
struct RiemannTwoShock {
  /// What is between the outer waves.
  struct Waves {
    double p_star;
    double v_star;
  };

  template <int D, class Eos, class... Found>
  static constexpr GasState<D> flux(const Euler<D, Eos>& gas, const GasPrimitive<D>& l,
                                    const GasPrimitive<D>& r, int axis, const Found&... waves) {
    return gas.flux(face(gas, l, r, axis, waves...), axis);
  }
  template <int D, class Eos>
  static constexpr Waves waves(const Euler<D, Eos>& gas, const GasPrimitive<D>& l,
                               const GasPrimitive<D>& r, int axis) {
    const Eos& eos = gas.eos;
    const double v_l = l.vel[axis], v_r = r.vel[axis];
    const double w_l = std::sqrt(eos.bulk_modulus(l.rho, l.p) * l.rho);
    const double w_r = std::sqrt(eos.bulk_modulus(r.rho, r.p) * r.rho);
    const double per_w = 1.0 / (w_l + w_r);
    // Streams that tear apart would make less than a vacuum of it.
    const double p_0 = eos.least_pressure();
    const double p_star = std::max(((w_r * l.p + w_l * r.p) + (w_l * w_r) * (v_l - v_r)) * per_w,
                                   vacuum * (std::min(l.p, r.p) - p_0) + p_0);
    const double v_star = ((w_l * v_l + w_r * v_r) + (l.p - r.p)) * per_w;
    return {p_star, v_star};
  }
  template <int D, class Eos>
  static constexpr GasPrimitive<D> face(const Euler<D, Eos>& gas, const GasPrimitive<D>& l,
                                        const GasPrimitive<D>& r, int axis) {
    return face(gas, l, r, axis, waves(gas, l, r, axis));
  }
  template <int D, class Eos>
  static constexpr GasPrimitive<D> face(const Euler<D, Eos>& gas, const GasPrimitive<D>& l,
                                        const GasPrimitive<D>& r, int axis, const Waves& waves) {
    const Eos& eos = gas.eos;
    const auto [p_star, v_star] = waves;
    // Both sides count alike if the contact stays on the face: else mirrored states would not give
    // the mirrored flux.
    const double sign = v_star > 0 ? 1.0 : (v_star < 0 ? -1.0 : 0.0);
    const double of_l = 0.5 * (1.0 + sign);
    const double of_r = 0.5 * (1.0 - sign);
    const GasPrimitive<D> w =
        numerics::map_components([=](double a, double b) { return of_l * a + of_r * b; }, l, r);
    const double stiffness = eos.bulk_modulus(w.rho, w.p);
    const double per_both = 1.0 / (stiffness * w.rho);  // one division for c^2 and for 1/c^2
    const double rho_star =
        std::max(w.rho + (p_star - w.p) * (w.rho * w.rho * per_both), vacuum * w.rho);

    // The wave lies between head and tail; it covers the face in part, or one side of it is there.
    // A shock has no width: the state on the side of its mean is taken, by a huge quotient.
    const double head = std::sqrt(stiffness * stiffness * per_both) - sign * w.vel[axis];
    const double tail = std::sqrt(eos.bulk_modulus(rho_star, p_star) / rho_star) - sign * v_star;
    const double width = std::max(p_star > w.p ? 0.0 : head - tail, 1e-200);
    const double share_of_star = std::min(1.0, std::max(0.0, 0.5 + 0.5 * ((head + tail) / width)));

    GasPrimitive<D> star = w;
    star.rho = rho_star;
    star.p = p_star;
    star.vel[axis] = v_star;
    return numerics::map_components(
        [=](double a, double b) { return share_of_star * a + (1.0 - share_of_star) * b; }, star, w);
  }

 private:
  static constexpr double vacuum = 1e-10;  ///< times what is there
};

}  // namespace thalweg::hydro
