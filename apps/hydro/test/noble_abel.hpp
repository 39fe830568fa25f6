// SPDX-License-Identifier: MIT
#pragma once
#include <thalweg/hydro/eos.hpp>

namespace thalweg::hydro::test {

/// A dense gas whose molecules take up room, p (1 - b rho) = (gamma - 1) rho e: an equation of
/// state as a user may add it, and no shifted gamma law.
/// @source Toro (2009), sec. 1.2.5 (the covolume equation of state)
struct NobleAbel {
  double gamma = 1.4;
  double covolume = 0.2;  ///< b; densities must stay below 1/b

  constexpr bool operator==(const NobleAbel&) const = default;

  constexpr double pressure(double rho, double rho_e) const {
    return (gamma - 1.0) * rho_e / room(rho);
  }
  constexpr double inner_energy(double rho, double p) const {
    return p * room(rho) / (gamma - 1.0);
  }
  constexpr double bulk_modulus(double rho, double p) const { return gamma * p / room(rho); }
  constexpr double steepening(double rho, double) const { return 0.5 * (gamma + 1.0) / room(rho); }
  static constexpr double least_pressure() { return 0.0; }
  constexpr double excess_times_rho(double rho, double rho2_e) const {
    return (gamma - 1.0) * rho2_e / room(rho);
  }

 private:
  constexpr double room(double rho) const { return 1.0 - covolume * rho; }
};

static_assert(EquationOfState<NobleAbel> && !ShiftedGammaLaw<NobleAbel>);

}  // namespace thalweg::hydro::test
