// SPDX-License-Identifier: MIT
#include <cmath>
#include <numbers>

#include <thalweg/hydro/problem_file.hpp>

namespace thalweg::hydro {

/// Two streams that rub against each other between smooth layers, in a periodic unit square.
///
/// problem.amplitude is the speed across; its sine makes one mode of two wave lengths grow.
/// Passive scalars: the outer stream, the inner one.
/// @source McNally, Lyra, Passy, ApJS 201 (2012) 18, sec. 2.1
ProblemFile problem_kelvin_helmholtz() {
  return problem_file<2, 3>(
      "Two streams with smooth shear layers between them, in a periodic unit square.",
      {keys::amplitude("velocity", "Velocity across the streams at the start.")},
      []<int D>(ProblemReader<D>& read) -> GasProblem<D> {
        for (const int axis : {0, 1}) read.check_unit_extent(axis);
        const auto outer_share = [width = 0.025](const Vec<D>& x) {
          const double y = std::abs(x[1] - 0.5);  // above 1/4: the outer stream
          return y > 0.25 ? 1.0 - 0.5 * std::exp((0.25 - y) / width)
                          : 0.5 * std::exp((y - 0.25) / width);
        };
        const auto at_point = [=, amplitude = read.real("amplitude")](const Vec<D>& x) {
          const double share = outer_share(x);
          Vec<D> v = (share - 0.5) * Vec<D>::unit(0);
          v[1] = amplitude * std::sin(4.0 * std::numbers::pi * x[0]);
          return typename Euler<D>::Primitive{.rho = 2.0 - share, .vel = v, .p = 2.5};
        };
        return {.initial = averages_of(read.gas, at_point),
                .scalars = [=](int k, const Cell<D>& cell) {
                  const double share = outer_share(cell.centre);
                  return k == 0 ? share : 1.0 - share;
                }};
      },
      keys::sides("periodic", "periodic"));
}

}  // namespace thalweg::hydro
