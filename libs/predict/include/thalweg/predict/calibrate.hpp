// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include <thalweg/core/clock.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/flow/transport.hpp>
#include <thalweg/predict/machine.hpp>

namespace thalweg::predict {

/// What graphs measure of the machine they run on.
struct Calibration {
  double task_overhead_ns = 0;  ///< of an empty task that depends on another one
  /// Between ranks 0 and 1: half a round trip of 8 bytes is L + 2 o; o is what one more of many
  /// messages takes at the slower end, and so is g; G is from a megabyte. O is not told apart from
  /// G, and is 0.
  Link link{};
};

/// Run small graphs on all ranks and time them; the best of some repetitions counts, as other
/// programs can only add. Collective; ranks from 2 on do nothing. With one rank the link is ideal.
/// @errors a Failure where a graph fails
Result<Calibration> calibrate(flow::Transport& transport, const Clock& clock);

}  // namespace thalweg::predict
