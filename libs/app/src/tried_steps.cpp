// SPDX-License-Identifier: MIT
#include <thalweg/app/tried_steps.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace thalweg::app {

double updates_of(const CostEstimate& cost) {
  double updates = 0;
  for (const auto& level : cost.levels) updates += level.updates;
  return updates;
}

Result<TriedSteps> try_steps(AnySimulation& simulation) {
  constexpr double most_updates = 1e7;
  constexpr double least_updates_of_a_step = 5e3;  // what else a step takes, in zone updates
  TriedSteps tried{.moments = {simulation.time_state()},
                   .updates_now = updates_of(simulation.cost())};
  double spent = 0;
  while (!simulation.is_over()) {
    spent += std::max(tried.updates_now, least_updates_of_a_step);
    if (spent > most_updates) break;
    if (auto done = simulation.advance_to(simulation.time_state().step + 1); !done)
      return std::unexpected(std::move(done.error()));
    // A regrid comes before the step, so the step was made with the mesh there is now.
    tried.updates_now = updates_of(simulation.cost());
    tried.updates += tried.updates_now;
    tried.moments.push_back(simulation.time_state());
  }
  return tried;
}

double steps_left(std::span<const step::TimeState> moments, double end) {
  constexpr std::size_t too_few = 16;
  constexpr double highest_power = 0.24;
  const step::TimeState& now = moments.back();
  const step::TimeState& before = moments[moments.size() / 2];
  const double power =
      moments.size() <= too_few
          ? 0.0
          : std::clamp(std::log(now.dt / before.dt) / std::log(now.time / before.time), 0.0,
                       highest_power);
  if (power == 0) return std::ceil((end - now.time) / now.dt);
  // The integral of 1 / dt from now to the end, with dt = now.dt (t / now.time)^power.
  const double rest = 1 - power;
  return std::ceil((std::pow(end / now.time, rest) - 1) * now.time / (rest * now.dt));
}

}  // namespace thalweg::app
