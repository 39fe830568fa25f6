// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string_view>

#include <thalweg/flow/graph.hpp>

namespace thalweg::backends {

/// What another runtime is asked to run graphs by.
enum class Runtime : std::uint8_t { libgomp, libomp, starpu };

/// The name of a runtime, for messages.
std::string_view to_string(Runtime runtime);

/// Refuse a node that needs what other runtimes cannot do. @param name of the task
/// @errors Error that names the task, what it needs and the runtime
void require_supported(const flow::Node& node, std::string_view name, Runtime runtime);

/// Refuse a graph that needs what other runtimes cannot do.
/// @errors Error, of the first task that needs it
void require_supported(const flow::Graph& graph, Runtime runtime);

}  // namespace thalweg::backends
