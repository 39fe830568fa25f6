// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <functional>
#include <optional>

#include <thalweg/app/application.hpp>
#include <thalweg/app/context.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/flow/graph.hpp>
#include <thalweg/io/deck.hpp>
#include <thalweg/predict/job.hpp>
#include <thalweg/predict/task_times.hpp>

namespace thalweg::app {

/// Most virtual ranks of one process; each has a stack of its own.
inline constexpr int n_virtual_ranks_at_most = 16384;

/// Do something on virtual ranks, one after another in one thread, with files in memory and a log
/// that nobody reads. Their time is that of the simulated network.
/// @errors a Failure says what a rank threw
Result<void> on_virtual_ranks(int n_ranks, const Execution& execution,
                              const std::function<void(const Context&)>& program);

/// Build the mesh of a deck on so many virtual ranks, and look at each one's graph of the first
/// step, which is not run.
///
/// Each graph is gone when the next one is looked at, but the cells of all ranks are in memory.
/// @pre check(application, deck) has passed
Result<void> look_at_steps(const Application& application, const io::Deck& deck, int n_ranks,
                           const std::function<void(const flow::Graph&)>& look);

/// Run the first steps of a deck on two virtual ranks, and hear how long tasks take on this machine
/// with nothing else to do. The first step does not count: it finds no data in caches.
/// @param n_steps  >= 2
/// @pre check(application, deck) has passed
Result<predict::TaskTimes> measure_tasks(const Application& application, const io::Deck& deck,
                                         std::int64_t n_steps, const Clock& clock);

/// The job that a deck's first step is on so many ranks, in the deck's model with its threads.
/// @errors also throws Error, see predict::JobBuilder
Result<predict::Job> capture_job(const Application& application, const io::Deck& deck, int n_ranks,
                                 const predict::TaskTimes& times);

}  // namespace thalweg::app
