// SPDX-License-Identifier: MIT
#include <thalweg/hydro/problem_file.hpp>

namespace thalweg::hydro {

/// The same state everywhere: must stay the same to the bit.
///
/// Under source.gravity it falls freely, and what lies outside boundaries of kind "problem" with
/// it: an exact solution.
ProblemFile problem_uniform() {
  return problem_file<1, 2, 3>(
      "The same state everywhere.",
      {keys::velocity("Velocity of the gas."), keys::density("Density of the gas."),
       io::real("problem.pressure", 1, "pressure", "Pressure of the gas.", io::Range::above(0))},
      []<int D>(ProblemReader<D>& read) -> GasProblem<D> {
        const double rho = read.real("density");
        const Vec<D> v = read.reals("velocity");
        const auto at = [=, gas = read.gas, p = read.pressure_at(v, rho),
                         g = read.gravity](double time) {
          return gas.to_conserved({.rho = rho, .vel = v + time * g, .p = p});
        };
        return {.initial = [at](const Cell<D>&) { return at(0); },
                .outside = [at](const auto& cell) { return at(cell.time); },
                .outside_is_optional = true};
      });
}

}  // namespace thalweg::hydro
