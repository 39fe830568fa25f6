// SPDX-License-Identifier: MIT
#include <cmath>
#include <numbers>

#include <thalweg/hydro/problem_file.hpp>

namespace thalweg::hydro {

/// A shock of Mach 10 that hits a wall at 60 degrees: the double Mach reflection.
///
/// The shock meets the lower wall at x = 1/6 at the start; left of that, and behind the shock along
/// the upper side, boundaries of kind "problem" have the gas behind it. gamma must be 1.4.
/// @source Woodward and Colella, JCP 54 (1984) 115, sec. IVc
ProblemFile problem_double_mach() {
  return problem_file<2>(
      "A shock of Mach 10 that a wall reflects at 60 degrees.", {},
      [](ProblemReader<2>& read) -> GasProblem<2> {
        const auto at = [](const Vec<2>& x, double time) {
          const double front = 1.0 / 6.0 + (x[1] + 20.0 * time) / std::numbers::sqrt3;
          return x[0] < front
                     ? Euler<2>::Primitive{8.0, {{4.125 * std::numbers::sqrt3, -4.125}}, 116.5}
                     : Euler<2>::Primitive{1.4, {}, 1.0};
        };
        return {.initial =
                    averages_of(read.ideal_gas_of(1.4), [=](const Vec<2>& x) { return at(x, 0); }),
                .outside =
                    [gas = read.gas, at](const numerics::BoundaryCell<Gas<2>>& cell) {
                      const bool is_wall = cell.face == 2 && cell.centre[0] >= 1.0 / 6.0;
                      return is_wall ? gas.mirror(cell.inside, 1)
                                     : gas.to_conserved(
                                           at(cell.centre, cell.face == 2 ? 0 : cell.time));
                    },
                .outside_is_fixed = true};
      },
      {{"boundary.lower", std::vector<std::string>{"problem", "problem", "outflow"}},
       {"boundary.upper", std::vector<std::string>{"outflow", "problem", "outflow"}}});
}

}  // namespace thalweg::hydro
