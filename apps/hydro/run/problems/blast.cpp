// SPDX-License-Identifier: MIT
#include <thalweg/hydro/problem_file.hpp>
#include <thalweg/hydro/problems.hpp>

namespace thalweg::hydro {

/// A ball of hot gas in a moving one. Passive scalars: the ball, and the lower half of the domain.
ProblemFile problem_blast() {
  return problem_file<1, 2, 3>(
      "A ball of hot gas in a uniform stream.",
      {keys::centre("Centre of the ball."), keys::velocity("Velocity of all gas."),
       keys::radius("Radius of the ball."), keys::density("Density of all gas."),
       keys::pressure_inside("Pressure in the ball."), keys::pressure("Pressure around the ball.")},
      []<int D>(ProblemReader<D>& read) -> GasProblem<D> {
        const Blast<D, DeckEos> blast = read.ball(read.reals("velocity"));
        return {
            .initial = blast,
            .scalars = [=, middle = 0.5 * (read.lower + read.upper)](int k, const Cell<D>& cell) {
              const Vec<D>& x = cell.centre;
              const Vec<D> from_centre = x - nearest_image(blast.centre, x, blast.period);
              const bool is_in_ball = dot(from_centre, from_centre) < blast.radius * blast.radius;
              return (k == 0 ? is_in_ball : x[D - 1] < middle[D - 1]) ? 1.0 : 0.0;
            }};
      },
      keys::sides("periodic", "periodic"));
}

}  // namespace thalweg::hydro
