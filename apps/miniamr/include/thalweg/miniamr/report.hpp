// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include <thalweg/miniamr/measured.hpp>
#include <thalweg/miniamr/options.hpp>

namespace thalweg::miniamr {

/// Flops over the mean time that ranks spend in sweeps, in units of 2^30 a second: the reference's
/// "GFLOPS". Not of the total time.
double total_gflops(const RunFacts& facts);

/// What a run was and what it came to, in the reference's sections and lines.
std::string report_text(const Options& options, const RunFacts& facts);
/// The one line at the end of it.
std::string summary_line(const RunFacts& facts);
/// The same as "key: value", with the reference's keys; without its indentation and its second key
/// "code", which YAML does not allow.
std::string report_yaml(const Options& options, const RunFacts& facts);

}  // namespace thalweg::miniamr
