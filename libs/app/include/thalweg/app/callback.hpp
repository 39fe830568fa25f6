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
///
/// A file that grows line by line (io::TimeSeries) is the same after a restart as without one where
/// at_end is false, as the last step may not be one of `every`, and where it begins with
/// TimeSeries::go_on.
struct Callback {
  Cadence every;
  /// Collective. A failure that it returns on one rank ends the run of all; so does what it throws.
  std::function<Result<void>(AnySimulation&, const Context&)> call;
  bool at_start = true;  ///< also before the first step, unless a run goes on from a checkpoint
  bool at_end = true;    ///< also after the last step
};

}  // namespace thalweg::app
