// SPDX-License-Identifier: MIT
// Step 3: the same in two dimensions, on a mesh that follows the solution.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include <fmt/format.h>

#include <thalweg/app/command_line.hpp>
#include <thalweg/app/read_setup.hpp>
#include <thalweg/io/parameter.hpp>
#include <thalweg/numerics/conservation_law.hpp>
#include <thalweg/numerics/update_runge_kutta.hpp>

using namespace thalweg;

constexpr int D = 2;  // dimensions

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
  const auto is_steep = [jump = deck.real("regrid.jump")](const Cell&, const auto& u) {
    double change = 0;  // to the next cell, along the axis where it is largest
    for (int a = 0; a < D; ++a) change = std::max(change, 0.5 * std::abs(u(a, 1).u - u(a, -1).u));
    return change > jump;
  };
  return {.problem = {.scheme = {.system = equation},
                      .initial = Pulse{equation, deck.real("pulse.width")},
                      .tag = is_steep,
                      .fields = {{.name = "u"}}},
          .scheme_name = "advection rk3 ppm"};
}

/// After every quarter of the time unit: how high the pulse is, and how much of the box is fine.
std::vector<app::Callback> callbacks(const io::Deck&) {
  const auto print = [](app::AnySimulation& simulation, const app::Context& context) {
    const auto columns = simulation.series_columns();
    const auto u_max = std::ranges::find(columns, "u max", &io::Column::name);
    const double peak = simulation.series_values()[std::size_t(u_max - columns.begin())];
    const auto finest = simulation.cost().levels.back();
    if (context.transport.rank() == Rank{0})
      fmt::print("time {:.2f}: peak {:.4f}, {} finest cells\n", simulation.time_state().time, peak,
                 finest.n_cells);
    return Result<void>{};
  };
  return {{.every = {.time = 0.25}, .call = print}};
}

int main(int argc, char** argv) {
  const app::Application advection{
      .name = "advection",
      .doc = "Advection of a Gaussian.",
      .parameters = {io::vector("advection.velocity", {1, 0, 0}, "velocity",
                                "Velocity of the flow."),
                     io::real("pulse.width", 0.05, "length", "Standard deviation of the Gaussian.",
                              io::Range::above(0)),
                     io::changeable(  // by a run that goes on from a checkpoint
                         io::real("regrid.jump", 0.02, "",
                                  "Refine where u changes by more than this."))},
      .set_up = app::set_up_in<D>(read_problem),
      .callbacks = callbacks};
  return app::run_command_line(argc, argv,
                               {.name = "refine",
                                .doc = "Advection on a mesh that follows the solution.",
                                .version = "1",
                                .applications = {advection}});
}
