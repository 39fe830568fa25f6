// SPDX-License-Identifier: MIT
// What a timestep is recorded from, of the options of a run.
#pragma once
#include <cstdint>
#include <vector>

#include <thalweg/mesh/key.hpp>
#include <thalweg/miniamr/data/blocks.hpp>
#include <thalweg/miniamr/data/stages.hpp>
#include <thalweg/miniamr/options.hpp>

namespace thalweg::miniamr {

/// The shape of blocks.
inline data::Shape shape_of(const Options& o) {
  const bool has_corners = o.stencil != Stencil::seven;
  return {.n = o.block_cells.at,
          .n_vars = o.num_vars,
          .has_corners = has_corners,
          .sends_borders = has_corners && o.code != MessageContents::needed_values};
}

/// Whether timesteps differ in the order of directions, and results depend on it.
inline bool has_turns(const Options& o) {
  return o.permute && o.stencil != Stencil::seven &&
         o.stages_per_ts % data::n_direction_orders != 0;
}

/// The stages of a timestep. @param first_step  its number, from 1
inline data::StageSettings stages_of(const Options& o, int first_step, std::uint32_t n_workers,
                                     data::FlopCounter* mixed_flops, data::FillTimes* fill_times) {
  return {.stencil = o.stencil,
          .n_stages = o.stages_per_ts,
          .group_size = o.group_size(),
          .checksum_freq = o.checksum_freq,
          .max_comm_tasks = o.messages_to_neighbour(),
          .permutes = o.permute,
          .first_stage = static_cast<int>(std::int64_t{first_step - 1} * o.stages_per_ts %
                                          data::n_direction_orders),
          .has_separate_buffers = o.separate_buffers,
          .n_workers = n_workers,
          .mixed_flops = mixed_flops,
          .fill_times = fill_times};
}

/// The keys of a rank's blocks, sorted.
inline std::vector<mesh::Key<3>> keys_of(const data::Layout& layout) {
  std::vector<mesh::Key<3>> keys;
  keys.reserve(layout.blocks.size());
  for (const data::Block& block : layout.blocks) keys.push_back(block.key);
  return keys;
}

}  // namespace thalweg::miniamr
