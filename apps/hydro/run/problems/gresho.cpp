// SPDX-License-Identifier: MIT
#include <cmath>
#include <numbers>

#include <thalweg/hydro/problem_file.hpp>

namespace thalweg::hydro {

/// Gresho's vortex: a ring of gas that turns for ever, held by its pressure.
///
/// The speed around the centre is 5 r up to r = 0.2 and falls to 0 at 0.4; the pressure in the
/// middle is problem.pressure, 5 in the original, and more makes the flow less compressible.
/// @source Liska and Wendroff, SIAM J. Sci. Comput. 25 (2003) 995, sec. 4.5
ProblemFile problem_gresho() {
  return problem_file<2, 3>(
      "Gresho's vortex, in balance between pressure and centrifugal force.",
      {keys::centre("Centre of the vortex."),
       keys::velocity("Velocity of the stream that carries the vortex."),
       keys::pressure("Pressure in the centre of the vortex.")},
      []<int D>(ProblemReader<D>& read) -> GasProblem<D> {
        const Vec<D> stream = read.reals("velocity");
        const auto at_point = [=, from = read.way_from_centre(),
                               p0 = read.pressure_at(stream)](const Vec<D>& x) {
          const double dx = from(x)[0], dy = from(x)[1];
          const double r = std::hypot(dx, dy);
          const double turns = r < 0.2 ? 5.0 : r < 0.4 ? 2.0 / r - 5.0 : 0.0;  // speed / r
          const double held = r < 0.2   ? 12.5 * r * r
                              : r < 0.4 ? 12.5 * r * r + 4.0 * (1.0 - 5.0 * r + std::log(5.0 * r))
                                        : 4.0 * std::numbers::ln2 - 2.0;
          const Vec<D> around = dx * Vec<D>::unit(1) - dy * Vec<D>::unit(0);
          return typename Euler<D>::Primitive{1.0, stream + turns * around, p0 + held};
        };
        return {.initial = averages_of(read.gas, at_point)};
      },
      keys::sides("periodic", "periodic"));
}

}  // namespace thalweg::hydro
