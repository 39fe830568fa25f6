// SPDX-License-Identifier: MIT
#include <cmath>
#include <numbers>

#include <thalweg/hydro/problem_file.hpp>

namespace thalweg::hydro {

/// Two blast waves that collide between walls at 0 and 1.
/// @source Woodward and Colella, JCP 54 (1984) 115, sec. IVa
ProblemFile problem_woodward_colella() {
  return problem_file<1, 2, 3>(
      "Two blast waves that collide between walls.",
      {keys::axis("Axis along which the waves run.")},
      []<int D>(ProblemReader<D>& read) -> GasProblem<D> {
        const int axis = read.axis();
        read.check_unit_extent(axis);
        return {.initial = averages_of(read.gas, [=](const Vec<D>& x) {
                  const double p = x[axis] < 0.1 ? 1000.0 : x[axis] < 0.9 ? 0.01 : 100.0;
                  return typename Euler<D>::Primitive{.rho = 1.0, .vel = {}, .p = p};
                })};
      },
      keys::sides("reflecting", "reflecting"));
}

}  // namespace thalweg::hydro
