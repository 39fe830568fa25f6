// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>

#include <thalweg/predict/job.hpp>
#include <thalweg/predict/machine.hpp>
#include <thalweg/predict/simulate.hpp>
#include <thalweg/trace/critical_path.hpp>

namespace thalweg::predict {

/// Find the longest chain of tasks and messages through all steps of a scenario, by dependencies
/// alone, as trace::critical_path does for a run.
///
/// A task takes its time, a message its time on an empty network with what its ends take of
/// workers. Waiting for a worker, for somebody who polls and for other messages takes none, nor
/// does the machine's overhead of tasks. So no number of workers is quicker, and simulate() never
/// is.
/// @pre simulate() ends with the same arguments
/// @cost 8 bytes a node and step, and 40 a node
trace::CriticalPath critical_path(const Job& job, const Machine& machine, const Scenario& scenario);

/// The most that finding it takes of the heap, beside the job.
std::size_t bytes_of_path(const Job& job, const Scenario& scenario);

}  // namespace thalweg::predict
