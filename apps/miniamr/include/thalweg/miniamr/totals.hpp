// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <vector>

#include <thalweg/exchange/emit/collectives.hpp>
#include <thalweg/miniamr/data/flops.hpp>
#include <thalweg/miniamr/measured.hpp>
#include <thalweg/miniamr/options.hpp>
#include <thalweg/miniamr/refining.hpp>
#include <thalweg/miniamr/task_times.hpp>

namespace thalweg::miniamr {

/// Enter what refinements came to on this rank, and on all.
void add_refinements(const RefinementTotals& totals, Measured& mine, RunFacts& facts);

/// Enter how many floating-point operations and reductions a run's stages took.
/// @param mixed  the operations of the mixed stencil on all ranks
/// @param facts  its numbers of steps and blocks are there
void count_operations(const Options& options, const data::Flops& mixed, RunFacts& facts);

/// Enter how even timesteps were over the ranks: all ranks call this.
/// @param steps     this rank's times, by timestep; the last may be missing
/// @param refine_s  of the refinements after them [s]; likewise
void add_up_steps(std::vector<StepTimes> steps, std::vector<double> refine_s,
                  exchange::TransportCollectives& collectives, RunFacts& facts);

}  // namespace thalweg::miniamr
