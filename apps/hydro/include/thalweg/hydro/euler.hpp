// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <limits>
#include <string_view>

#include <thalweg/core/fused.hpp>
#include <thalweg/core/vec.hpp>
#include <thalweg/hydro/eos.hpp>
#include <thalweg/numerics/characteristic.hpp>
#include <thalweg/numerics/density_floor.hpp>
#include <thalweg/numerics/gravity_system.hpp>
#include <thalweg/numerics/riemann_roe.hpp>
#include <thalweg/numerics/system.hpp>
#include <thalweg/numerics/transverse.hpp>

namespace thalweg::hydro {

/// Conserved quantities per unit volume, in the order in which they are stored.
template <int D>
struct GasState {
  double rho;     ///< density
  Vec<D> mom;     ///< momentum density
  double energy;  ///< total energy density, inner plus kinetic

  constexpr bool operator==(const GasState&) const = default;
};

/// What is reconstructed of a gas.
template <int D>
struct GasPrimitive {
  double rho;  ///< density
  Vec<D> vel;  ///< velocity
  double p;    ///< pressure

  constexpr bool operator==(const GasPrimitive&) const = default;
};

/// What passes a face and presses on it.
template <int D>
struct GasFaceState {
  double mass;  ///< flux
  Vec<D> mom;   ///< flux
  double v;     ///< velocity across the face
  double p;     ///< pressure
};

/// What a gas loses between two faces along an axis, per time over the distance.
template <int D>
struct GasTransverseDifference {
  double rho;
  Vec<D> mom;
  double p;
};

/// The compressible Euler equations of a gas, or of any fluid with an equation of state, in D
/// dimensions.
///
/// d_t (rho, rho v, E) + div (rho v, rho v v + p, (E + p) v) = 0, E = rho e + rho v^2 / 2.
/// Models numerics::ContactSystem, CharacteristicSystem, ShockSystem, TransverseSystem and
/// GravitySystem, and with a ShiftedGammaLaw RoeSystem. All members are pure and take states by
/// value.
/// @units   any consistent; in code units usually rho_0 = L = 1
/// @threads safe
/// @source  Toro, "Riemann Solvers and Numerical Methods for Fluid Dynamics", 3rd ed. (2009), ch. 3
template <int D, EquationOfState Eos = GammaLaw>
struct Euler {
  static constexpr int dim = D;
  static constexpr int n_components = D + 2;
  static constexpr std::string_view admissible_states = "positive density and pressure";
  static constexpr int n_waves = 3;  ///< sound backwards, the contact with all shears, sound
  using State = GasState<D>;
  using Primitive = GasPrimitive<D>;

  // Places in a Primitive, and of density, momenta and total energy in a State.
  static constexpr int density_at = 0, velocity_at = 1, pressure_at = D + 1;

  Eos eos{};
  Vec<D> gravity{};  ///< that schemes balance with the pressure: see numerics::GravitySystem
  double least_density = 0;  ///< to which thinner gas is raised: see numerics::FlooredSystem

  constexpr bool operator==(const Euler&) const = default;
  /// The same gas with an equation of state of which this one is a case.
  template <EquationOfState Other>
    requires(!std::same_as<Other, Eos> && std::convertible_to<Eos, Other>)
  constexpr operator Euler<D, Other>() const {
    return {eos, gravity, least_density};
  }

  /// The names of the components in files, as AMReX codes call them.
  static constexpr std::array<std::string_view, D + 2> component_names() {
    constexpr std::array<std::string_view, 3> momenta{"xmom", "ymom", "zmom"};
    std::array<std::string_view, D + 2> names;
    names.front() = "density";
    for (std::size_t a = 0; a < D; ++a) names[a + 1] = momenta[a];
    names.back() = "rho_E";
    return names;
  }

  constexpr double pressure(State u) const {
    return eos.pressure(u.rho, u.energy - 0.5 * dot(u.mom, u.mom) / u.rho);
  }
  constexpr Primitive to_primitive(State u) const {
    const double volume = 1.0 / u.rho;
    const double kinetic = 0.5 * volume * dot(u.mom, u.mom);
    return {u.rho, volume * u.mom, eos.pressure(u.rho, u.energy - kinetic)};
  }
  constexpr State to_conserved(Primitive w) const {
    return {w.rho, w.rho * w.vel, total_energy(w)};
  }
  constexpr State flux(Primitive w, int axis) const {
    const double v = w.vel[axis];
    State f{w.rho * v, (w.rho * v) * w.vel, v * (total_energy(w) + w.p)};
    f.mom[axis] += w.p;
    return f;
  }
  /// u + scale flux(w) - change, where w is the primitive form of u: the flux is the state times
  /// the velocity, and what the pressure pushes and does.
  constexpr State plus_flux(State u, Primitive w, double scale, State change, int axis) const {
    const double v = w.vel[axis], push = scale * w.p;
    State sum = numerics::map_components(
        [moved = fused(scale, v, 1.0)](double x, double less) { return fused(moved, x, -less); }, u,
        change);
    sum.mom[axis] += push;
    sum.energy = fused(push, v, sum.energy);
    return sum;
  }
  constexpr double sound_speed(Primitive w) const {
    return std::sqrt(eos.bulk_modulus(w.rho, w.p) / w.rho);
  }
  constexpr double max_speed(Primitive w, int axis) const {
    return std::abs(w.vel[axis]) + sound_speed(w);
  }

  /// Bounds on the signals from a face: v_l - a_l and v_r + a_r, and wide enough for the contact.
  ///
  /// a = sqrt((rho c^2 + G max(p* - p, 0)) / rho), G the steepening, is the speed relative to the
  /// gas of the shock that leads to p* if it is weak, of an ideal gas with (gamma+1)/2 any; at
  /// least that of sound (Toro, eq. 10.59-10.60 with q under the root). p* = mean p + G/4 mean rho
  /// max(v_l - v_r, 0)^2: exact where strong streams collide, and without the root of Toro's
  /// linearised eq. 10.61, which is far too low there. Where v_l - a_l is not below the contact
  /// even so, s_l is lowered to v_r - max(p_r - p_l, 0) / (rho_r a_r), and s_r raised alike. As
  ///
  ///     (contact - s_l) (m_r - m_l) = rho_l (s_l - v_l)^2 + m_r (v_r - s_l) - (p_r - p_l),
  ///
  /// m being rho (s - v), and m_r >= rho_r a_r, that makes s_l < contact < s_r (eq. 10.37) for all
  /// states, and of a ShiftedGammaLaw the states between are admissible (Batten et al., SIAM J.
  /// Sci. Comput. 18 (1997) 1553, sec. 2.4). Weak waves are not touched by it; all is continuous,
  /// also where the pressures are equal, so that roundings stay roundings.
  constexpr numerics::Speeds riemann_speeds(Primitive l, Primitive r, int axis) const {
    const double v_l = l.vel[axis], v_r = r.vel[axis];
    const double closing = std::max(v_l - v_r, 0.0);
    const double steepest = std::max(eos.steepening(l.rho, l.p), eos.steepening(r.rho, r.p));
    const double p_star =
        0.5 * (l.p + r.p) + (0.125 * steepest) * (l.rho + r.rho) * (closing * closing);
    const double volumes = 1.0 / (l.rho * r.rho);
    const double modulus_l = shock_modulus(l, p_star);  // rho a^2
    const double modulus_r = shock_modulus(r, p_star);
    const double a_l = std::sqrt(modulus_l * (volumes * r.rho));
    const double a_r = std::sqrt(modulus_r * (volumes * l.rho));
    // Asked for the sign once: asked again, the compiler makes two divisions and takes one.
    const double margin = (r.p - l.p) / (r.p > l.p ? modulus_r : modulus_l);
    const double margin_l = a_r * std::max(0.0, margin);
    const double margin_r = a_l * std::max(0.0, -margin);
    return {std::min(v_l - a_l, v_r - margin_l), std::max(v_r + a_r, v_l + margin_r)};
  }
  /// The speed of the contact between the outer signals, of mirrored states the opposite to the
  /// bit.
  /// @source Toro (2009), eq. 10.37
  constexpr double contact_speed(Primitive l, Primitive r, numerics::Speeds outer, int axis) const {
    const double mass_l = l.rho * (outer.lo - l.vel[axis]);
    const double mass_r = r.rho * (outer.hi - r.vel[axis]);
    return ((r.p - l.p) + (mass_l * l.vel[axis] - mass_r * r.vel[axis])) / (mass_l - mass_r);
  }
  /// The state between an outer signal and the contact. @source Toro (2009), eq. 10.39
  constexpr State star(Primitive w, double outer, double contact, int axis) const {
    const double v = w.vel[axis];
    const double scale = 1.0 / (outer - contact);
    const double mass = w.rho * (outer - v);
    State u{mass * scale, (mass * scale) * w.vel,
            scale * (total_energy(w) * (outer - v) + (contact - v) * (mass * contact + w.p))};
    u.mom[axis] = mass * scale * contact;
    return u;
  }
  /// The flux of that state, whose pressure is between. @source Toro (2009), sec. 10.4.2
  ///
  /// Where gas is torn apart, the pressure for which the mean over the fan is right is below what
  /// there is in the fan, and below the least of all from a gap of 2 c / gamma on: it would hold
  /// the gas back, and heat it by what it loses in speed, until it drives a shock into what flies
  /// ahead. No gas pulls; with the least pressure the flux through a vacuum at rest is exact.
  /// @verified riemann_hllc_test.cpp
  constexpr State star_flux(Primitive w, double outer, double contact, int axis) const {
    const double v = w.vel[axis];
    const double p = std::max(w.p + (w.rho * (outer - v)) * (contact - v), eos.least_pressure());
    const State u = star(w, outer, contact, axis);
    State f{contact * u.rho, contact * u.mom, contact * (u.energy + p)};
    f.mom[axis] += p;
    return f;
  }

  /// The flux of a mean over the whole fan, without what it pulls on the gas with.
  ///
  /// Between the outer signals the mean moves with the contact v* of HLLC, and has its pressure p*.
  /// Where that is below the least one, p_0, momentum gains p_0 - p*, and the energy the work of
  /// it, (p_0 - p*) v*: as much in any frame, so that streams do not matter.
  /// @verified riemann_without_tension_test.cpp
  constexpr State without_tension(State mean, Primitive l, Primitive r, int axis) const {
    const auto [lo, hi] = riemann_speeds(l, r, axis);
    const double contact = contact_speed(l, r, {lo, hi}, axis);
    // From the side that the contact comes from, so that what is mirrored stays mirrored to the
    // bit.
    const bool is_left = contact >= 0;
    const double rho = is_left ? l.rho : r.rho, v = is_left ? l.vel[axis] : r.vel[axis];
    const double p = (is_left ? l.p : r.p) + rho * ((is_left ? lo : hi) - v) * (contact - v);
    const double lacks = std::max(0.0, eos.least_pressure() - p);  // 0 also where p is no number
    const double push = std::min(-lo, hi) > 0 ? lacks : 0.0;
    mean.mom[axis] += push;
    mean.energy += push > 0 ? push * contact : 0.0;
    return mean;
  }

  /// The pressure above its least: what shocks multiply.
  constexpr double pressure_excess(Primitive w) const { return w.p - eos.least_pressure(); }
  constexpr double velocity(Primitive w, int axis) const { return w.vel[axis]; }
  constexpr double wave_speed(Primitive w, int wave, int axis) const {
    return w.vel[axis] + (wave - 1) * sound_speed(w);
  }
  /// The part of a jump dw that a wave carries, linearised around w.
  /// @source Toro (2009), sec. 3.2.1: the eigenvectors of the primitive form
  constexpr Primitive wave_part(Primitive w, Primitive dw, int wave, int axis) const {
    // One division and one root for c^2 and for rho c.
    const double stiffness = eos.bulk_modulus(w.rho, w.p) * w.rho;
    const double per_stiffness = 1.0 / stiffness;
    const double per_impedance = std::sqrt(per_stiffness);
    const double per_c2 = w.rho * w.rho * per_stiffness;
    if (wave == 1) {
      dw.rho -= dw.p * per_c2;
      dw.vel[axis] = 0;
      dw.p = 0;
      return dw;
    }
    const double sign = wave - 1;
    const double dp = 0.5 * (dw.p + sign * (stiffness * per_impedance) * dw.vel[axis]);
    return {.rho = dp * per_c2, .vel = (sign * dp * per_impedance) * Vec<D>::unit(axis), .p = dp};
  }

  using FaceState = GasFaceState<D>;
  using TransverseDifference = GasTransverseDifference<D>;
  constexpr FaceState face_state(Primitive w, int axis) const {
    const double mass = w.rho * w.vel[axis];
    FaceState c{mass, mass * w.vel, w.vel[axis], w.p};
    c.mom[axis] += w.p;
    return c;
  }
  /// Mass and momentum are conserved; the pressure of a gas w falls as
  ///     d_t p = -v d_x p - rho c^2 d_x v,
  /// with the mean v of the faces and the gas's own rho c^2: unlike the energy's, without the heat
  /// of shocks, which the step itself makes.
  /// @source Toro (2009), sec. 3.1.2; Castro's correction has the mean pressure of the faces in
  ///         rho c^2 and carries the energy beside the pressure
  ///         (docs/adr/0017-schemes-and-kernels.md)
  constexpr TransverseDifference transverse_difference(Primitive w, FaceState lower,
                                                       FaceState upper) const {
    return {upper.mass - lower.mass, upper.mom - lower.mom,
            0.5 * (upper.v + lower.v) * (upper.p - lower.p) +
                eos.bulk_modulus(w.rho, w.p) * (upper.v - lower.v)};
  }
  constexpr Primitive apply_transverse(Primitive w, TransverseDifference x) const {
    const double rho = w.rho - x.rho;
    return {rho, (1.0 / rho) * (w.rho * w.vel - x.mom), w.p - x.p};
  }

  /// Roe's average: velocity and enthalpy weighted by the roots of the densities, and the pressure
  /// with which the speed of sound is (gamma - 1)(H - v^2/2), written as a sum of what is positive.
  /// @source Toro (2009), eq. 11.60 and 11.118
  constexpr Primitive roe_average(Primitive l, Primitive r) const
    requires ShiftedGammaLaw<Eos>
  {
    const double gamma = StiffenedGas(eos).gamma, p_0 = eos.least_pressure();
    const double root_l = std::sqrt(l.rho), root_r = std::sqrt(r.rho);
    const double scale = 1.0 / (root_l + root_r);
    const double share_l = root_l * scale, share_r = root_r * scale;
    const double rho = root_l * root_r;
    const double volumes = 1.0 / (l.rho * r.rho);
    const Vec<D> dv = r.vel - l.vel;
    const double heat =
        share_l * ((l.p - p_0) * (volumes * r.rho)) + share_r * ((r.p - p_0) * (volumes * l.rho));
    const double stirred = (0.5 * (gamma - 1.0) / gamma) * ((share_l * share_r) * dot(dv, dv));
    return {rho, share_l * l.vel + share_r * r.vel, rho * (heat + stirred) + p_0};
  }
  /// What a small change of a state changes in the conserved one; exact from Roe's average.
  constexpr State conserved_change(Primitive w, Primitive dw) const
    requires ShiftedGammaLaw<Eos>
  {
    return {dw.rho, dw.rho * w.vel + w.rho * dw.vel,
            dw.p * (1.0 / (StiffenedGas(eos).gamma - 1.0)) + 0.5 * dw.rho * dot(w.vel, w.vel) +
                w.rho * dot(w.vel, dw.vel)};
  }

  /// Say whether the density is positive and the pressure above its least, and both are numbers.
  constexpr bool admissible(State u) const {
    // Not short-circuited, and without a division: this is asked of every cell in vector loops.
    const double excess = excess_times_rho(u);
    return bool(int(u.rho > 0) & int(excess > 0) &
                int(excess <= std::numeric_limits<double>::max()));
  }
  constexpr bool admissible(Primitive w) const {
    return bool(int(w.rho > 0) & int(w.p > eos.least_pressure()));
  }
  /// Say whether the density, and the pressure above its least, are above a thousandth of a
  /// reference's, and the latter above what is lost in roundings of the kinetic energy: else near a
  /// vacuum the pressure falls step by step to where it is no number but noise. Where gas of Mach M
  /// leaks into a vacuum against its own speed, the flux is a difference whose rounding errors are
  /// M 2^-53 of it; so M is kept below some 10^5, and the inner energy above 1/M^2 of the kinetic.
  constexpr bool passes_floor(State u, Primitive reference) const {
    constexpr double kept = 1e-3;
    constexpr double rounding = 1e-10;
    return bool(int(u.rho > kept * reference.rho) &
                int(excess_times_rho(u) >
                    std::max(kept * pressure_excess(reference) * u.rho, rounding * square(u.mom))));
  }
  /// The state seen in a wall normal to the axis.
  constexpr State mirror(State u, int axis) const {
    u.mom[axis] = -u.mom[axis];
    return u;
  }
  constexpr Vec<D> acceleration() const { return gravity; }
  constexpr double density_floor() const { return least_density; }
  /// The state with a pressure higher by dp.
  constexpr State raise_pressure(State u, double dp) const {
    const double p = pressure(u);
    u.energy += eos.inner_energy(u.rho, p + dp) - eos.inner_energy(u.rho, p);
    return u;
  }

 private:
  constexpr double total_energy(Primitive w) const {
    return eos.inner_energy(w.rho, w.p) + 0.5 * w.rho * dot(w.vel, w.vel);
  }
  constexpr double shock_modulus(Primitive w, double p_star) const {
    return eos.bulk_modulus(w.rho, w.p) + eos.steepening(w.rho, w.p) * std::max(p_star - w.p, 0.0);
  }
  constexpr double excess_times_rho(State u) const {
    return eos.excess_times_rho(u.rho, fused(u.rho, u.energy, -0.5 * square(u.mom)));
  }
  static constexpr double square(const Vec<D>& v) {
    double sum = v[0] * v[0];
    for (int a = 1; a < D; ++a) sum = fused(v[a], v[a], sum);
    return sum;
  }
};

static_assert(numerics::ContactSystem<Euler<1>> && numerics::ContactSystem<Euler<2>> &&
              numerics::ContactSystem<Euler<3>>);
static_assert(numerics::CharacteristicSystem<Euler<3>> && numerics::ShockSystem<Euler<3>> &&
              numerics::TransverseSystem<Euler<3>> && numerics::GravitySystem<Euler<3>> &&
              numerics::FlooredSystem<Euler<3>> && numerics::RoeSystem<Euler<3>> &&
              numerics::RoeSystem<Euler<3, StiffenedGas>>);

}  // namespace thalweg::hydro
