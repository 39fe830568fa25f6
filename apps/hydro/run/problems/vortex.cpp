// SPDX-License-Identifier: MIT
#include <cmath>
#include <numbers>

#include <thalweg/hydro/problem_file.hpp>

namespace thalweg::hydro {

/// An isentropic vortex that a stream carries through a periodic box: an exact solution.
///
/// With r the distance from the centre in radii, vortex speed s r exp((1 - r^2)/2), p = rho^gamma,
/// T = 1 - (gamma-1)/(2 gamma) s^2 exp(1 - r^2). Says to refine where the gas turns.
/// @source Yee, Sandham, Djomehri, JCP 150 (1999) 199; with s = 5/(2 pi) that of Shu (1998)
ProblemFile problem_vortex() {
  return problem_file<2, 3>(
      "A smooth vortex that a stream carries through a periodic box: an exact solution.",
      {keys::centre("Centre at the start."), keys::velocity("Velocity of the stream."),
       keys::radius("Radius of the vortex."),
       io::real("problem.speed", 0.79577471545947668, "velocity", "Speed at problem.radius.")},
      []<int D>(ProblemReader<D>& read) -> GasProblem<D> {
        const auto at_point = [gas = read.ideal_gas(), from = read.way_from_centre(),
                               stream = read.reals("velocity"), radius = read.real("radius"),
                               s = read.vortex_speed()](const Vec<D>& x) {
          const double dx = from(x)[0] / radius, dy = from(x)[1] / radius;
          const double bell = s * std::exp(0.5 * (1.0 - dx * dx - dy * dy));
          const double t = 1.0 - 0.5 * (gas.eos.gamma - 1.0) / gas.eos.gamma * bell * bell;
          const double rho = std::pow(t, 1.0 / (gas.eos.gamma - 1.0));
          const Vec<D> around = dx * Vec<D>::unit(1) - dy * Vec<D>::unit(0);
          return typename Euler<D>::Primitive{rho, stream + bell * around, rho * t};
        };
        return {.initial = averages_of(read.ideal_gas(), at_point),
                .tag = [gas = read.gas, stream = read.reals("velocity")](auto&&, auto&& u) {
                  const Vec<D> v = gas.to_primitive(u()).vel - stream;
                  return dot(v, v) > 0.01;
                }};
      },
      keys::sides("periodic", "periodic"));
}

}  // namespace thalweg::hydro
