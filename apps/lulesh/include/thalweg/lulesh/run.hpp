// SPDX-License-Identifier: MIT
#pragma once
#include <thalweg/app/context.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/lulesh/options.hpp>
#include <thalweg/lulesh/report.hpp>

namespace thalweg::lulesh {

/// Run LULESH and report. Collective.
///
/// Rank 0 prints the reference's lines to the context's log, and what went wrong where a fault
/// ended the run: that is no failure, as all ranks have agreed on it.
/// @return what it came to; of the energies' symmetry and the origin on rank 0 only
/// @errors as Simulation::run_to, or a checkpoint that cannot be written; the caller aborts the
/// transport. Throws Error, on all ranks alike, where one to go on from cannot be read
Result<RunFacts> run(const Options& options, const app::Context& context);

}  // namespace thalweg::lulesh
