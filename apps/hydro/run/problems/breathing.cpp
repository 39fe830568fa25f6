// SPDX-License-Identifier: MIT
#include <cmath>
#include <numbers>

#include <thalweg/hydro/problem_file.hpp>

namespace thalweg::hydro {

/// A gas that a pull to and from its centre makes denser and thinner everywhere alike: a source
/// that depends on place, time and state, and an exact solution.
///
/// With a(t) = 1 - depth sin^2(pi t): density a^-D, velocity x a'/a, pressure of an isentrope,
/// acceleration x a''/a. Only the velocity depends on the place.
ProblemFile problem_breathing() {
  return problem_file<1, 2, 3>(
      "A gas that a central force compresses and expands uniformly: an exact solution.",
      {keys::centre("Centre of the force."), keys::pressure("Pressure at the start."),
       io::real("problem.depth", 0.25, "", "Largest contraction.", io::Range::between(0, 0.9))},
      []<int D>(ProblemReader<D>& read) -> GasProblem<D> {
        const double depth = read.real("depth"), pi = std::numbers::pi;
        const Vec<D> centre = read.centre();
        const auto a = [=](double t) { return 1.0 - depth * std::pow(std::sin(pi * t), 2); };
        const auto at = [=, gas = read.ideal_gas(), p = read.real("pressure")](Vec<D> x, double t) {
          const double rho = std::pow(a(t), -D), rate = -depth * pi * std::sin(2.0 * pi * t) / a(t);
          return gas.to_conserved({rho, rate * (x - centre), p * std::pow(rho, gas.eos.gamma)});
        };
        const auto pull = [=](const Cell<D>& cell, const GasState<D>& u) {
          const Vec<D> g =
              (-2.0 * depth * pi * pi * std::cos(2.0 * pi * cell.time) / a(cell.time)) *
              (cell.centre - centre);
          return GasState<D>{0.0, u.rho * g, dot(u.mom, g)};
        };
        return {.initial = [=](const Cell<D>& cell) { return at(cell.centre, 0); },
                .outside = [=](const auto& cell) { return at(cell.centre, cell.time); },
                .rate = pull};
      },
      keys::sides("problem", "problem"));
}

}  // namespace thalweg::hydro
