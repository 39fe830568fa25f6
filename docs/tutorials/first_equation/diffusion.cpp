// SPDX-License-Identifier: MIT
// Step 4: advection and diffusion, on a mesh that follows the solution.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <thalweg/app/command_line.hpp>
#include <thalweg/app/read_setup.hpp>
#include <thalweg/io/parameter.hpp>
#include <thalweg/numerics/conservation_law.hpp>
#include <thalweg/numerics/update_runge_kutta.hpp>

#include "orders.hpp"

using namespace thalweg;

constexpr int D = 2;  // dimensions

struct Scalar {
  double u;
};

struct Advection : numerics::ConservationLaw<Advection, D, Scalar> {
  Vec<D> velocity;
  double diffusivity;

  constexpr Scalar flux(Scalar w, int axis) const { return {velocity[axis] * w.u}; }
  constexpr numerics::Speeds speeds(Scalar, int axis) const {
    return {velocity[axis], velocity[axis]};
  }
  constexpr Scalar diffusive_flux(Scalar below, Scalar above, double dx, int) const {
    return {-diffusivity * (above.u - below.u) / dx};
  }
};

using Scheme = numerics::RungeKutta<Advection>;
using Cell = numerics::CellContext<D>;

/// A Gaussian that starts in the middle of a periodic unit box, moves and spreads: its mean over a
/// cell, at its time. Its variance grows by 2 diffusivity t.
struct Pulse {
  Advection equation;
  double width;

  Scalar operator()(const Cell& cell) const {
    const double scale = std::sqrt(2 * (width * width + 2 * equation.diffusivity * cell.time));
    double u = 1;
    for (int a = 0; a < D; ++a) {
      double x = cell.centre[a] - 0.5 - equation.velocity[a] * cell.time;
      x -= std::round(x);  // from the nearest of its periodic images
      const double lower = (x - 0.5 * cell.dx[a]) / scale, upper = (x + 0.5 * cell.dx[a]) / scale;
      const double mean =
          std::sqrt(std::numbers::pi) / 2 * (std::erf(upper) - std::erf(lower)) / (upper - lower);
      u *= std::numbers::sqrt2 * width / scale * mean;
    }
    return {u};
  }
};

app::ProblemSetup<Scheme> read_problem(app::DeckReader<D>& deck) {
  const Advection equation{
      {}, deck.reals("advection.velocity"), deck.real("advection.diffusivity")};
  const auto is_steep = [jump = deck.real("regrid.jump")](const Cell&, const auto& u) {
    double change = 0;  // to the next cell, along the axis where it is largest
    for (int a = 0; a < D; ++a) change = std::max(change, 0.5 * std::abs(u(a, 1).u - u(a, -1).u));
    return change > jump;
  };
  return {.problem = {.scheme = {.system = equation},
                      .initial = Pulse{equation, deck.real("pulse.width")},
                      .tag = is_steep,
                      .fields = {{.name = "u"}}},
          .scheme_name = "advection and diffusion rk3 ppm"};
}

int main(int argc, char** argv) {
  const app::Application advection{
      .name = "advection",
      .doc = "Advection and diffusion of a Gaussian.",
      .parameters = {io::vector("advection.velocity", {1, 0, 0}, "velocity",
                                "Velocity of the flow."),
                     io::real("advection.diffusivity", 0, "length^2/time", "Diffusivity.",
                              io::Range::at_least(0)),
                     io::real("pulse.width", 0.05, "length", "Standard deviation of the Gaussian.",
                              io::Range::above(0)),
                     io::real("regrid.jump", 0.02, "",
                              "Refine where u changes by more than this.")},
      .set_up = app::set_up_in<D>(read_problem)};
  return app::run_command_line(argc, argv,
                               {.name = "diffusion",
                                .doc = "Advection and diffusion on an adaptive mesh.",
                                .version = "1",
                                .applications = {advection},
                                .commands = {orders<Scheme>(advection, read_problem, 1.9)}});
}
