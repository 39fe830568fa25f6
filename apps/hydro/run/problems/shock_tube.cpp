// SPDX-License-Identifier: MIT
#include <thalweg/hydro/problem_file.hpp>
#include <thalweg/hydro/problems.hpp>

namespace thalweg::hydro {

/// Any two states side by side along any axis.
/// @source Toro (2009), sec. 4.3.3 and 10.8 for well-known ones
ProblemFile problem_shock_tube() {
  const auto side = [](const char* name, std::vector<double> state, const char* doc) {
    return io::Parameter{.name = name,
                         .default_value = std::move(state),
                         .length = io::Length::exactly(3),
                         .doc = doc};
  };
  return problem_file<1, 2, 3>(
      "Two uniform states that meet at a plane.",
      {keys::axis("Axis along which the tube lies."),
       side("problem.left", {1.0, 0.0, 1.0}, "Density, velocity and pressure below the interface."),
       side("problem.right", {0.125, 0.0, 0.1},
            "Density, velocity and pressure above the interface."),
       io::real("problem.interface", 0, "length", "Where the states meet at the start.")},
      []<int D>(ProblemReader<D>& read) -> GasProblem<D> {
        return {.initial = ShockTube<D, DeckEos>{.gas = read.gas,
                                                 .axis = read.axis(),
                                                 .interface = read.interface(),
                                                 .left = read.state_along("left"),
                                                 .right = read.state_along("right")}};
      },
      keys::domain(-0.5, 0.5));
}

}  // namespace thalweg::hydro
