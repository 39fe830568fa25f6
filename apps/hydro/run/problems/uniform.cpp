// SPDX-License-Identifier: MIT
#include <thalweg/hydro/problem_file.hpp>

namespace thalweg::hydro {

/// The same state everywhere: must stay the same to the bit.
///
/// Under source.gravity it falls freely, and what lies outside boundaries of kind "problem" with
/// it: an exact solution.
ProblemFile problem_uniform() {
  return problem_file<1, 2, 3>(
      "The same state everywhere.", {keys::velocity("Velocity of the gas.")},
      []<int D>(ProblemReader<D>& read) -> GasProblem<D> {
        const auto at = [gas = read.gas, v = read.reals("velocity"),
                         g = read.gravity](double time) {
          return gas.to_conserved({.rho = 1.0, .vel = v + time * g, .p = 1.0});
        };
        return {.initial = [at](const Cell<D>&) { return at(0); },
                .outside = [at](const auto& cell) { return at(cell.time); }};
      });
}

}  // namespace thalweg::hydro
