// SPDX-License-Identifier: MIT
#include <thalweg/hydro/problem_file.hpp>
#include <thalweg/hydro/problems.hpp>

namespace thalweg::hydro {

/// A point explosion in a cold gas.
ProblemFile problem_sedov() {
  return problem_file<1, 2, 3>({}, []<int D>(ProblemReader<D>& read) -> GasProblem<D> {
    return {.initial = Sedov<D>{.gas = read.ideal_gas(),
                                .centre = read.reals("centre"),
                                .radius = read.real("radius"),
                                .energy = read.real("energy"),
                                .p = read.real("pressure")}};
  });
}

}  // namespace thalweg::hydro
