// SPDX-License-Identifier: MIT
// A Riemann solver of one's own: Godunov's flux of Burgers' equation, beside one of the library's.
#include <algorithm>

#include <thalweg/app/command_line.hpp>
#include <thalweg/app/read_setup.hpp>
#include <thalweg/numerics/conservation_law.hpp>
#include <thalweg/numerics/riemann_llf.hpp>
#include <thalweg/numerics/update_runge_kutta.hpp>

using namespace thalweg;

constexpr int D = 1;  // dimensions

struct Velocity {
  double v;
};

/// d_t v + d_x (v^2 / 2) = 0
struct Burgers : numerics::ConservationLaw<Burgers, D, Velocity> {
  constexpr Velocity flux(Velocity w, int) const { return {0.5 * w.v * w.v}; }
  constexpr numerics::Speeds speeds(Velocity w, int) const { return {w.v, w.v}; }
};

/// The flux of the exact solution at the face.
/// @source Osher, SIAM J. Num. Anal. 21 (1984) 217, for a convex flux with its minimum at 0
struct Godunov {
  static constexpr Velocity flux(const Burgers& system, Velocity l, Velocity r, int axis) {
    const Velocity from_left = system.flux({std::max(l.v, 0.0)}, axis);
    const Velocity from_right = system.flux({std::min(r.v, 0.0)}, axis);
    return {std::max(from_left.v, from_right.v)};
  }
};
static_assert(numerics::RiemannSolver<Godunov, Burgers>);

/// A fan between -1 on the left and 1 on the right, through 0 in the middle.
template <class Riemann>
auto read_problem(app::DeckReader<D>&) {
  using Scheme = numerics::RungeKutta<Burgers, numerics::PlmVanLeer, Riemann>;
  const auto initial = [](const numerics::CellContext<D>& cell) {
    return Velocity{cell.centre[0] < 0.5 ? -1.0 : 1.0};
  };
  return app::ProblemSetup<Scheme>{
      .problem = {.scheme = {}, .initial = initial, .fields = {{.name = "v"}}},
      .scheme_name = "burgers rk3 plm"};
}

template <class Riemann>
app::Application burgers(const char* name) {
  return {.name = name,
          .doc = "Burgers' equation.",
          .set_up = app::set_up_in<D>(read_problem<Riemann>)};
}

int main(int argc, char** argv) {
  return app::run_command_line(
      argc, argv,
      {.name = "solver",
       .doc = "Burgers' equation with two Riemann solvers.",
       .version = "1",
       .applications = {burgers<Godunov>("godunov"), burgers<numerics::RiemannLlf>("llf")}});
}
