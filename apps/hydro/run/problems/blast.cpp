// SPDX-License-Identifier: MIT
#include <thalweg/hydro/problem_file.hpp>
#include <thalweg/hydro/problems.hpp>

namespace thalweg::hydro {

/// A ball of hot gas in a moving one.
ProblemFile problem_blast() {
  return problem_file<1, 2, 3>({}, []<int D>(ProblemReader<D>& read) -> GasProblem<D> {
    return {.initial = Blast<D>{.gas = read.gas,
                                .centre = read.reals("centre"),
                                .velocity = read.reals("velocity"),
                                .radius = read.real("radius"),
                                .p_inside = read.real("pressure_inside"),
                                .p_outside = read.real("pressure")}};
  });
}

}  // namespace thalweg::hydro
