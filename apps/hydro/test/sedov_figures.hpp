// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include <thalweg/core/box.hpp>

#include "exact_sedov.hpp"

namespace thalweg::hydro::test {

/// Compares the octant of a point explosion at t = 0.05 with the exact solution, cell by cell, by
/// the figures that other codes give.
class SedovFigures {
 public:
  static constexpr double end = 0.05, edge = 0.5, p_outside = 1e-5;

  /// How a run ended.
  struct Outcome {
    std::array<double, 3> l1;  ///< of density, pressure and speed, relative, over the octant
    double max_rho = 0;
    double max_p = 0;
    double shock_radius = 0;  ///< where the mean pressure of 64 shells falls below half its maximum
    double energy = 0;        ///< in the full sphere
  };

  SedovFigures() {
    const ExactSedov exact({});
    for (int i = 0; i <= n_radii; ++i) table_.push_back(exact.at(i * max_radius / n_radii, end));
  }

  /// Look at a cell of edge dx.
  void add(const Vec<3>& x, double dx, const Euler<3>::State& u) {
    const auto w = Euler<3>{}.to_primitive(u);
    const auto e = average(x, dx);
    const double volume = dx * dx * dx;
    const std::array<double, 3> is{w.rho, w.p, std::sqrt(dot(w.vel, w.vel))};
    const std::array<double, 3> should{e.rho, e.p, e.vel[0]};
    for (std::size_t q = 0; q < 3; ++q) {
      error_[q] += volume * std::abs(is[q] - should[q]);
      norm_[q] += volume * should[q];
    }
    outcome_.max_rho = std::max(outcome_.max_rho, w.rho);
    outcome_.max_p = std::max(outcome_.max_p, w.p);
    outcome_.energy += 8 * volume * u.energy;
    const auto shell = static_cast<std::size_t>(std::sqrt(dot(x, x)) / edge * n_shells);
    if (shell >= n_shells) return;
    pressure_[shell] += volume * w.p;
    in_shell_[shell] += volume;
  }

  Outcome outcome() const {
    Outcome result = outcome_;
    for (std::size_t q = 0; q < 3; ++q) result.l1[q] = error_[q] / norm_[q];
    auto mean = pressure_;
    for (std::size_t s = 0; s < n_shells; ++s)
      if (in_shell_[s] > 0) mean[s] /= in_shell_[s];
    const double half = 0.5 * *std::ranges::max_element(mean);
    std::size_t s = n_shells - 1;
    while (mean[s] < half) --s;
    const double part = (mean[s] - half) / (mean[s] - mean[s + 1]);
    result.shock_radius = (static_cast<double>(s) + 0.5 + part) * edge / n_shells;
    return result;
  }

 private:
  static constexpr std::size_t n_shells = 64;
  static constexpr int n_radii = 20000;
  static constexpr double max_radius = 0.9;

  /// The exact density, speed weighted by mass, and pressure, averaged by 4^3 samples.
  Euler<1>::Primitive average(const Vec<3>& centre, double dx) const {
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

  std::vector<Euler<1>::Primitive> table_;  ///< of the exact solution, by radius
  std::array<double, n_shells> pressure_{}, in_shell_{};
  std::array<double, 3> error_{}, norm_{};
  Outcome outcome_{};
};

}  // namespace thalweg::hydro::test
