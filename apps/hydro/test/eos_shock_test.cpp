// SPDX-License-Identifier: MIT
// A shock runs through a gas with each equation of state, by the schemes, at the speed that its
// jump conditions say.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <thalweg/hydro/riemann_two_shock.hpp>
#include <thalweg/numerics/update_ctu.hpp>
#include <thalweg/numerics/update_runge_kutta.hpp>

#include "noble_abel.hpp"
#include "one_block.hpp"

namespace thalweg::hydro {
namespace {

/// A shock at x = 0 that runs into a gas at rest.
template <EquationOfState Eos>
struct SingleShock {
  Euler<1, Eos> gas;
  GasPrimitive<1> ahead;
  GasPrimitive<1> behind;
  double speed;

  /// The mean of a cell at its time.
  GasState<1> operator()(const numerics::CellContext<1>& cell) const {
    const double front = speed * cell.time;
    const double part = std::clamp((front - cell.centre[0]) / cell.dx[0] + 0.5, 0.0, 1.0);
    return numerics::map_components([=](double b, double a) { return part * b + (1.0 - part) * a; },
                                    gas.to_conserved(behind), gas.to_conserved(ahead));
  }
};

/// The shock that takes a gas of this density and pressure to another pressure: the density behind
/// it, between this and `densest`, is where Hugoniot's e_1 - e_0 = (p_0 + p_1)/2 (1/rho_0 -
/// 1/rho_1) holds.
template <class Eos>
SingleShock<Eos> shock(const Eos& eos, double rho, double p, double p_behind, double densest) {
  const auto energy = [&](double at, double pressure) {
    return eos.inner_energy(at, pressure) / at;
  };
  double low = rho, high = densest;
  for (int n = 0; n < 100; ++n) {
    const double middle = 0.5 * (low + high);
    const double lacks = energy(rho, p) + 0.5 * (p + p_behind) * (1.0 / rho - 1.0 / middle) -
                         energy(middle, p_behind);
    (lacks < 0 ? low : high) = middle;
  }
  const double mass = std::sqrt((p_behind - p) / (1.0 / rho - 1.0 / low));  // through the shock
  return {.gas = {eos},
          .ahead = {rho, {}, p},
          .behind = {low, {{(p_behind - p) / mass}}, p_behind},
          .speed = mass / rho};
}

/// How far off the front is, in cells, counted by the density: cells that differ by a whole jump.
template <class Scheme, class Eos>
double cells_off(const SingleShock<Eos>& shock) {
  constexpr int n = 100;
  numerics::Boundaries<1> outflow;
  outflow.fill(numerics::Boundary::outflow);
  test::OneBlock<1, Scheme> block(
      shock,
      {.n_cells = {{n}}, .lower = {{-0.2}}, .upper = {{0.8}}, .boundaries = outflow, .cfl = 0.4});
  const double end = 0.6 / shock.speed;
  EXPECT_TRUE(block.run_until(end));
  const auto errors = block.errors(shock);
  return n * errors[0] / (shock.behind.rho - shock.ahead.rho);
}

template <class Eos>
void expect_in_place(const SingleShock<Eos>& shock) {
  using System = Euler<1, Eos>;
  EXPECT_LT((cells_off<numerics::Vl2<System>>(shock)), 2.0);
  EXPECT_LT((cells_off<numerics::RungeKutta<System>>(shock)), 2.0);
  EXPECT_LT((cells_off<numerics::Ctu<System, numerics::PpmClassic, RiemannTwoShock>>(shock)), 2.0);
}

TEST(SingleShock, of_an_ideal_gas_moves_at_its_speed) {
  const auto strong = shock(GammaLaw{}, 1.0, 1.0, 20.0, 6.0);
  EXPECT_NEAR(strong.speed, std::sqrt(1.4 * (1.0 + 2.4 / 2.8 * 19.0)), 1e-9);  // Toro, eq. 3.63
  expect_in_place(strong);
}

TEST(SingleShock, of_water_moves_at_its_speed) {
  // From one bar to 20,000: from 1000 to 1331 kg/m^3, at 2.84 km/s.
  const StiffenedGas water{.gamma = 4.4, .p_infinity = 6e8};
  expect_in_place(shock(water, 1000.0, 1e5, 2e9, 1500.0));
}

TEST(SingleShock, of_a_gas_whose_molecules_take_up_room_moves_at_its_speed) {
  expect_in_place(shock(test::NobleAbel{.gamma = 1.4, .covolume = 0.2}, 1.0, 1.0, 20.0, 4.9));
}

}  // namespace
}  // namespace thalweg::hydro
