// SPDX-License-Identifier: MIT
#pragma once
#include <concepts>
#include <type_traits>

namespace thalweg::hydro {

/// An equation of state: a value whose members are pure functions of the density and of the
/// pressure or the inner energy, for solvers and schemes to vectorise.
///
/// Energies are per unit volume, rho e, as what is stored is. With p_0 the least pressure:
///
/// - pressure(rho, rho_e), inner_energy(rho, p): inverse of each other at the same density;
/// - bulk_modulus(rho, p): rho c^2, c the speed of sound; Gamma_1 p of an ideal gas;
/// - steepening(rho, p): the fundamental derivative 1 + rho/c dc/drho along an isentrope, by which
///   compressions steepen to shocks; (gamma + 1)/2 of an ideal gas; positive;
/// - least_pressure(): p_0, at which the speed of sound is zero; admissible is what is above;
/// - excess_times_rho(rho, rho2_e): rho (p - p_0), of rho times the inner energy rho e, so that
///   cells can be judged without a division.
///
/// Admissible states must form a convex set: rho e at p_0 is a convex function of rho.
///
/// Valid: GammaLaw, StiffenedGas. Invalid: one that takes the specific energy e.
/// @source Menikoff and Plohr, Rev. Mod. Phys. 61 (1989) 75, sec. II, for what solvers need to know
template <class E>
concept EquationOfState = std::is_trivially_copyable_v<E> && std::equality_comparable<E> &&
                          requires(const E eos, double rho, double x) {
                            { eos.pressure(rho, x) } -> std::same_as<double>;
                            { eos.inner_energy(rho, x) } -> std::same_as<double>;
                            { eos.bulk_modulus(rho, x) } -> std::same_as<double>;
                            { eos.steepening(rho, x) } -> std::same_as<double>;
                            { eos.least_pressure() } -> std::same_as<double>;
                            { eos.excess_times_rho(rho, x) } -> std::same_as<double>;
                          };

/// p = (gamma - 1) rho e - gamma p_infinity: a liquid, or a solid under strong shocks.
///
/// An ideal gas whose pressure is counted from -p_infinity, so that it may be under tension. With
/// p_infinity = 0 every function gives the bits that GammaLaw gives.
/// @threads safe
/// @source Harlow and Amsden, LA-4700 (1971); Menikoff and Plohr (1989), sec. V
/// @verified eos_test.cpp
struct StiffenedGas {
  double gamma = 1.4;       ///< > 1
  double p_infinity = 0.0;  ///< >= 0, a pressure

  constexpr bool operator==(const StiffenedGas&) const = default;

  constexpr double pressure(double, double rho_e) const {
    return (gamma - 1.0) * rho_e - gamma * p_infinity;
  }
  constexpr double inner_energy(double, double p) const {
    return (p + gamma * p_infinity) * (1.0 / (gamma - 1.0));
  }
  constexpr double bulk_modulus(double, double p) const { return gamma * (p + p_infinity); }
  constexpr double steepening(double, double) const { return 0.5 * (gamma + 1.0); }
  constexpr double least_pressure() const { return 0.0 - p_infinity; }
  constexpr double excess_times_rho(double rho, double rho2_e) const {
    return (gamma - 1.0) * (rho2_e - rho * p_infinity);
  }
};

/// p = (gamma - 1) rho e: an ideal gas with constant specific heats.
/// @threads safe   @verified eos_test.cpp
struct GammaLaw {
  double gamma = 1.4;  ///< ratio of specific heats, > 1

  constexpr bool operator==(const GammaLaw&) const = default;
  constexpr operator StiffenedGas() const { return {gamma, 0.0}; }

  constexpr double pressure(double, double rho_e) const { return (gamma - 1.0) * rho_e; }
  constexpr double inner_energy(double, double p) const { return p * (1.0 / (gamma - 1.0)); }
  constexpr double bulk_modulus(double, double p) const { return gamma * p; }
  constexpr double steepening(double, double) const { return 0.5 * (gamma + 1.0); }
  static constexpr double least_pressure() { return 0.0; }
  constexpr double excess_times_rho(double, double rho2_e) const { return (gamma - 1.0) * rho2_e; }
};

/// An ideal gas but for where its pressure is counted from: what Roe's average and the exact
/// Riemann solution are known for in closed form.
template <class E>
concept ShiftedGammaLaw = EquationOfState<E> && std::convertible_to<E, StiffenedGas>;

static_assert(ShiftedGammaLaw<GammaLaw> && ShiftedGammaLaw<StiffenedGas>);

}  // namespace thalweg::hydro
