// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include <thalweg/flow/graph.hpp>

namespace thalweg::backends {

/// What another runtime is asked to run graphs by.
enum class Runtime : std::uint8_t { libgomp, libomp, starpu };

/// The name of a runtime, for messages.
std::string_view to_string(Runtime runtime);

/// What `flow` can do and a back end may not.
enum class Feature : std::uint8_t {
  tasks,                ///< bodies that run from begin to end, ordered by accesses and `after`
  messages,             ///< sends and receives as nodes
  four_models,          ///< barriers where the model has them
  overlapping_replays,  ///< the next replay begins before this one has ended
  stopping,             ///< a task controls termination: whether the next replay follows
  coroutines,           ///< tasks that wait in the middle
  bound_requests,       ///< `bind`: tasks that are over later than their bodies
  other_nodes,          ///< kinds of nodes that came after these
  preferred_workers,    ///< `preferred_worker` is honoured
  priorities,           ///< `priority` is honoured
  accounting,           ///< where the time of each worker went
  traces,               ///< events to a trace::Sink
  pickers,              ///< deterministic schedules
  watchdog,             ///< a run that waits for ever ends and says for what
};

/// How far a runtime has a feature.
enum class Support : std::uint8_t {
  yes,
  no,         ///< a graph that needs it is refused
  ignored,    ///< a hint without which the result is the same
  unasked,    ///< nothing in a graph can ask for it, and the back end has no setting for it
  by_setting  ///< where the environment of the process says so; see the README
};

/// A line of the table of what back ends can do.
struct Capability {
  Feature feature;
  std::string_view name;  ///< in words
  Support openmp;
  Support starpu;

  Support of(Runtime runtime) const { return runtime == Runtime::starpu ? starpu : openmp; }
};

/// The whole table: the one place that says what back ends can do.
std::span<const Capability> capabilities();

/// What a node needs of whoever runs it.
Feature needed_by(const flow::Node& node);

/// Refuse a node that needs what a runtime cannot do. @param name of the task
/// @errors Error that names the task, the feature and the runtime
void require_supported(const flow::Node& node, std::string_view name, Runtime runtime);

/// Refuse a graph that needs what a runtime cannot do.
/// @errors Error, of the first task that needs it
void require_supported(const flow::Graph& graph, Runtime runtime);

}  // namespace thalweg::backends
