// SPDX-License-Identifier: MIT
#pragma once
#include <span>

#include <thalweg/miniamr/options.hpp>

namespace thalweg::miniamr {

/// How long the next timestep is [units of the objects' movement].
///
/// 1 without --time; with a number of steps, an equal part of the time; else so long that what
/// moves fastest moves by half of a finest cell, or 1 where nothing moves.
/// @param objects  as they are now; those that are gone or outside the cube do not count
double step_length(const Options& options, std::span<const Object> objects);

/// Whether a run ends after so many steps, at this time.
bool is_over(const Options& options, int n_steps, double time);

}  // namespace thalweg::miniamr
