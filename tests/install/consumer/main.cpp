// SPDX-License-Identifier: MIT
// A hot ball in a moving gas, in a periodic box with an adaptive mesh: a whole program.
#include <cmath>
#include <cstdio>

#include <thalweg/app/runtime.hpp>
#include <thalweg/app/simulation.hpp>
#include <thalweg/hydro/euler.hpp>
#include <thalweg/hydro/problems.hpp>
#include <thalweg/numerics/scheme.hpp>

using Gas = thalweg::hydro::Euler<2>;
using Scheme = thalweg::numerics::Vl2<Gas>;

int main(int argc, char** argv) {
  using namespace thalweg;
  const Gas gas{.eos = {.gamma = 1.4}};
  const app::Problem<Scheme> blast{
      .scheme = {gas},
      .initial = hydro::Blast<2>{.gas = gas, .centre = {0.5, 0.5}, .velocity = {1.0, 0.5}},
      .tag = [gas](const auto&, const auto& u) {  // refine where the pressure jumps
        return u.any_neighbour([&, p = gas.pressure(u())](const Gas::State& other) {
          return std::abs(gas.pressure(other) - p) > 0.3 * p;
        });
      }};
  const app::Settings<2> settings{.mesh = {.lower = {0.0, 0.0},
                                           .upper = {1.0, 1.0},
                                           .root_blocks = {4, 4},
                                           .block_cells = 16,
                                           .max_level = 2},
                                  .time = {.max_steps = 20}};

  app::Runtime runtime(&argc, &argv);
  const auto context =
      runtime.context({.model = flow::Model::dataflow, .executor = {.n_workers = 2}});
  const auto made =
      app::Simulation<Scheme>::create(context, blast, settings, [](const app::StepStatistics& s) {
        std::printf("step %ld  t = %.4f\n", static_cast<long>(s.time_state.step),
                    s.time_state.time);
      });
  if (!made) context.transport.abort(made.error().message);
  auto& simulation = **made;
  const double energy = simulation.totals()[3];
  if (const auto done = simulation.advance_to(20); !done)
    context.transport.abort(done.error().message);
  const double change = simulation.totals()[3] / energy - 1;
  if (runtime.rank() == Rank{0}) std::printf("relative change of the energy: %.1e\n", change);
}
