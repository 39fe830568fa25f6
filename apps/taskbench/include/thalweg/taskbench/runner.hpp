// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include <thalweg/core/clock.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/flow/executor.hpp>
#include <thalweg/flow/graph.hpp>
#include <thalweg/flow/transport.hpp>

namespace thalweg::taskbench {

/// What runs the tasks.
enum class Runtime : std::uint8_t { flow, openmp, starpu };

/// The runtime of a name, or nothing.
std::optional<Runtime> runtime_from_string(std::string_view name);

/// Runs graphs, and counts their tasks.
class Runner {
 public:
  virtual ~Runner() = default;
  /// As flow::Executor::run.
  virtual Result<flow::RunReport> run(flow::Graph& graph, std::uint64_t n_replays) = 0;
  /// How many tasks it has run so far. @pre not during run()
  virtual std::uint64_t n_tasks() const = 0;
};

/// Make what runs graphs on our executor. @param transport, clock must outlive it
/// @errors Error where a number is out of range
std::unique_ptr<Runner> make_flow_runner(const flow::ExecutorConfig& config,
                                         flow::Transport& transport, const Clock& clock);

/// Make what runs graphs, from the library thalweg::taskbench_runners. Of the config, the other
/// runtimes know threads and depth.
/// @param transport, clock must outlive it
/// @errors Error where a number is out of range, or the program was built without the runtime
std::unique_ptr<Runner> make_runner(Runtime runtime, const flow::ExecutorConfig& config,
                                    flow::Transport& transport, const Clock& clock);
/// A function like make_runner.
using MakeRunner = decltype(&make_runner);

}  // namespace thalweg::taskbench
