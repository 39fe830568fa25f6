// SPDX-License-Identifier: MIT
#include <cmath>

#include <thalweg/hydro/gravity.hpp>
#include <thalweg/hydro/problem_file.hpp>

namespace thalweg::hydro {

/// A gas that a pull -k x towards its centre makes denser everywhere alike: a source term that
/// depends on the place, and an exact solution.
///
/// With a = cos(sqrt(k) t) the density is a^-D, the velocity x a'/a, and the pressure that of an
/// isentrope; all in it is still linear in x, so what a scheme errs by is of time. Boundaries of
/// kind "problem" have the exact states.
ProblemFile problem_breathing() {
  return problem_file<1, 2, 3>(
      {{.name = "problem.pull",
        .default_value = 1.0,
        .unit = "1/time^2",
        .range = io::Range::above(0),
        .doc = "Of a breathing gas to its centre, an acceleration over the distance."}},
      []<int D>(ProblemReader<D>& read) -> GasProblem<D> {
        const auto centre = read.reals("centre");
        const auto at = [=, gas = read.ideal_gas(), p = read.real("pressure"),
                         w = std::sqrt(read.real("pull"))](const Vec<D>& x, double time) {
          const double rho = std::pow(std::cos(w * time), -D);
          return GasPrimitive<D>{rho, -w * std::tan(w * time) * (x - centre),
                                 p * std::pow(rho, gas.eos.gamma)};
        };
        return {.initial = averages_of(read.gas, [=](const Vec<D>& x) { return at(x, 0); }),
                .outside =
                    [gas = read.gas, at](const numerics::CellOutside<Gas<D>>& cell) {
                      return gas.to_conserved(at(cell.centre, cell.time));
                    },
                .source = [=, k = read.real("pull")](
                              const GasState<D>& u, const Vec<D>& x,
                              double dt) { return Gravity<D>{-k * (x - centre)}(u, dt); }};
      });
}

}  // namespace thalweg::hydro
