// SPDX-License-Identifier: MIT
#pragma once
#include <functional>

#include <thalweg/app/any_simulation.hpp>
#include <thalweg/app/cadence.hpp>
#include <thalweg/app/context.hpp>
#include <thalweg/core/error.hpp>

namespace thalweg::app {

/// What is done again and again between steps of a run, by all ranks together: output, and what an
/// application gives as Application::callbacks.
struct Callback {
  Cadence every;
  /// Collective. What it returns on one rank ends the run of all.
  std::function<Result<void>(AnySimulation&, const Context&)> call;
  bool at_start = true;  ///< also before the first step, unless a run goes on from a checkpoint
  bool at_end = true;    ///< also after the last step
};

}  // namespace thalweg::app
