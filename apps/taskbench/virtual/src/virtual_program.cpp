// SPDX-License-Identifier: MIT
#include <thalweg/taskbench/virtual/virtual_program.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include <thalweg/app/execution_options.hpp>
#include <thalweg/app/executor_config.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/flow/executor.hpp>
#include <thalweg/taskbench/app.hpp>
#include <thalweg/taskbench/backend.hpp>
#include <thalweg/taskbench/drive.hpp>

namespace thalweg::taskbench {
namespace {

std::pair<RunOptions, std::vector<TaskGraph>> read(std::span<const std::string> words) {
  std::vector<std::string> own{"thalweg-taskbench"};
  for (const std::string& word : words)
    own.push_back(word == "--model" || word == "--threads" ? word.substr(1) : word);
  std::vector<char*> arguments;
  for (std::string& word : own) arguments.push_back(word.data());
  const RunOptions options = take_run_options(arguments);
  return {options, App(static_cast<int>(arguments.size()), arguments.data()).graphs};
}

/// The window that covers most timesteps, of those that are replayed.
std::size_t window_of(const std::vector<Segment>& segments) {
  const auto n_covered = [](const Segment& s) {
    return s.n_replays > 1 ? s.n_steps * s.n_replays : 0;
  };
  const auto most = std::ranges::max_element(segments, {}, n_covered);
  if (most == segments.end() || n_covered(*most) == 0)
    throw Error(
        "no window of timesteps is replayed (a step is one: either their pattern does not repeat, "
        "or they are few); give more -steps, or another -type");
  return static_cast<std::size_t>(most - segments.begin());
}

}  // namespace

app::VirtualProgram virtual_program(std::span<const std::string> words, int n_ranks) {
  const auto [options, graphs] = read(words);
  app::expect_no_latency("-latency", options.latency_us);
  if (options.runtime != Runtime::flow)
    throw Error("-runtime openmp or starpu (our executor alone is simulated); leave it out");
  app::Execution execution{.model = options.model, .depth = options.depth};
  app::set_threads(execution, options.n_threads);
  const auto backend_on = [graphs](const app::Context& context) {
    return Backend<TaskGraph>(graphs, context.execution.model,
                              app::executor_config(context, 0, context.execution.sink),
                              context.transport, context.clock);
  };
  const auto look = [backend_on](const app::Context& context, const app::OnGraph& on_graph) {
    auto backend = backend_on(context);
    on_graph(backend.graph(window_of(backend.segments())), static_cast<double>(backend.n_bytes()));
  };
  const auto run_windows = [backend_on](const app::Context& context, std::int64_t n_windows) {
    auto backend = backend_on(context);
    const std::size_t window = window_of(backend.segments());
    flow::Executor executor(app::executor_config(context, 0, context.execution.sink),
                            context.transport, context.clock);
    const auto run = [&](std::size_t segment, std::int64_t n, std::optional<std::uint64_t> first) {
      const auto done = executor.run(backend.graph(segment), static_cast<std::uint64_t>(n), first);
      if (!done) throw std::runtime_error(done.error().message);
    };
    // Tasks check their inputs, which those before the window have made.
    for (std::size_t s = 0; s < window; ++s) run(s, backend.segments()[s].n_replays, std::nullopt);
    run(window, std::min<std::int64_t>(n_windows, backend.segments()[window].n_replays), 1);
  };
  const auto segments = segments_of(graphs, n_ranks);
  return {.n_ranks = n_ranks,
          .execution = execution,
          .size = static_cast<double>(segments[window_of(segments)].n_steps),
          .look_at_step = look,
          .run_steps = run_windows};
}

}  // namespace thalweg::taskbench
