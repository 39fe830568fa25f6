// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <vector>

#include <thalweg/app/any_simulation.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/step/time_control.hpp>

namespace thalweg::app {

/// The first steps of a run, made to know how many there will be.
struct TriedSteps {
  std::vector<step::TimeState> time_states;  ///< at the start, and after each step, with the next
                                             ///< step's dt
  double updates = 0;                        ///< zone updates of these steps
  double updates_per_step = 0;               ///< of a step with the mesh after them
  double spent = 0;  ///< what they took, in zone updates: a step counts at least 5,000
};

/// What a few seconds on one core are enough for.
inline constexpr double many_updates = 1e7;

/// Zone updates of a step of level 0, all levels.
double updates_of(const CostEstimate& cost);

/// Make the first steps of a run, one by one, up to the end, or to so many zone updates.
/// Collective.
/// @param simulation  at its start, or where a restart goes on
/// @errors as AnySimulation::advance_to
Result<TriedSteps> try_steps(AnySimulation& simulation, double most_updates = many_updates);

/// How many steps there are from the last of some time states to the end, if dt goes on as the
/// power of time that it followed over the last half of them: a power from 0, of waves that keep
/// their speed, to 6/25. A blast in D dimensions has no higher one but at first: its front slows
/// down as t^(-D / (D + 2)), but the gas in the middle, which keeps its entropy, is the fastest
/// signal soon, and its sound slows down as p^((gamma - 1) / 2 gamma), with a pressure that falls
/// as t^(-2D / (D + 2)); 6/25 is that for gamma = 5/3 and D = 3. Of 16 states or fewer, dt stays
/// as it is.
/// @pre there are some, in order, the last of a dt above zero and before the end
/// @source Sedov (1959), ch. 4: the radius of a blast in D dimensions grows as t^(2 / (D + 2))
double steps_left(std::span<const step::TimeState> time_states, double end);

/// The same, if dt goes on as that of a whole run of the same problem on a coarser mesh: as many
/// times smaller as over the last half of the time states, or as at their first where these are
/// within one step of that run.
/// @param coarser  of that run, its end included
/// @pre as above; that run does not begin later
double steps_left(std::span<const step::TimeState> time_states,
                  std::span<const step::TimeState> coarser);

}  // namespace thalweg::app
