// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <string>

#include <thalweg/core/error.hpp>
#include <thalweg/trace/rank_trace.hpp>

namespace thalweg::trace {

/// Write traces as an OTF2 archive, for Vampir, Score-P's tools and otf2-print.
///
/// A rank is a process, a worker a location of it, the name of a task a region. Messages are
/// non-blocking MPI operations on the location of worker 0, which stands for its rank in the
/// communicator. Times are nanoseconds.
/// @param folder  made for it; the anchor is traces.otf2 in it
/// @errors a Failure where the folder is in use or cannot be written, or the program was built
/// without OTF2
/// @source OTF2 3.0, score-p.org
Result<void> write_otf2(const std::string& folder, std::span<const RankTrace> traces);

}  // namespace thalweg::trace
