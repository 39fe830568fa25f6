// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/core/random.hpp>
#include <thalweg/hydro/euler.hpp>
#include <thalweg/hydro/riemann_lhllc.hpp>
#include <thalweg/hydro/riemann_two_shock.hpp>
#include <thalweg/numerics/ppm.hpp>
#include <thalweg/numerics/riemann_roe.hpp>
#include <thalweg/numerics/update_ctu.hpp>
#include <thalweg/numerics/update_runge_kutta.hpp>
#include <thalweg/numerics/update_vl2.hpp>

#include "one_block.hpp"

namespace thalweg::hydro {
namespace {

constexpr int n_high = 24;

/// A gas at rest whose density jumps from cell to cell along an axis, held by its pressure.
template <int D>
struct Stratified {
  Euler<D> gas;
  int axis;
  double p_below;

  typename Euler<D>::State operator()(const numerics::CellContext<D>& cell) const {
    SplitMix64 random(7);
    const int height = static_cast<int>(cell.centre[axis] / cell.dx[axis]);
    double rho = 1.0, p = p_below;
    for (int k = 0; k < height; ++k) {
      const double above = 0.5 + 2.0 * random.uniform();
      p += 0.5 * cell.dx[axis] * gas.gravity[axis] * (rho + above);
      rho = above;
    }
    return gas.to_conserved({rho, {}, p});
  }
};

/// The greatest speed after 20 steps of a gas at rest between walls across an axis; sound has a
/// speed of 2 to 6, below p_below = 10; with 3 the weight of the images outside the upper wall is
/// above the pressure there.
template <int D, template <class, class, class> class Scheme, class Rule,
          class Riemann = numerics::RiemannHllc>
double speed_of_rest(int axis, double p_below) {
  const Stratified<D> at_rest{{.gravity = -2.0 * Vec<D>::unit(axis)}, axis, p_below};
  typename test::OneBlock<D, Scheme<Euler<D>, Rule, Riemann>>::Config config{
      .n_cells = Index<D>::filled(8)};
  config.n_cells[axis] = n_high;
  const auto side = static_cast<std::size_t>(2 * axis);
  config.boundaries[side] = config.boundaries[side + 1] = numerics::Boundary::reflecting;
  test::OneBlock<D, Scheme<Euler<D>, Rule, Riemann>> block(at_rest, config);
  for (int k = 0; k < 20; ++k) block.step(0.3 / n_high / 6.0);
  EXPECT_FALSE(block.inadmissible());
  double fastest = 0;
  for_each(block.valid(), [&](const Index<D>& i) {
    const auto u = block.at(i);
    fastest = std::max(fastest, std::sqrt(dot(u.mom, u.mom)) / u.rho);
  });
  return fastest;
}

template <template <class, class, class> class Scheme, class Rule,
          class Riemann = numerics::RiemannHllc>
void expect_rest(const std::string& name) {
  for (const double p : {10.0, 3.0}) {
    EXPECT_LT((speed_of_rest<1, Scheme, Rule, Riemann>(0, p)), 1e-13) << name << " in 1-D";
    for (const int axis : {0, 1})
      EXPECT_LT((speed_of_rest<2, Scheme, Rule, Riemann>(axis, p)), 1e-13)
          << name << " along " << axis;
    EXPECT_LT((speed_of_rest<3, Scheme, Rule, Riemann>(2, p)), 1e-13) << name << " in 3-D";
  }
}

TEST(Balanced, a_stratified_gas_at_rest_stays_at_rest_to_rounding) {
  expect_rest<numerics::Vl2, numerics::PlmVanLeer>("vl2 plm");
  expect_rest<numerics::Vl2, numerics::PpmExtrema>("vl2 ppm");
  expect_rest<numerics::Vl2, numerics::PpmClassic, numerics::RiemannRoe>("vl2 ppm_classic");
  expect_rest<numerics::Vl2, numerics::PpmExtrema, RiemannLhllc>("vl2 ppm lhllc");
  expect_rest<numerics::RungeKutta, numerics::PpmExtrema>("rk3 ppm");
  expect_rest<numerics::RungeKutta, numerics::PpmClassic>("rk3 ppm_classic");
  expect_rest<numerics::Ctu, numerics::PpmExtrema>("ctu ppm");
  expect_rest<numerics::Ctu, numerics::PpmClassic, RiemannTwoShock>("ctu ppm_classic");
}

/// A gas in motion in a box.
template <int D>
struct Sloshing {
  Euler<D> gas;
  double p;

  typename Euler<D>::State operator()(const numerics::CellContext<D>& cell) const {
    double wave = 1;
    Vec<D> vel;
    for (int a = 0; a < D; ++a) {
      wave *= std::sin(6.28 * (cell.centre[a] + 0.13));
      vel[a] = 0.4 - 0.3 * a;
    }
    return gas.to_conserved(
        {1.0 + 0.5 * wave, vel + 0.3 * wave * Vec<D>::filled(1.0), p * (1.0 + 0.3 * wave)});
  }
};

/// By what share the mass in a closed box changes, on which gravity acts along all axes.
/// @param p  mean pressure: that of three layers of cells is 0.4 with this gravity
template <int D, template <class, class, class> class Scheme, class Rule,
          class Riemann = numerics::RiemannHllc>
double lost_share(double p) {
  Vec<D> gravity;
  for (int a = 0; a < D; ++a) gravity[a] = -2.0 + 0.8 * a;
  typename test::OneBlock<D, Scheme<Euler<D>, Rule, Riemann>>::Config config{
      .n_cells = Index<D>::filled(D == 3 ? 8 : 16)};
  config.boundaries.fill(numerics::Boundary::reflecting);
  test::OneBlock<D, Scheme<Euler<D>, Rule, Riemann>> block(Sloshing<D>{{.gravity = gravity}, p},
                                                           config);
  const double mass = block.mean(0);
  EXPECT_TRUE(block.run_until(0.5));
  return std::abs(block.mean(0) / mass - 1);
}

template <template <class, class, class> class Scheme, class Rule,
          class Riemann = numerics::RiemannHllc>
void expect_closed(const std::string& name) {
  for (const double p : {1.0, 0.3}) {
    EXPECT_LT((lost_share<1, Scheme, Rule, Riemann>(p)), 1e-14) << name << " in 1-D, " << p;
    EXPECT_LT((lost_share<2, Scheme, Rule, Riemann>(p)), 1e-14) << name << " in 2-D, " << p;
    EXPECT_LT((lost_share<3, Scheme, Rule, Riemann>(p)), 1e-14) << name << " in 3-D, " << p;
  }
}

TEST(Balanced, walls_keep_the_mass_of_a_gas_in_motion_where_its_weight_is_above_the_pressure_too) {
  expect_closed<numerics::Vl2, numerics::PlmVanLeer>("vl2 plm");
  expect_closed<numerics::Vl2, numerics::PpmExtrema, numerics::RiemannRoe>("vl2 ppm roe");
  expect_closed<numerics::RungeKutta, numerics::PpmExtrema>("rk3 ppm");
  expect_closed<numerics::Ctu, numerics::PpmExtrema>("ctu ppm");
  expect_closed<numerics::Ctu, numerics::PpmClassic, RiemannTwoShock>("ctu ppm_classic");
}

/// A gas in motion in a periodic box that falls.
struct Falling {
  Euler<2> gas;

  GasState<2> operator()(const numerics::CellContext<2>& cell) const {
    const double wave = std::sin(2 * 3.14159265358979 * (cell.centre[0] + cell.centre[1]));
    return gas.to_conserved({1.0 + 0.3 * wave, {{0.5 + 0.2 * wave, -0.3}}, 1.0 + 0.1 * wave});
  }
};

template <class Scheme>
void expect_work() {
  const Vec<2> g{{0.7, -2.0}};
  test::OneBlock<2, Scheme> block(Falling{{.gravity = g}}, {});
  const double mass = block.mean(0), energy = block.mean(3);
  const Vec<2> p{{block.mean(1), block.mean(2)}};
  const double dt = 0.005, t = 20 * dt;
  for (int k = 0; k < 20; ++k) block.step(dt);
  EXPECT_NEAR(block.mean(0), mass, 1e-14);
  for (int a = 0; a < 2; ++a) EXPECT_NEAR(block.mean(1 + a), p[a] + mass * g[a] * t, 1e-13);
  EXPECT_NEAR(block.mean(3), energy + dot(p, g) * t + 0.5 * mass * dot(g, g) * t * t, 1e-12);
}

TEST(Balanced, momentum_and_energy_of_a_periodic_box_change_by_the_work_of_gravity_to_rounding) {
  expect_work<numerics::Vl2<Euler<2>, numerics::PpmExtrema>>();
  expect_work<numerics::RungeKutta<Euler<2>, numerics::PpmExtrema>>();
  expect_work<numerics::Ctu<Euler<2>, numerics::PpmExtrema>>();
}

/// The exact solution of a wave that falls with the gas: it is carried along, and nothing else.
template <class Scheme>
double falling_wave_error(int n) {
  const Vec<2> g{{1.0, -2.0}};
  const auto carried = [g](const Euler<2>& gas, const numerics::CellContext<2>& cell, double t) {
    const double pi = 3.14159265358979;
    const Vec<2> x = cell.centre - (0.5 * t * t) * g;
    const double mean = std::sin(pi * cell.dx[0]) / (pi * cell.dx[0]);  // of a wave over a cell
    const double rho = 1.0 + 0.3 * std::sin(2 * pi * x[0]) * mean;
    return gas.to_conserved({rho, t * g, 5.0});
  };
  const Euler<2> gas{.gravity = g};
  struct Start {
    Euler<2> gas;
    const decltype(carried)& at;
    GasState<2> operator()(const numerics::CellContext<2>& cell) const { return at(gas, cell, 0); }
  };
  test::OneBlock<2, Scheme> block(Start{gas, carried}, {.n_cells = {{n, n}}});
  EXPECT_TRUE(block.run_until(0.4));
  return block.errors([&](const auto& cell) { return carried(gas, cell, 0.4); })[0];
}

TEST(Balanced, gas_that_falls_is_followed_with_second_order) {
  const auto expect_order = []<class Scheme>(const Scheme&, const char* name) {
    const double coarse = falling_wave_error<Scheme>(16), fine = falling_wave_error<Scheme>(32);
    EXPECT_GT(std::log2(coarse / fine), 1.8) << name;
  };
  expect_order(numerics::Vl2<Euler<2>, numerics::PpmExtrema>{}, "vl2");
  expect_order(numerics::RungeKutta<Euler<2>, numerics::PpmExtrema>{}, "rk3");
  expect_order(numerics::Ctu<Euler<2>, numerics::PpmExtrema>{}, "ctu");
}

}  // namespace
}  // namespace thalweg::hydro
