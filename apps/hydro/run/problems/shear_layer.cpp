// SPDX-License-Identifier: MIT
#include <cmath>
#include <numbers>

#include <thalweg/hydro/problem_file.hpp>

namespace thalweg::hydro {

/// A smooth shear layer of one density: the velocity along x is tanh(y).
///
/// One wave of number k fits in the domain along x. problem.amplitude is its speed across the layer
/// at the start, whose stream function cos(k x) / cosh(y)^k is the neutral wave for k = 1 and falls
/// as exp(-k |y|) away from the layer, as all waves do.
/// @source Michalke, J. Fluid Mech. 19 (1964) 543
ProblemFile problem_shear_layer() {
  return problem_file<2, 3>(
      "A shear layer of one density with the velocity tanh(y), and a wave on it that grows.",
      {keys::pressure("Pressure of all gas."),
       keys::amplitude("velocity", "Velocity across the layer at the start.")},
      []<int D>(ProblemReader<D>& read) -> GasProblem<D> {
        read.check_interface(1, 0, "the layer lies at y =");
        const double k = 2.0 * std::numbers::pi / (read.upper[0] - read.lower[0]);
        const auto at_point = [=, p = read.pressure_at(Vec<D>::unit(0)),
                               amplitude = read.real("amplitude")](const Vec<D>& x) {
          const double across = amplitude * std::pow(std::cosh(x[1]), -k);
          Vec<D> v{};
          v[0] = std::tanh(x[1]) * (1.0 - across * std::cos(k * x[0]));
          v[1] = across * std::sin(k * x[0]);
          return typename Euler<D>::Primitive{.rho = 1.0, .vel = v, .p = p};
        };
        return {.initial = averages_of(read.gas, at_point)};
      });
}

}  // namespace thalweg::hydro
