// SPDX-License-Identifier: MIT
#include <thalweg/hydro/problem_file.hpp>
#include <thalweg/hydro/problems.hpp>

namespace thalweg::hydro {

/// A ball of hot gas that explodes, or several side by side: a domain to scale codes with.
///
/// The domain is cut into problem.replication equal boxes, all with what problem.centre and so on
/// say of the first, so the work grows with the domain and is the same in each box.
/// @source Van Straalen, Shalf, Ligocki, Keen, Yang, IPDPS (2009): the Chombo benchmark
ProblemFile problem_explosion() {
  return problem_file<1, 2, 3>(
      "A ball of hot gas at rest, once or repeated along each axis.",
      {keys::centre("Centre of the first ball."), keys::radius("Radius of a ball."),
       keys::density("Density everywhere."), keys::pressure_inside("Pressure in a ball."),
       keys::pressure("Pressure around the balls."),
       keys::counts("problem.replication", {1, 1, 1}, 1,
                    "Number of equal boxes along each axis, each with a ball.")},
      []<int D>(ProblemReader<D>& read) -> GasProblem<D> {
        const Index<D> n_boxes = read.integers("replication");
        for (int a = 0; a < D; ++a)
          if (n_boxes[a] > 1) read.period[a] = (read.upper[a] - read.lower[a]) / n_boxes[a];
        return {.initial = read.ball({})};
      },
      keys::sides("periodic", "periodic"));
}

}  // namespace thalweg::hydro
