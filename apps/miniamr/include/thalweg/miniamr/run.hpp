// SPDX-License-Identifier: MIT
#pragma once
#include <thalweg/app/context.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/miniamr/measured.hpp>
#include <thalweg/miniamr/options.hpp>

namespace thalweg::miniamr {

/// How graphs are run, as far as options say it.
app::Execution execution_of(const Options& options);

/// Run miniAMR: refine, then steps of exchanges and sweeps with refinements between them, then the
/// report. Collective.
///
/// Rank 0 prints what the options ask for to the context's log, and writes results.yaml,
/// results.txt and plot files into the current folder; plotfiles go to Options::out, which exists,
/// and a trace to Options::trace.
/// @return what it came to, the same on all ranks
/// @errors a checksum that changed, a rank with more blocks than --max_blocks, a file that cannot
/// be written: on some rank or on all; the caller aborts the transport
Result<RunFacts> run(const Options& options, const app::Context& context);

}  // namespace thalweg::miniamr
