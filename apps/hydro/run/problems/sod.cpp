// SPDX-License-Identifier: MIT
#include <thalweg/hydro/problem_file.hpp>
#include <thalweg/hydro/problems.hpp>

namespace thalweg::hydro {

/// Sod's shock tube along any axis.
ProblemFile problem_sod() {
  return problem_file<1, 2, 3>(
      "Sod's shock tube, whose states meet where the coordinate along it is 0.",
      {keys::axis("Axis along which the tube lies.")},
      []<int D>(ProblemReader<D>& read) -> GasProblem<D> {
        read.check_interface(read.axis(), 0, "the states of Sod's tube meet at");
        return {.initial = ShockTube<D, DeckEos>{.gas = read.gas, .axis = read.axis()}};
      },
      keys::domain(-0.5, 0.5));
}

}  // namespace thalweg::hydro
