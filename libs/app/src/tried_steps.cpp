// SPDX-License-Identifier: MIT
#include <thalweg/app/tried_steps.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <utility>

namespace thalweg::app {

double updates_of(const CostEstimate& cost) {
  double updates = 0;
  for (const auto& level : cost.levels) updates += level.updates;
  return updates;
}

namespace {

auto first_after(std::span<const step::TimeState> time_states, double time) {
  return std::ranges::upper_bound(time_states, time, {}, &step::TimeState::time);
}

// How many steps a run has made up to a time, with parts of the step that is under way.
double steps_at(std::span<const step::TimeState> time_states, double time) {
  const auto next = first_after(time_states, time);
  if (next == time_states.end()) return static_cast<double>(time_states.size() - 1);
  const auto& before = *std::prev(next);
  return static_cast<double>(std::distance(time_states.begin(), next) - 1) +
         (time - before.time) / (next->time - before.time);
}

// The last of some time states up to a time.
const step::TimeState& state_at(std::span<const step::TimeState> time_states, double time) {
  const auto next = first_after(time_states, time);
  return next == time_states.begin() ? *next : *std::prev(next);
}

}  // namespace

Result<TriedSteps> try_steps(AnySimulation& simulation, double most_updates) {
  constexpr double least_updates_of_a_step = 5e3;  // what else a step takes, in zone updates
  TriedSteps tried{.time_states = {simulation.time_state()},
                   .updates_per_step = updates_of(simulation.cost())};
  while (!simulation.is_over()) {
    const double next = std::max(tried.updates_per_step, least_updates_of_a_step);
    if (tried.spent + next > most_updates) break;
    tried.spent += next;
    if (auto done = simulation.advance_to(simulation.time_state().step + 1); !done)
      return std::unexpected(std::move(done.error()));
    // A regrid comes before the step, so the step was made with the mesh there is now.
    tried.updates_per_step = updates_of(simulation.cost());
    tried.updates += tried.updates_per_step;
    tried.time_states.push_back(simulation.time_state());
  }
  return tried;
}

double steps_left(std::span<const step::TimeState> time_states, double end) {
  constexpr std::size_t too_few = 16;
  constexpr double highest_power = 0.24;
  const step::TimeState& last = time_states.back();
  const step::TimeState& before = time_states[time_states.size() / 2];
  const double power =
      time_states.size() <= too_few
          ? 0.0
          : std::clamp(std::log(last.dt / before.dt) / std::log(last.time / before.time), 0.0,
                       highest_power);
  if (power == 0) return std::ceil((end - last.time) / last.dt);
  // The integral of 1 / dt from the last to the end, with dt = last.dt (t / last.time)^power.
  const double rest = 1 - power;
  return std::ceil((std::pow(end / last.time, rest) - 1) * last.time / (rest * last.dt));
}

double steps_left(std::span<const step::TimeState> time_states,
                  std::span<const step::TimeState> coarser) {
  const step::TimeState& last = time_states.back();
  const step::TimeState& before = time_states[time_states.size() / 2];
  const double n_coarse = steps_at(coarser, last.time);
  const double covered = n_coarse - steps_at(coarser, before.time);
  // What lies within one coarse step says nothing of how the two go on.
  const double finer =
      covered >= 1 ? static_cast<double>(time_states.size() - 1 - time_states.size() / 2) / covered
                   : state_at(coarser, time_states.front().time).dt / time_states.front().dt;
  return std::ceil(finer * (static_cast<double>(coarser.size() - 1) - n_coarse));
}

}  // namespace thalweg::app
