// SPDX-License-Identifier: MIT
#include <thalweg/hydro/problem_file.hpp>
#include <thalweg/hydro/problems.hpp>

namespace thalweg::hydro {

/// A point explosion in a cold gas.
ProblemFile problem_sedov() {
  return problem_file<1, 2, 3>(
      "A point explosion in a cold gas.",
      {keys::centre("Centre of the explosion."),
       keys::radius("Radius of the ball that the energy is put into."),
       {.name = "problem.energy",
        .default_value = 1.0,
        .unit = "energy",
        .range = io::Range::above(0),
        .doc = "Energy of the explosion in the full ball, also where the domain holds a part."},
       keys::density("Density of all gas."),
       keys::pressure("Pressure of the gas around the ball.")},
      []<int D>(ProblemReader<D>& read) -> GasProblem<D> {
        return {.initial = Sedov<D>{.gas = read.ideal_gas(),
                                    .centre = read.centre(),
                                    .period = read.period,
                                    .radius = read.radius(),
                                    .energy = read.real("energy"),
                                    .rho = read.real("density"),
                                    .p = read.real("pressure")}};
      },
      keys::sides("reflecting", "outflow"));
}

}  // namespace thalweg::hydro
