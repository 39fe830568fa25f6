// SPDX-License-Identifier: MIT
// Step 2: keys of its own in decks, an initial state as exact means over cells, and orders.
#include <cmath>
#include <numbers>

#include <thalweg/app/command_line.hpp>
#include <thalweg/app/read_setup.hpp>
#include <thalweg/io/parameter.hpp>
#include <thalweg/numerics/conservation_law.hpp>
#include <thalweg/numerics/update_runge_kutta.hpp>

#include "orders.hpp"

using namespace thalweg;

constexpr int D = 1;  // dimensions

struct Scalar {
  double u;
};

struct Advection : numerics::ConservationLaw<Advection, D, Scalar> {
  Vec<D> velocity;

  constexpr Scalar flux(Scalar w, int axis) const { return {velocity[axis] * w.u}; }
  constexpr numerics::Speeds speeds(Scalar, int axis) const {
    return {velocity[axis], velocity[axis]};
  }
};

using Scheme = numerics::RungeKutta<Advection>;
using Cell = numerics::CellContext<D>;

/// A Gaussian that starts in the middle of a periodic unit box: its mean over a cell, at its time.
struct Pulse {
  Advection equation;
  double width;

  Scalar operator()(const Cell& cell) const {
    const double scale = std::numbers::sqrt2 * width;
    double u = 1;
    for (int a = 0; a < D; ++a) {
      double x = cell.centre[a] - 0.5 - equation.velocity[a] * cell.time;
      x -= std::round(x);  // from the nearest of its periodic images
      const double lower = (x - 0.5 * cell.dx[a]) / scale, upper = (x + 0.5 * cell.dx[a]) / scale;
      u *= std::sqrt(std::numbers::pi) / 2 * (std::erf(upper) - std::erf(lower)) / (upper - lower);
    }
    return {u};
  }
};

app::ProblemSetup<Scheme> read_problem(app::DeckReader<D>& deck) {
  const Advection equation{{}, deck.reals("advection.velocity")};
  return {.problem = {.scheme = {.system = equation},
                      .initial = Pulse{equation, deck.real("pulse.width")},
                      .fields = {{.name = "u"}}},
          .scheme_name = "advection rk3 ppm"};
}

int main(int argc, char** argv) {
  const app::Application advection{
      .name = "advection",
      .doc = "Advection of a Gaussian.",
      .parameters = {io::vector("advection.velocity", {1, 0, 0}, "velocity",
                                "Velocity of the flow."),
                     io::real("pulse.width", 0.05, "length", "Standard deviation of the Gaussian.",
                              io::Range::above(0))},
      .set_up = app::set_up_in<D>(read_problem)};
  return app::run_command_line(argc, argv,
                               {.name = "exact",
                                .doc = "Advection beside its exact solution.",
                                .version = "1",
                                .applications = {advection},
                                .commands = {orders<Scheme>(advection, read_problem, 2.8)}});
}
