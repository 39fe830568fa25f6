// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>

#include <thalweg/hydro/euler.hpp>
#include <thalweg/numerics/riemann_hllc.hpp>

namespace thalweg::hydro {

/// HLLC's flux for gas that is much slower than its sound.
///
/// With m_k = rho_k (s_k - v_k) the pressure between the outer signals is
///
///     p* = (m_r p_l - m_l p_r + phi m_l m_r (v_r - v_l)) / (m_r - m_l)
///
/// where HLLC has phi = 1. The last term is a viscosity, rho c times a jump of velocity: in gas of
/// Mach number M it is 1/M times what the flow itself brings to the pressure, and ends the flow.
/// Here phi = chi (2 - chi), chi = min(1, the greater of both speeds over the greater speed of
/// sound): HLLC's from Mach 1 on. These are speeds of whole velocities, so the flux depends on the
/// frame. The paper's factor on the pressures in the speed of the contact, which looks at the cells
/// beside to find shocks along the mesh, is left out.
/// @threads safe
/// @source Minoshima and Miyoshi, J. Comput. Phys. 446 (2021) 110639, without magnetic fields
/// @verified riemann_lhllc_test.cpp, tests/problems/low_mach_test.cpp
struct RiemannLhllc {
  /// Those of HLLC, and what its other p* adds to the flux of momentum.
  struct Waves {
    numerics::RiemannHllc::Waves hllc;
    double push;
  };

  template <int D, class Eos>
  static constexpr Waves waves(const Euler<D, Eos>& gas, const GasPrimitive<D>& l,
                               const GasPrimitive<D>& r, int axis) {
    const auto [lo, hi] = gas.riemann_speeds(l, r, axis);
    const double contact = gas.contact_speed(l, r, {lo, hi}, axis);
    const double mass_l = l.rho * (lo - l.vel[axis]), mass_r = r.rho * (hi - r.vel[axis]);
    const double per_mass = 1.0 / (mass_r - mass_l);
    const double mean = (mass_r * l.p - mass_l * r.p) * per_mass;
    const double viscous = ((mass_l * mass_r) * (r.vel[axis] - l.vel[axis])) * per_mass;
    const double least = gas.eos.least_pressure();  // as Euler::star_flux has it
    const double change =
        std::max(mean + phi(gas, l, r) * viscous, least) - std::max(mean + viscous, least);

    // What p* changes beside the contact, whose state keeps to the jumps over the outer signal; no
    // more at a face which that signal leaves too.
    const bool is_left = contact >= 0;
    const double to_outer = is_left ? -lo : hi;
    const double push =
        change * (std::max(to_outer, 0.0) / (is_left ? contact - lo : hi - contact));
    return {{contact, is_left ? lo : hi}, push};
  }
  template <int D, class Eos>
  static constexpr GasState<D> flux(const Euler<D, Eos>& gas, const GasPrimitive<D>& l,
                                    const GasPrimitive<D>& r, int axis, const Waves& waves) {
    GasState<D> f = numerics::RiemannHllc::flux(gas, l, r, axis, waves.hllc);
    f.mom[axis] += waves.push;
    f.energy += waves.push * waves.hllc.contact;
    return f;
  }
  template <int D, class Eos>
  static constexpr GasState<D> flux(const Euler<D, Eos>& gas, const GasPrimitive<D>& l,
                                    const GasPrimitive<D>& r, int axis) {
    return flux(gas, l, r, axis, waves(gas, l, r, axis));
  }

 private:
  template <int D, class Eos>
  static constexpr double phi(const Euler<D, Eos>& gas, const GasPrimitive<D>& l,
                              const GasPrimitive<D>& r) {
    const double speed2 = std::max(dot(l.vel, l.vel), dot(r.vel, r.vel));
    // Both squares of the speed of sound times both densities: one division less.
    const double sound2 = std::max(gas.eos.bulk_modulus(l.rho, l.p) * r.rho,
                                   gas.eos.bulk_modulus(r.rho, r.p) * l.rho);
    const double chi = std::min(1.0, std::sqrt(speed2 * (l.rho * r.rho) / sound2));
    return chi * (2.0 - chi);
  }
};

}  // namespace thalweg::hydro
