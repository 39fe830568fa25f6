// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <functional>
#include <memory>

#include <thalweg/app/application.hpp>
#include <thalweg/app/checkpoint_target.hpp>
#include <thalweg/app/context.hpp>
#include <thalweg/app/virtual_program.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/io/deck.hpp>
#include <thalweg/io/file_system.hpp>
#include <thalweg/predict/job.hpp>
#include <thalweg/predict/refinement.hpp>
#include <thalweg/predict/task_times.hpp>

namespace thalweg::app {

/// Most virtual ranks of one process; each has a stack of its own.
inline constexpr int n_virtual_ranks_at_most = 262'144;

/// Do something on virtual ranks, one after another in one thread, with files in memory and a log
/// that nobody reads. Their time is that of the simulated network.
/// @errors a Failure says what a rank threw; throws Error where that is one
[[nodiscard]] Result<void> on_virtual_ranks(int n_ranks, const Execution& execution,
                                            const std::function<void(const Context&)>& program);

/// What makes the mesh of a deck, or why there is none.
using MeshOfDeck = std::shared_ptr<const Result<WantedBlocks>>;

/// Find what makes the mesh of a deck: on one rank, with all processors of this process and the
/// cells of a block each at a time (equations on faces have all cells of all levels but the last).
/// It is the same on any number of ranks, with any model, threads and partition.
/// @errors throws Error where the initial state of a block whose tags are asked for is no state of
/// the equations, or there is no memory
/// @pre check(application, deck) has passed
MeshOfDeck mesh_at_start(const Application& application, const io::Deck& deck);

/// Where a run goes on that is to be predicted.
struct RestartPoint {
  io::FileSystem& files;  ///< in which the checkpoint is
  Checkpoint checkpoint;
};

/// Read what makes the mesh that a checkpoint was written on: its cells are not read.
/// @errors throws Error where its index cannot be read, or is another
MeshOfDeck mesh_of_checkpoint(const RestartPoint& from);

/// What a deck is on so many ranks, with its model and threads: its mesh is shared out to them.
///
/// Ranks have no cells, and take a stack, what they know of the mesh and their graph.
/// @param application  outlives what is returned
/// @param mesh         mesh_at_start() of this deck, or mesh_of_checkpoint()
/// @param from         where tasks are timed; null: at the start. It outlives what is returned
/// @pre check(application, deck) has passed
VirtualProgram virtual_program(const Application& application, const io::Deck& deck, int n_ranks,
                               MeshOfDeck mesh, const RestartPoint* from = nullptr);
inline VirtualProgram virtual_program(const Application& application, const io::Deck& deck,
                                      int n_ranks) {
  return virtual_program(application, deck, n_ranks, mesh_at_start(application, deck));
}

/// Look at each rank's graph of a step, which is not run.
///
/// Each graph is gone when the next one is looked at.
[[nodiscard]] Result<void> look_at_steps(const VirtualProgram& program, const OnGraph& look);

/// Run the first steps of a program, and hear how long tasks take on this machine with nothing else
/// to do, one worker a rank; of its refinements too, if it has some. The first step does not count:
/// it finds no data in caches.
/// @param n_steps  >= 2  @errors throws Error where there are no two steps
Result<predict::TaskTimes> measure_tasks(const VirtualProgram& program, std::int64_t n_steps,
                                         const Clock& clock);

/// Times in which tasks of joined blocks that are not known are like those of the nearest known
/// number, by the number of blocks, as capture_job gives them to its jobs.
/// @param n_all  how many blocks make up a box twice as wide
predict::TaskTimes with_joined(const predict::TaskTimes& known, std::size_t n_all);

/// The job that a step of a program is.
/// @errors also throws Error, see predict::JobBuilder
Result<predict::Job> capture_job(const VirtualProgram& program, const predict::TaskTimes& times);
/// The job that a refinement of a program is.
/// @pre the program has refinements  @errors also throws Error, see predict::JobBuilder
Result<predict::RefinementJob> capture_refinement(const VirtualProgram& program,
                                                  const predict::TaskTimes& times);

}  // namespace thalweg::app
