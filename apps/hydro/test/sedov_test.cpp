// SPDX-License-Identifier: MIT
// The octant of a point explosion against the exact solution and the figures of other codes.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/hydro/exact_sedov.hpp>
#include <thalweg/hydro/problems.hpp>
#include <thalweg/hydro/riemann_two_shock.hpp>
#include <thalweg/numerics/ppm.hpp>
#include <thalweg/numerics/update_ctu.hpp>

#include "one_block.hpp"

namespace thalweg::hydro {
namespace {

using Vl2 = numerics::Scheme<Euler<3>, numerics::PpmExtrema>;
using Ctu = numerics::Ctu<Euler<3>, numerics::PpmClassic, RiemannTwoShock>;
constexpr double end = 0.05, edge = 0.5, p_outside = 1e-5;

/// The exact solution averaged over cells, from a table in the radius.
class CellAverages {
 public:
  CellAverages() {
    const ExactSedov exact({});
    for (int i = 0; i <= n_radii; ++i) table_.push_back(exact.at(i * max_radius / n_radii, end));
  }
  /// Density, speed weighted by mass, and pressure, by 4^3 samples.
  Euler<1>::Primitive operator()(const Vec<3>& centre, double dx) const {
    Euler<1>::Primitive sum{};
    for_each(Box<3>::cube(4), [&](const Index<3>& sample) {
      Vec<3> x = centre;
      for (int a = 0; a < 3; ++a) x[a] += ((sample[a] + 0.5) / 4 - 0.5) * dx;
      const auto& w = table_[static_cast<std::size_t>(
          std::lround(std::sqrt(dot(x, x)) * n_radii / max_radius))];
      sum.rho += w.rho / 64;
      sum.vel += w.rho * w.vel * (1.0 / 64);
      sum.p += std::max(w.p, p_outside) / 64;
    });
    sum.vel *= 1.0 / sum.rho;
    return sum;
  }

 private:
  static constexpr int n_radii = 20000;
  static constexpr double max_radius = 0.9;
  std::vector<Euler<1>::Primitive> table_;
};

/// How a run ended, as the reference figures say it.
struct Outcome {
  std::array<double, 3> l1;  ///< of density, pressure and speed, relative, over the octant
  double max_rho = 0;
  double max_p = 0;
  double shock_radius = 0;  ///< where the mean pressure of 64 shells falls below half its maximum
  double energy = 0;        ///< in the full sphere
  double asymmetry = 0;     ///< of density when axes are exchanged
};

template <class Scheme>
Outcome explode(int n, double cfl) {
  numerics::Boundaries<3> faces;
  for (std::size_t a = 0; a < 3; ++a) {
    faces[2 * a] = numerics::Boundary::reflecting;
    faces[2 * a + 1] = numerics::Boundary::outflow;
  }
  test::OneBlock<3, Scheme> block(Sedov<3>{}, {.n_cells = Index<3>::filled(n),
                                               .upper = Vec<3>::filled(edge),
                                               .boundaries = faces,
                                               .cfl = cfl});
  EXPECT_TRUE(block.run_until(end));

  constexpr std::size_t n_shells = 64;
  std::array<double, n_shells> pressure{}, n_in_shell{};
  std::array<double, 3> error{}, norm{};
  Outcome outcome;
  const CellAverages exact;
  for_each(block.valid(), [&](const Index<3>& i) {
    const auto w = Euler<3>{}.to_primitive(block.at(i));
    const Vec<3> x = block.centre(i);
    const auto e = exact(x, block.dx()[0]);
    const std::array<double, 3> is{w.rho, w.p, std::sqrt(dot(w.vel, w.vel))};
    const std::array<double, 3> should{e.rho, e.p, e.vel[0]};
    for (std::size_t q = 0; q < 3; ++q) {
      error[q] += std::abs(is[q] - should[q]);
      norm[q] += should[q];
    }
    outcome.max_rho = std::max(outcome.max_rho, w.rho);
    outcome.max_p = std::max(outcome.max_p, w.p);
    const double exchanged = block.at({{i[1], i[2], i[0]}}).rho;
    outcome.asymmetry = std::max(outcome.asymmetry, std::abs(exchanged - w.rho));
    const auto shell = static_cast<std::size_t>(std::sqrt(dot(x, x)) / edge * n_shells);
    if (shell >= n_shells) return;
    pressure[shell] += w.p;
    n_in_shell[shell] += 1;
  });
  for (std::size_t q = 0; q < 3; ++q) outcome.l1[q] = error[q] / norm[q];
  for (std::size_t s = 0; s < n_shells; ++s)
    if (n_in_shell[s] > 0) pressure[s] /= n_in_shell[s];
  const double half = 0.5 * *std::ranges::max_element(pressure);
  std::size_t s = n_shells - 1;
  while (pressure[s] < half) --s;
  const double part = (pressure[s] - half) / (pressure[s] - pressure[s + 1]);
  outcome.shock_radius = (static_cast<double>(s) + 0.5 + part) * edge / n_shells;
  outcome.energy = 8 * edge * edge * edge * block.mean(4);
  return outcome;
}

TEST(Sedov, of_ctu_is_as_castro_has_it) {
  // Castro's unsplit PPM on the same cells, with the same Courant number: L1 .0573 / .2022 / .2214,
  // maxima 2.951 and 3.816, shock at .3207, energy 0.9938 of the nominal one, as deposited.
  const Outcome outcome = explode<Ctu>(32, 0.5);
  EXPECT_LE(outcome.l1[0], 0.0573);
  EXPECT_LE(outcome.l1[1], 0.2022);
  EXPECT_LE(outcome.l1[2], 0.2214);
  EXPECT_NEAR(outcome.max_rho, 2.951, 0.01);
  EXPECT_NEAR(outcome.max_p, 3.816, 0.02);
  EXPECT_NEAR(outcome.shock_radius, 0.3207, 5e-4);
  EXPECT_NEAR(outcome.energy, 0.993826, 1e-6);
  EXPECT_LT(outcome.asymmetry, 1e-12);
}

TEST(Sedov, of_vl2_is_as_athena_has_it) {
  // Athena++, VL2 PPM HLLC, in the full cube: L1 .0289 / .1141 / .1510, maxima 3.554 and 4.427,
  // shock at .3158.
  const Outcome outcome = explode<Vl2>(32, 0.3);
  EXPECT_LE(outcome.l1[0], 0.0289);
  EXPECT_LE(outcome.l1[1], 0.1141);
  EXPECT_LE(outcome.l1[2], 0.1510);
  EXPECT_NEAR(outcome.max_rho, 3.554, 0.06);
  EXPECT_NEAR(outcome.max_p, 4.427, 0.08);
  EXPECT_NEAR(outcome.shock_radius, 0.3158, 6e-4);
  EXPECT_NEAR(outcome.energy, 0.993826, 1e-6);
  EXPECT_LT(outcome.asymmetry, 1e-12);
}

TEST(Sedov, of_ctu_in_the_full_cube_stays_mirrored_to_the_bit) {
  constexpr int n = 16;
  test::OneBlock<3, Ctu> block(Sedov<3>{.radius = 0.12}, {.n_cells = Index<3>::filled(n),
                                                          .lower = Vec<3>::filled(-0.5),
                                                          .upper = Vec<3>::filled(0.5),
                                                          .cfl = 0.5});
  EXPECT_TRUE(block.run_until(0.02));
  for_each(block.valid(), [&](const Index<3>& i) {
    for (int a = 0; a < 3; ++a) {
      Index<3> other = i;
      other[a] = n - 1 - i[a];
      ASSERT_EQ(block.at(i), Euler<3>{}.mirror(block.at(other), a));
    }
  });
}

}  // namespace
}  // namespace thalweg::hydro
