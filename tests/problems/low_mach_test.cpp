// SPDX-License-Identifier: MIT
// Gas that is much slower than its sound: what it does must not depend on how much.
#include <cmath>
#include <complex>
#include <numbers>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "../support/leaves.hpp"
#include "run_deck.hpp"

namespace thalweg::testing {
namespace {

constexpr double gamma_of_decks = 1.4;

std::vector<std::string> with(std::vector<std::string> overrides, const std::string& solver,
                              double pressure) {
  overrides.insert(overrides.end(),
                   {"hydro.riemann=" + solver, fmt::format("problem.pressure={}", pressure)});
  return overrides;
}

/// The share of its kinetic energy that Gresho's vortex keeps for a turn on 32^2 cells. The
/// pressure where it is fastest, with speed 1, is 1/2 above that in its centre.
/// @source Miczek, Roepke, Edelmann, A&A 576 (2015) A50
double kept_by_a_turn(double mach, const std::string& solver) {
  double kept = 0;
  run_deck<2>("gresho.toml",
              with({"mesh.root_blocks=[2,2]", "time.end=1.2566370614359172"}, solver,
                   1 / (gamma_of_decks * mach * mach) - 0.5),
              [&](const auto& simulation) {
                const auto kinetic = [](const auto& u) { return dot(u.mom, u.mom) / u.rho; };
                const auto dx = simulation.mesh().forest.geometry.cell_size(0);
                double before = 0, after = 0;
                for_each_leaf(simulation, [&](const Vec<2>& x, double, const auto& u) {
                  after += kinetic(u);
                  before += kinetic(simulation.problem().initial.of({x, dx}));
                });
                kept = after / before;
                fmt::print("Gresho's vortex at Mach {}, {}: {:.4f}\n", mach, solver, kept);
              });
  return kept;
}

TEST(LowMach, greshos_vortex_keeps_as_much_energy_however_slow_it_is_with_lhllc) {
  const double fast = kept_by_a_turn(0.1, "lhllc"), slow = kept_by_a_turn(0.02, "lhllc");
  EXPECT_GT(fast, 0.91);
  EXPECT_NEAR(slow, fast, 0.0063);
  // HLLC's viscosity, which grows as 1/M, takes more than half.
  EXPECT_LT(kept_by_a_turn(0.02, "hllc"), 0.5);
}

/// The growth rate of a wave of number k on the layer tanh(y) in linear theory, without walls.
///
/// The pressure of the wave is p'' = 2 U' p' / (U - c) + k^2 (1 - M^2 (U - c)^2) p, falling away
/// from the layer; c = i c_i as both sides are alike, so that p'/p is imaginary in the middle.
/// @source Blumen, J. Fluid Mech. 40 (1970) 769; for M = 0 Michalke, J. Fluid Mech. 19 (1964) 543
double linear_growth(double k, double mach) {
  using Complex = std::complex<double>;
  const auto real_part_in_the_middle = [&](double c_i) {
    const auto steepening = [&](double y, Complex q) {  // of q = p'/p
      const double u = std::tanh(y);
      const Complex flow = u - Complex(0, c_i);
      return 2.0 * (1 - u * u) / flow * q + k * k * (1.0 - mach * mach * flow * flow) - q * q;
    };
    constexpr int n_steps = 4000;
    constexpr double start = -12.0, dy = -start / n_steps;
    const Complex outside = -1.0 - Complex(0, c_i);
    Complex q = k * std::sqrt(1.0 - mach * mach * outside * outside);
    for (int n = 0; n < n_steps; ++n) {
      const double y = start + n * dy;
      const Complex a = steepening(y, q), b = steepening(y + dy / 2, q + dy / 2 * a);
      const Complex c = steepening(y + dy / 2, q + dy / 2 * b), d = steepening(y + dy, q + dy * c);
      q += dy / 6 * (a + 2.0 * b + 2.0 * c + d);
    }
    return q.real();
  };
  double lower = 0.3, upper = 0.5;
  for (int n = 0; n < 30; ++n) {
    const double c_i = (lower + upper) / 2;
    (real_part_in_the_middle(c_i) < 0 ? lower : upper) = c_i;
  }
  return k * lower;
}

TEST(LowMach, linear_theory_has_the_published_growth_of_a_shear_layer) {
  EXPECT_NEAR(linear_growth(0.4446, 1e-3), 0.1897, 5e-5);
  EXPECT_LT(linear_growth(0.43, 1e-3), linear_growth(0.4446, 1e-3));
  EXPECT_LT(linear_growth(0.46, 1e-3), linear_growth(0.4446, 1e-3));
}

constexpr double wave_number = 0.4446;

/// How far the wave on a shear layer has grown, of so many cells: how much
/// of the velocity is as that of the wave at the start, in any phase. Sound, whose velocity is a
/// gradient, has no part in it.
double wave_on_layer(int n_cells, double mach, const std::string& solver, double end) {
  double wave = 0;
  run_deck<2>("shear_layer.toml",
              with({"problem.amplitude=1e-4",
                    fmt::format("mesh.root_blocks=[{},{}]", n_cells / 16, n_cells / 8),
                    fmt::format("time.end={}", end)},
                   solver, 1 / (gamma_of_decks * mach * mach)),
              [&](const auto& simulation) {
                double s = 0, c = 0;
                for_each_leaf(simulation, [&](const Vec<2>& x, double, const auto& u) {
                  const double k = wave_number, sine = std::sin(k * x[0]),
                               cosine = std::cos(k * x[0]);
                  const double shape = std::pow(std::cosh(x[1]), -k) / u.rho;
                  const double along = std::tanh(x[1]) * u.mom[0], across = u.mom[1];
                  s += shape * (across * sine - along * cosine);
                  c += shape * (across * cosine + along * sine);
                });
                wave = std::hypot(s, c);
              });
  return wave;
}

/// The rate of that growth from t = 10, when other waves have gone, to t = 20.
double growth(int n_cells, double mach, const std::string& solver) {
  const double rate = 0.1 * std::log(wave_on_layer(n_cells, mach, solver, 20.0) /
                                     wave_on_layer(n_cells, mach, solver, 10.0));
  fmt::print("shear layer of {} cells a wave at Mach {}, {}: rate {:.4f}, linear theory {:.4f}\n",
             n_cells, mach, solver, rate, linear_growth(wave_number, mach));
  return rate;
}

TEST(LowMach, a_shear_layer_rolls_up_as_linear_theory_says) {
  const double linear = linear_growth(wave_number, 0.1);
  const double coarse = growth(16, 0.1, "lhllc"), fine = growth(32, 0.1, "lhllc");
  EXPECT_NEAR(fine / linear, 1.0, 0.07);
  EXPECT_GT(std::log2((linear - coarse) / (linear - fine)), 2.0);
}

TEST(LowMach, a_shear_layer_rolls_up_however_slow_it_is_with_lhllc) {
  const double slow = growth(16, 0.02, "lhllc");
  EXPECT_GT(slow, growth(16, 0.1, "lhllc"));
  EXPECT_LT(slow, linear_growth(wave_number, 0.02));
  EXPECT_LT(growth(16, 0.02, "hllc"), 0.2 * slow);  // HLLC's viscosity ends the wave
}

}  // namespace
}  // namespace thalweg::testing
