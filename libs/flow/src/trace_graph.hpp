// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include <thalweg/flow/graph.hpp>
#include <thalweg/trace/graph_info.hpp>
#include <thalweg/trace/sink.hpp>

namespace thalweg::flow {

/// What a trace says of a graph. @param depth how many replays the executor has in flight
trace::GraphInfo describe(const Graph& graph, std::uint32_t depth);

/// Tell a sink, if there is one, that a graph is about to run.
/// @return the sink if it wants the run's events, else null
trace::Sink* begin_trace(trace::Sink* sink, const Graph& graph, const trace::RunStart& run);

}  // namespace thalweg::flow
