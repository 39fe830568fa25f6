// SPDX-License-Identifier: MIT
#include <thalweg/hydro/interface_wave.hpp>
#include <thalweg/hydro/problem_file.hpp>

namespace thalweg::hydro {

/// Heavy gas above light gas of density 1, in balance but for a push that makes waves grow.
///
/// Gravity acts along the last axis, the interface is where its coordinate is 0, and the pressure
/// there problem.pressure. The push is the linear wave of problem.n_waves wave lengths a side with
/// speed problem.amplitude, or "random": waves of 1 up to so many, with random phases.
ProblemFile problem_rayleigh_taylor() {
  return problem_file<2, 3>(
      "A heavy gas above a light one, with a wave on the interface that grows.",
      {keys::pressure("Pressure at the interface."),
       keys::n_waves("Number of wavelengths along each axis of the interface, at most."),
       keys::amplitude("velocity", "Velocity of the interface; 0: none.", io::Range::at_least(0)),
       io::real("problem.density_ratio", 2, "", "Density of the heavy gas over that of the light.",
                io::Range::above(1)),
       {.name = "problem.mode",
        .default_value = "single",
        .choices = {"single", "random"},
        .doc = "One wave, or all up to n_waves with random phases."}},
      []<int D>(ProblemReader<D>& read) -> GasProblem<D> {
        constexpr int up = D - 1;
        const auto waves = interface_waves<D>(
            {read.lower, read.upper}, read.interface_waves(), read.real("amplitude"),
            read.string("mode") == "random" ? WaveMode::random : WaveMode::single);
        const auto at_point = [=, g = read.gravity_down(), p = read.interface_pressure(),
                               heavy = read.real("density_ratio")](const Vec<D>& x) {
          const double rho = x[up] > 0 ? heavy : 1.0;
          return typename Euler<D>::Primitive{rho, velocity_of(waves, x), p + rho * g * x[up]};
        };
        return {.initial = averages_of(read.gas, at_point)};
      });
}

}  // namespace thalweg::hydro
