// SPDX-License-Identifier: MIT
#pragma once
#include <string_view>

#include <thalweg/core/contract.hpp>
#include <thalweg/hydro/gas_scheme.hpp>
#include <thalweg/hydro/riemann_exact.hpp>
#include <thalweg/hydro/riemann_lhllc.hpp>
#include <thalweg/hydro/riemann_two_shock.hpp>
#include <thalweg/hydro/riemann_without_tension.hpp>
#include <thalweg/numerics/ppm.hpp>
#include <thalweg/numerics/riemann_hllc.hpp>
#include <thalweg/numerics/riemann_hlle.hpp>
#include <thalweg/numerics/riemann_llf.hpp>
#include <thalweg/numerics/riemann_roe.hpp>
#include <thalweg/numerics/update_ctu.hpp>
#include <thalweg/numerics/update_runge_kutta.hpp>
#include <thalweg/numerics/update_vl2.hpp>

namespace thalweg::hydro {

/// The rule of reconstruction that a deck asks for.
inline numerics::EdgeKernel reconstruction_of(const io::Deck& deck) {
  const std::string_view name = deck.string("hydro.reconstruction");
  if (name == "ppm") return numerics::edge_kernel<numerics::PpmExtrema>;
  if (name == "ppm_classic") return numerics::edge_kernel<numerics::PpmClassic>;
  THALWEG_EXPECT(name == "plm", "a word of hydro.reconstruction");
  return numerics::edge_kernel<numerics::PlmVanLeer>;
}

/// A Riemann solver of these equations as a value.
template <class System>
struct Solver {
  numerics::FaceKernels<System> fluxes;
  numerics::CorrectionKernels<System> corrections;
};

template <class Riemann, int D, class Eos>
Solver<Euler<D, Eos>> solver(const Euler<D, Eos>&) {
  using System = Euler<D, Eos>;
  return {numerics::face_kernels<System, Riemann>, numerics::correction_kernels<System, Riemann>};
}
template <class Riemann, int D, int N, class Eos>
Solver<ScalarGas<D, N, Eos>> solver(const ScalarGas<D, N, Eos>&) {
  using System = ScalarGas<D, N, Eos>;
  using WithScalars = RiemannWithScalars<Riemann>;
  return {numerics::face_kernels<System, WithScalars>,
          numerics::correction_kernels<System, WithScalars>};
}

/// The Riemann solver that a deck asks for.
template <class System>
Solver<System> solver_of(const io::Deck& deck, const System& system) {
  const std::string_view name = deck.string("hydro.riemann");
  if (name == "lhllc") return solver<RiemannLhllc>(system);
  if (name == "hlle") return solver<RiemannWithoutTension<numerics::RiemannHlle>>(system);
  if (name == "llf") return solver<RiemannWithoutTension<numerics::RiemannLlf>>(system);
  if (name == "roe") return solver<numerics::RiemannRoe>(system);
  if (name == "exact") return solver<RiemannExact>(system);
  if (name == "two_shock") return solver<RiemannTwoShock>(system);
  THALWEG_EXPECT(name == "hllc", "a word of hydro.riemann");
  return solver<numerics::RiemannHllc>(system);
}

/// The scheme of a deck for these equations.
template <class Any, class System>
Any scheme_for(const System& system, const io::Deck& deck) {
  const auto [fluxes, corrections] = solver_of(deck, system);
  const numerics::RowKernels<System> kernels{system, reconstruction_of(deck), fluxes};
  if (deck.string("hydro.scheme") == "ctu")
    return numerics::CtuRows<System>{
        kernels, corrections, {deck.boolean("hydro.flattening"), deck.real("hydro.viscosity")}};
  if (const int order = runge_kutta_order(deck); order > 0)
    return numerics::RungeKuttaRows<System>{kernels, order};
  THALWEG_EXPECT(deck.string("hydro.scheme") == "vl2", "a word of hydro.scheme");
  return numerics::Vl2Rows<System>{kernels};
}

template <int D, int N>
GasScheme<D, N> gas_scheme(const io::Deck& deck) {
  const DeckEos eos = eos_of(deck);
  const Vec<D> gravity = balanced_gravity<D>(deck);
  const double floor = deck.real("hydro.density_floor");
  // One kernel for both equations of state would do, with the same bits; that of an ideal gas is a
  // few per cent faster, which the most frequent case is worth.
  if constexpr (N > 0)
    return scheme_for<GasScheme<D, N>>(
        GasSystem<D, N>{{eos, gravity, floor}, deck.boolean("hydro.bounded_scalars")}, deck);
  else if (is_ideal(deck))
    return scheme_for<GasScheme<D>>(Euler<D>{{.gamma = eos.gamma}, gravity, floor}, deck);
  else
    return scheme_for<GasScheme<D>>(Gas<D>{eos, gravity, floor}, deck);
}

}  // namespace thalweg::hydro
