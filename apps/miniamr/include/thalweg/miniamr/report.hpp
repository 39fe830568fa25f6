// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>

#include <thalweg/miniamr/measured.hpp>
#include <thalweg/miniamr/options.hpp>

namespace thalweg::miniamr {

/// Flops over the mean time that ranks spend in sweeps, in units of 2^30 a second: the reference's
/// "GFLOPS". Not of the total time.
double total_gflops(const RunFacts& facts);

/// Where a report goes: the reference says more on the terminal than in results.txt.
enum class ReportPlace : std::uint8_t { terminal, file };

/// What a run was and what it came to: the reference's sections and lines, letter by letter, where
/// it misspells them too; and a few lines of our own.
std::string report_text(const Options& options, const RunFacts& facts, ReportPlace place);
/// The one line at the end of it, on the terminal.
std::string summary_line(const RunFacts& facts);
/// The same as "key: value", with the reference's keys in its order. Its indentation and its second
/// key "code", which YAML does not allow, are there only with --compat.
std::string report_yaml(const Options& options, const RunFacts& facts);

}  // namespace thalweg::miniamr
