// SPDX-License-Identifier: MIT
#pragma once
#include <thalweg/app/context.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/hpccg/options.hpp>
#include <thalweg/hpccg/report.hpp>

namespace thalweg::hpccg {

/// Run HPCCG: make the matrix, solve, report. Collective.
///
/// Rank 0 prints the residuals and the report to the context's log, and writes the report into
/// hpccg-1.0_<date and time, UTC>.yaml of the folder Options::out, or ..._2.yaml where one has
/// ended in the same second.
/// @return what it came to
/// @errors as ConjugateGradient::solve, or a file that cannot be written; the caller aborts the
/// transport
Result<RunFacts> run(const Options& options, const app::Context& context);

}  // namespace thalweg::hpccg
