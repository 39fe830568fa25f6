// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <expected>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <thalweg/comm/transport_latency.hpp>
#include <thalweg/comm/world.hpp>
#include <thalweg/core/clock.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/core/exception_words.hpp>
#include <thalweg/flow/collective.hpp>
#include <thalweg/taskbench/backend.hpp>
#include <thalweg/taskbench/task_graph.hpp>

namespace thalweg::taskbench {

/// How graphs are run; what Task Bench has no options for.
struct RunOptions {
  Runtime runtime = Runtime::flow;
  flow::Model model = flow::Model::dataflow;
  std::uint32_t n_threads = 1;
  std::uint32_t depth = 2;
  flow::Accounting accounting = flow::Accounting::off;
  std::uint32_t n_timed_runs = 1;  ///< of which the fastest counts
  double latency_us = 0;           ///< that messages are held back for at least
};

/// Take our options out of a command line; others stay.
/// @errors Error where a value is missing or wrong
RunOptions take_run_options(std::vector<char*>& arguments);
/// Say on stderr where the model takes one of several threads.
void warn_of_unused_threads(const RunOptions& options);
/// Our options but -runtime, which has a choice in a program of its own alone, one a line, for a
/// help text.
std::string run_option_help();
/// Refuse graphs that need more memory than there is.
/// @param memory_bytes  for each rank; 0: unknown  @errors Error that names the largest graph
void check_memory(const std::vector<TaskGraph>& graphs, const RunOptions& options, int n_ranks,
                  std::size_t memory_bytes);
/// Say what is wrong, once for all ranks. @return the exit code of a bad request
int complain(Rank rank, std::string_view error);

/// Run everything once to warm up and then n times; the time of the fastest in seconds.
///
/// With barriers around each.
template <BenchmarkGraph G>
Result<double> time_runs(Backend<G>& backend, flow::Transport& transport, const Clock& clock,
                         std::uint32_t n) {
  if (const auto first = backend.run(); !first) return std::unexpected(first.error());
  std::int64_t least_ns = std::numeric_limits<std::int64_t>::max();
  for (std::uint32_t i = 0; i < n; ++i) {
    flow::barrier(transport);
    const std::int64_t start_ns = clock.now_ns();
    if (const auto next = backend.run(); !next) return std::unexpected(next.error());
    flow::barrier(transport);
    least_ns = std::min(least_ns, clock.now_ns() - start_ns);
  }
  return 1e-9 * static_cast<double>(least_ns);
}

/// Run the graphs of an app as told; the time in seconds, as time_runs().
/// @param make  makes what runs them  @param announce  called once nothing is wrong, before graphs
/// are recorded, which takes long where they are large  @errors throws Error where options or
/// graphs make no sense
template <class A, std::invocable F>
Result<double> time_app(const A& app, const RunOptions& options, flow::Transport& network,
                        const Clock& clock, MakeRunner make, F announce) {
  const auto slow = comm::with_latency(network, clock, options.latency_us);
  flow::Transport& transport = slow ? *slow : network;
  const flow::ExecutorConfig config{
      .n_workers = options.model == flow::Model::bulk ? 1 : options.n_threads,
      .depth = options.depth,
      .accounting = options.accounting};
  auto runner = make(options.runtime, config, transport, clock);
  announce();
  Backend backend(app.graphs, options.model, config, transport, std::move(runner));
  return time_runs(backend, transport, clock, options.n_timed_runs);
}

/// The program: read the command line, run the graphs, print the report. @return the exit code
/// @tparam A taskbench::App, or the App of Task Bench's core library
/// @param make  makes what runs the graphs; the usual one is in thalweg::taskbench_runners
template <class A>
int drive(int argc, char** argv, MakeRunner make = make_runner) {
  const comm::World world(&argc, &argv);
  flow::Transport& network = world.transport();
  const SteadyClock clock;
  const bool is_root = network.rank() == Rank(0);
  try {
    std::vector<char*> arguments(argv, argv + argc);
    const RunOptions options = take_run_options(arguments);
    if (is_root) warn_of_unused_threads(options);
    A app(static_cast<int>(arguments.size()), arguments.data());
    const auto seconds = time_app(app, options, network, clock, make, [&] {
      if (is_root) app.display();
    });
    if (!seconds) network.abort("error: " + seconds.error().message);
    if (is_root) app.report_timing(*seconds);
    return 0;
  } catch (const Error& error) {
    return complain(network.rank(), error.what());
  } catch (const std::exception& error) {
    network.abort("error: " + words_of(error));
  }
  return 1;  // not reached: abort does not return
}

}  // namespace thalweg::taskbench
