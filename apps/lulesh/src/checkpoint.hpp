// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include <thalweg/app/context.hpp>
#include <thalweg/core/error.hpp>

#include "state.hpp"

namespace thalweg::lulesh {

/// Write a state between two cycles, in place of what the file held. Collective.
///
/// The file has the whole mesh's arrays, so other ranks can go on with it. It is written beside,
/// and then renamed: a run that is killed leaves the old one.
/// @errors on all ranks alike
Result<void> write_checkpoint(const app::Context& context, const std::string& path,
                              const State& state);

/// Go on from a state, of any ranks with the same whole mesh. Collective.
/// @errors on all ranks alike; the state is then spoilt
Result<void> read_checkpoint(const app::Context& context, const std::string& path, State& state);

}  // namespace thalweg::lulesh
