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

auto first_after(std::span<const step::TimeState> moments, double time) {
  return std::ranges::upper_bound(moments, time, {}, &step::TimeState::time);
}

// How many steps a run has made up to a time, with parts of the step that is under way.
double steps_at(std::span<const step::TimeState> moments, double time) {
  const auto next = first_after(moments, time);
  if (next == moments.end()) return static_cast<double>(moments.size() - 1);
  const auto& before = *std::prev(next);
  return static_cast<double>(std::distance(moments.begin(), next) - 1) +
         (time - before.time) / (next->time - before.time);
}

// The last of some moments up to a time.
const step::TimeState& moment_at(std::span<const step::TimeState> moments, double time) {
  const auto next = first_after(moments, time);
  return next == moments.begin() ? *next : *std::prev(next);
}

}  // namespace

Result<TriedSteps> try_steps(AnySimulation& simulation, double most_updates) {
  constexpr double least_updates_of_a_step = 5e3;  // what else a step takes, in zone updates
  TriedSteps tried{.moments = {simulation.time_state()},
                   .updates_now = updates_of(simulation.cost())};
  while (!simulation.is_over()) {
    const double next = std::max(tried.updates_now, least_updates_of_a_step);
    if (tried.spent + next > most_updates) break;
    tried.spent += next;
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

double steps_left(std::span<const step::TimeState> moments,
                  std::span<const step::TimeState> coarser) {
  const step::TimeState& now = moments.back();
  const step::TimeState& before = moments[moments.size() / 2];
  const double coarse_now = steps_at(coarser, now.time);
  const double covered = coarse_now - steps_at(coarser, before.time);
  // What lies within one coarse step says nothing of how the two go on.
  const double finer = covered >= 1
                           ? static_cast<double>(moments.size() - 1 - moments.size() / 2) / covered
                           : moment_at(coarser, moments.front().time).dt / moments.front().dt;
  return std::ceil(finer * (static_cast<double>(coarser.size() - 1) - coarse_now));
}

}  // namespace thalweg::app
