// SPDX-License-Identifier: MIT
#pragma once
#include <thalweg/app/checkpoint_target.hpp>
#include <thalweg/app/context.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/step/time_control.hpp>
#include <thalweg/vlasov/schedule.hpp>

#include "state.hpp"

namespace thalweg::vlasov {

/// Write a checkpoint: a block for each tile, in order. Collective; as app::write_checkpoint.
///
/// A block has the tile's points, v fastest, with zeros where it is smaller than others; behind
/// them, in row 0 of each column, what the predictor keeps of earlier steps, for each x. So the
/// blocks' number of cells along v is that of a tile and one for each of these.
Result<app::Checkpoint> write_checkpoint(const app::Context& context,
                                         const app::CheckpointTarget& target,
                                         const step::TimeState& time_state, const Origin& origin,
                                         State& state);

/// Read this rank's tiles. @errors throws Error, on all ranks alike, where the mesh is another one
Result<void> read_checkpoint(const app::Context& context, const app::Checkpoint& from,
                             State& state);

}  // namespace thalweg::vlasov
