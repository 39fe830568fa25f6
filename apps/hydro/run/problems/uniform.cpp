// SPDX-License-Identifier: MIT
#include <thalweg/hydro/problem_file.hpp>
#include <thalweg/hydro/problems.hpp>

namespace thalweg::hydro {

/// The same state everywhere: must stay the same to the bit.
ProblemFile problem_uniform() {
  return problem_file<1, 2, 3>({}, []<int D>(ProblemReader<D>& read) -> GasProblem<D> {
    return {.initial = Uniform<D, DeckEos>{
                .gas = read.gas, .state = {.rho = 1.0, .vel = read.reals("velocity"), .p = 1.0}}};
  });
}

}  // namespace thalweg::hydro
