// SPDX-License-Identifier: MIT
#pragma once
#include <ostream>
#include <span>

#include <thalweg/trace/rank_trace.hpp>

namespace thalweg::trace {

/// Write traces of ranks as Chrome trace JSON, read by the Perfetto user interface.
///
/// The rank is the process and the worker the thread. Tasks are complete events ("ph":"X");
/// messages overlap the tasks of their worker, so they are asynchronous pairs ("ph":"b" and "e").
/// An event is of a "step", or where it is of none, as in a regrid, of a "replay" of its graph.
/// "otherData" has model, ranks, steps [first, last) as the summary's JSON has them, and where in
/// "ts" the window is, on the first rank's clock. The files of several ranks can be loaded
/// together: their "traceEvents" may be concatenated.
/// @units "ts" and "dur" in microseconds with three decimals, as the format wants
/// @source Google, "Trace Event Format", document 1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
void write_chrome_json(std::ostream& out, std::span<const RankTrace> traces);

}  // namespace thalweg::trace
