// SPDX-License-Identifier: MIT
#include <thalweg/taskbench/virtual/virtual_program.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
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

/// The window that covers most timesteps, of those that are replayed; none where none is.
std::optional<std::size_t> find_window(const std::vector<Segment>& segments) {
  const auto n_covered = [](const Segment& s) {
    return s.n_replays > 1 ? s.n_steps * s.n_replays : 0;
  };
  const auto most = std::ranges::max_element(segments, {}, n_covered);
  if (most == segments.end() || n_covered(*most) == 0) return std::nullopt;
  return static_cast<std::size_t>(most - segments.begin());
}

/// Says why no window of graphs is replayed, and what would be.
Error without_window(std::vector<TaskGraph> graphs, int n_ranks) {
  constexpr long most_steps = 1 << 16;
  const auto n_steps = [&] {
    return std::ranges::max(graphs, {}, &TaskGraph::timesteps).timesteps;
  };
  while (2 * n_steps() <= most_steps) {
    for (TaskGraph& graph : graphs) {
      if (graph.nb_fields == graph.timesteps) graph.nb_fields *= 2;  // not given
      graph.timesteps *= 2;
    }
    if (find_window(segments_of(graphs, n_ranks)))
      return Error(
          "no window of timesteps is replayed (a step is one, and they are few); give -steps " +
          std::to_string(n_steps()));
  }
  return Error(
      "no window of timesteps is replayed (a step is one, and their pattern does not repeat); give "
      "another -type");
}

/// The window of graphs on so many ranks. @errors Error where none is replayed
std::size_t window_of(const std::vector<Segment>& segments, const std::vector<TaskGraph>& graphs,
                      int n_ranks) {
  const auto window = find_window(segments);
  if (!window) throw without_window(graphs, n_ranks);
  return *window;
}

}  // namespace

app::VirtualProgram virtual_program(std::span<const std::string> words, int n_ranks) {
  const auto [options, graphs] = read(words);
  app::expect_no_latency("-latency", options.latency_us);
  if (options.runtime != Runtime::flow)
    throw Error("-runtime openmp or starpu (our executor alone is simulated); leave it out");
  app::Execution execution{.model = options.model, .executor = {.depth = options.depth}};
  app::set_threads(execution, options.n_threads);
  const auto backend_on = [graphs](const app::Context& context) {
    return Backend<TaskGraph>(graphs, context.execution.model,
                              app::executor_config(context, 0, context.execution.executor.sink),
                              context.transport, context.clock);
  };
  const auto window_in = [graphs](const Backend<TaskGraph>& backend, const app::Context& context) {
    return window_of(backend.segments(), graphs, context.transport.n_ranks());
  };
  const auto look = [=](const app::Context& context, const app::OnGraph& on_graph) {
    auto backend = backend_on(context);
    on_graph(backend.graph(window_in(backend, context)), static_cast<double>(backend.n_bytes()));
  };
  const auto run_windows = [=](const app::Context& context, std::int64_t n_windows) {
    auto backend = backend_on(context);
    const std::size_t window = window_in(backend, context);
    flow::Executor executor(app::executor_config(context, 0, context.execution.executor.sink),
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
          .size = static_cast<double>(segments[window_of(segments, graphs, n_ranks)].n_steps),
          .look_at_step = look,
          .run_steps = run_windows};
}

}  // namespace thalweg::taskbench
