// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>

#include <thalweg/flow/recorder.hpp>
#include <thalweg/miniamr/data/blocks.hpp>
#include <thalweg/miniamr/data/checksum.hpp>
#include <thalweg/miniamr/data/fill_times.hpp>
#include <thalweg/miniamr/data/flops.hpp>
#include <thalweg/miniamr/data/shape.hpp>
#include <thalweg/miniamr/data/store.hpp>

namespace thalweg::miniamr::data {

/// In how many orders directions can be exchanged.
inline constexpr int n_direction_orders = 6;

/// What a timestep is made of.
struct StageSettings {
  Stencil stencil = Stencil::seven;
  int n_stages = 20;
  int group_size = 0;      ///< variables exchanged and computed together; 0: all
  int checksum_freq = 5;   ///< at stages 0, freq, 2 freq ... of each timestep; 0: never
  int max_comm_tasks = 1;  ///< messages to a neighbour a direction and group; 0: one a face
  bool permutes = false;   ///< directions come in six orders, in turns by stage
  int first_stage = 0;     ///< of this timestep, counted from the start of the run: says whose turn
  /// Whether messages of each direction are packed into memory of their own. Else the three
  /// directions take turns in a buffer for each message to a neighbour: the next is packed when the
  /// one before has left. What arrives always has a buffer of its own, as sweeps read it there.
  bool has_separate_buffers = true;
  /// Of the caches that this rank's workers have; 0: not known. Where blocks take more, faces are
  /// written past them (7 points).
  std::size_t cache_bytes = 0;
  std::uint32_t n_workers = 1;         ///< among whom blocks are shared out
  FlopCounter* mixed_flops = nullptr;  ///< gets those of the mixed stencil; outlives the graph
  FillTimes* fill_times = nullptr;     ///< gets them for stencils of 7 and 27; outlives the graph
};

/// Bytes of scratch the tasks of stages and of regridding need on each worker.
std::size_t scratch_bytes(const Shape& shape);

/// Record one timestep: its stages, each for groups of variables,
///
///     exchange x, exchange y, exchange z: receive; pack, send      a message for a neighbour rank
///     stencil: gather ghosts from neighbours' faces, sweep, write own faces      a task for a
///     block checksum, where due: add up, reduce over ranks, compare with the one before
///
/// Blocks of this rank read each other's faces where they lie. Faces are in two sets, one read and
/// one written, in turn; set 0 is the state before and after the timestep, so a graph can be
/// replayed. A check holds up nothing but the next check; one that fails ends the run.
///
/// With corners a direction's ghost cells are taken before the next direction's faces are sent, as
/// these carry them along; such a graph is right for timesteps that begin with the same turn.
///
/// Messages have their axis as level, and tasks that pack have it in their names: for traces.
///
/// @param store, checksums  outlive the graph; store holds the layout's blocks
void record_timestep(flow::Recorder& recorder, const StageSettings& settings, const Layout& layout,
                     const Store& store, Checksums& checksums);

/// Record only the sums of all variables, to checksums.last: the first ones.
void record_first_checksums(flow::Recorder& recorder, const Store& store, Checksums& checksums);

}  // namespace thalweg::miniamr::data
