// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include <thalweg/core/clock.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/core/vec.hpp>
#include <thalweg/flow/executor.hpp>
#include <thalweg/flow/model.hpp>
#include <thalweg/flow/transport.hpp>
#include <thalweg/mesh/explicit_assignment.hpp>
#include <thalweg/mesh/geometry.hpp>

namespace thalweg::induction {

/// A loop of magnetic field that a uniform stream carries through a periodic box.
///
/// Its vector potential along z is (1 - (r / radius)^2)^3 around a centre that starts in the middle
/// of the domain. Blocks are refined where the field is.
struct Settings {
  mesh::Geometry<2>::Config mesh{.lower = {{-1.0, -0.5}},
                                 .upper = {{1.0, 0.5}},
                                 .root_blocks = {{4, 2}},
                                 .block_cells = 8,
                                 .max_level = 2,
                                 .periodic = {{true, true}}};
  Vec<2> velocity{{2.0, 1.0}};  ///< [length / time]
  double radius = 0.3;          ///< of the loop [length], > 0
  double end = 1.0;             ///< [time], > 0; at 1 the loop is where it was
  double cfl = 0.4;             ///< of the finest level allowed, in (0, 0.5]
  int regrid_interval = 4;      ///< steps between regrids; 0: never
  int regrid_buffer = 2;        ///< cells around a tagged cell that are refined as well
  mesh::Partitioner partitioner = mesh::Partitioner::morton;
};

/// What a run came to; the same on all ranks, and to the bit the same for any number of them.
struct Summary {
  int n_steps = 0;
  int n_levels = 0;
  std::int64_t n_blocks = 0;     ///< at the end, of all levels
  std::int64_t n_regridded = 0;  ///< blocks that regrids made new, after the start
  double energy_at_start = 0;    ///< integral of B^2 / 2
  double energy = 0;             ///< at the end
  double error = 0;              ///< integral of |B - exact| over that of |exact|, components
  double divergence = 0;         ///< largest |div B| dx over the largest |B|, at any look
  std::uint64_t hash = 0;        ///< of all faces of all blocks
};

/// Solve dB/dt = curl (v x B) by constrained transport, B on faces and E at nodes: second order in
/// space and time (Heun's method), one step for all levels. Collective.
///
/// @errors Error where a setting is out of range, before anything starts
Result<Summary> run(flow::Transport& transport, const Clock& clock,
                    const flow::ExecutorConfig& config, flow::Model model,
                    const Settings& settings);

}  // namespace thalweg::induction
