// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <thalweg/hydro/problem_file.hpp>

namespace thalweg::hydro {

/// A cold gas that falls onto its centre; a shock runs out of it with (gamma - 1) / 2 of its speed.
/// Boundaries of kind "problem" let more of it in.
/// @source Noh, JCP 72 (1987) 78
ProblemFile problem_noh() {
  return problem_file<1, 2, 3>(
      "A cold gas that falls onto a point, line or plane.",
      {keys::centre("Where the gas falls to."), keys::density("Density of the gas at the start."),
       keys::pressure("Pressure of the gas that falls."),
       io::real("problem.speed", 1, "velocity", "Speed with which the gas falls.",
                io::Range::above(0))},
      []<int D>(ProblemReader<D>& read) -> GasProblem<D> {
        const double density = read.real("density"), speed = read.real("speed");
        const auto at = [=, centre = read.centre(),
                         p = read.pressure_at(speed * Vec<D>::unit(0), density)](const Vec<D>& x,
                                                                                 double time) {
          const Vec<D> from_centre = x - centre;
          const double r = std::max(std::sqrt(dot(from_centre, from_centre)), 1e-12);
          return typename Euler<D>::Primitive{density * std::pow(1.0 + speed * time / r, D - 1),
                                              (-speed / r) * from_centre, p};
        };
        const Euler<D> gas = read.ideal_gas();
        return {.initial = averages_of(gas, [=](const Vec<D>& x) { return at(x, 0); }),
                .outside = [=](const numerics::BoundaryCell<Gas<D>>& cell) {
                  return gas.to_conserved(at(cell.centre, cell.time));
                }};
      },
      keys::sides("reflecting", "problem"));
}

}  // namespace thalweg::hydro
