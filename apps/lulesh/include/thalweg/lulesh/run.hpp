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
/// ended the run: that is no failure, as all ranks have agreed on it. Where the context's requests
/// ask for it, a run leaves a checkpoint, and ends, after the next cycles that take half a second
/// together. @pre options that name a checkpoint, where there are requests
/// @return what it came to; of the energies' symmetry and the origin on rank 0 only
/// @errors as Simulation::run_to, or, behind the lines, a checkpoint or VTK files that cannot be
/// written at the end; the caller aborts the transport. Throws Error, on all ranks alike, where one
/// to go on from cannot be read
Result<RunFacts> run(const Options& options, const app::Context& context);

}  // namespace thalweg::lulesh
