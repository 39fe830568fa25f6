// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <thalweg/core/error.hpp>
#include <thalweg/trace/rank_trace.hpp>

namespace thalweg::trace {

// A trace file (trace.pftrace) is a Perfetto trace: ui.perfetto.dev opens it as it is. It is also
// our own format: one packet of each rank carries, in a field that Perfetto does not know and
// skips, all that was recorded, with the graphs that say what waited for what. The parts of the
// ranks follow each other in any order, so each rank writes its own at its offset.

/// One rank's part of a trace file.
///
/// The rank is the process, and each worker a track with its tasks and idle times; messages are on
/// as many tracks as there were at once, and arrows go from send to receive. A task says its step,
/// block, level and node; a message its peer, tag and bytes.
/// @source Perfetto, protos/perfetto/trace/track_event/track_event.proto
std::string perfetto_part(const RankTrace& trace);

/// Read what the ranks recorded back, ordered by rank.
/// @param name  of the file, for messages
/// @errors a Failure where the bytes are no trace of ours, are damaged, or of a newer version
Result<std::vector<RankTrace>> read_traces(std::string_view bytes, std::string_view name);

}  // namespace thalweg::trace
