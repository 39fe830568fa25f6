// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include <thalweg/miniamr/report.hpp>

namespace thalweg::miniamr {

/// The part of the report that says what the run came to.
std::string results_text(const Options& options, const RunFacts& facts);

}  // namespace thalweg::miniamr
