// SPDX-License-Identifier: MIT
#include <thalweg/hydro/problem_file.hpp>
#include <thalweg/hydro/problems.hpp>

namespace thalweg::hydro {

/// Sod's shock tube along any axis.
ProblemFile problem_sod() {
  return problem_file<1, 2, 3>(
      "Sod's shock tube.", {keys::axis("Axis along which the tube lies.")},
      []<int D>(ProblemReader<D>& read) -> GasProblem<D> {
        return {.initial = ShockTube<D, DeckEos>{.gas = read.gas, .axis = read.axis()}};
      });
}

}  // namespace thalweg::hydro
