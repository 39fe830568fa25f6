// SPDX-License-Identifier: MIT
// Step 1: advection along a line, as a value with pure functions, and a program that runs decks.
#include <cmath>

#include <thalweg/app/command_line.hpp>
#include <thalweg/app/read_setup.hpp>
#include <thalweg/numerics/conservation_law.hpp>
#include <thalweg/numerics/update_runge_kutta.hpp>

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

app::ProblemSetup<Scheme> read_problem(app::DeckReader<D>&) {
  const auto initial = [](const Cell& cell) {
    return Scalar{std::abs(cell.centre[0] - 0.5) < 0.25 ? 1.0 : 0.0};
  };
  return {
      .problem = {.scheme = {.system = {{}, {1.0}}}, .initial = initial, .fields = {{.name = "u"}}},
      .scheme_name = "advection rk3 ppm"};
}

int main(int argc, char** argv) {
  const app::Application advection{.name = "advection",
                                   .doc = "Advection along a line.",
                                   .set_up = app::set_up_in<D>(read_problem)};
  return app::run_command_line(argc, argv,
                               {.name = "equation",
                                .doc = "My first equation.",
                                .version = "1",
                                .applications = {advection}});
}
