// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>

#include <thalweg/core/error.hpp>
#include <thalweg/trace/history.hpp>

namespace thalweg::trace {

/// The window of a history of traces, on the first one's clock.
/// @param offsets  what to add to the times of each trace, as of clock_offsets()
/// @errors a Failure as History::of says
Result<Span> find_window(std::span<const RankTrace> traces, std::span<const std::int64_t> offsets);

/// Those of the steps that were asked for that there are events of.
/// @pre there is a trace
StepWindow traced_steps(std::span<const RankTrace> traces);

}  // namespace thalweg::trace
