// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <vector>

namespace thalweg::taskbench {

/// What one graph looks like in one timestep; two that are equal have the same tasks and edges.
struct GraphStep {
  long offset = 0;
  long width = 0;
  long dependence_set = 0;
  long offset_before = 0;
  long width_before = 0;

  bool operator==(const GraphStep&) const = default;
};

/// What all graphs of a run look like in one timestep.
using StepShape = std::vector<GraphStep>;

/// Timesteps that are recorded once and replayed.
///
/// Replay r runs timesteps first_step + r * n_steps and on. Where there are several replays, the
/// timestep after the last one looks like the first too, so all replays end with the same messages.
struct Segment {
  long first_step = 0;
  long n_steps = 0;
  long n_replays = 1;

  bool operator==(const Segment&) const = default;
};

/// How long segments are.
struct SegmentLimits {
  long unit = 1;          ///< steps of a replayed segment are a multiple of it, > 0
  long target_steps = 1;  ///< and about so many
  long max_steps = 1;     ///< most steps of a segment that is run once, > 0
};

/// Cover all timesteps with segments, few of them where the pattern repeats.
///
/// Timestep 0 may be part of a segment that is replayed though nothing comes before it: its tasks
/// then have edges to the replay before, of which there is none.
std::vector<Segment> plan_segments(std::span<const StepShape> steps, const SegmentLimits& limits);

}  // namespace thalweg::taskbench
