// SPDX-License-Identifier: MIT
// What the programs share that run one graph of Task Bench on the threads of one process.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <limits>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include <thalweg/taskbench/app.hpp>
#include <thalweg/taskbench/detail/buffers.hpp>

#include "../micro/slices.hpp"
#include "number.hpp"

namespace thalweg::bench {

/// One task of a graph: where its inputs lie and which tasks write them.
struct GraphTask {
  long timestep;
  long point;
  char* output;
  std::vector<std::size_t> sources{};       ///< the tasks that write the inputs
  std::unique_ptr<const char*[]> inputs{};  ///< of each source
};

/// All tasks of a graph in program order, each with an output of its own, so that runtimes need no
/// order but that of writing before reading.
class GraphTasks {
 public:
  explicit GraphTasks(const taskbench::TaskGraph& graph)
      : graph_(graph), outputs_(graph.timesteps, graph.max_width, graph.output_bytes_per_task) {
    std::vector<std::size_t> task_of(outputs_.size());
    for (long t = 0; t < graph.timesteps; ++t) {
      const auto [first, end] = active(t);
      for (long p = first; p < end; ++p) {
        task_of[outputs_.index(t, p)] = tasks_.size();
        GraphTask& task = tasks_.emplace_back(
            GraphTask{.timestep = t, .point = p, .output = outputs_.at(outputs_.index(t, p))});
        for_each_dependency(
            t, p, [&](long d) { task.sources.push_back(task_of[outputs_.index(t - 1, d)]); });
        task.inputs = std::make_unique<const char*[]>(task.sources.size());
        std::ranges::transform(task.sources, task.inputs.get(),
                               [&](std::size_t source) { return tasks_[source].output; });
        sizes_.resize(std::max(sizes_.size(), task.sources.size()), graph.output_bytes_per_task);
      }
    }
  }

  const std::vector<GraphTask>& all() const { return tasks_; }
  /// Checks the inputs, and ends the program where one is wrong.
  void execute(const GraphTask& task) const {
    try {
      graph_.execute_point(task.timestep, task.point, task.output, graph_.output_bytes_per_task,
                           task.inputs.get(), sizes_.data(), task.sources.size(), nullptr, 0);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "error: %s\n", error.what());
      std::terminate();
    }
  }
  /// Whether all tasks have written their outputs.
  bool is_complete() const {
    return std::ranges::all_of(tasks_, [](const GraphTask& task) {
      const taskbench::Interval expected{task.timestep, task.point};
      return std::memcmp(task.output, &expected, sizeof expected) == 0;
    });
  }

 private:
  std::pair<long, long> active(long t) const {
    const long first = graph_.offset_at_timestep(t);
    return {first, first + graph_.width_at_timestep(t)};
  }
  template <class F>
  void for_each_dependency(long t, long point, F f) const {
    if (t == 0) return;
    const auto [begin, end] = active(t - 1);
    for (const auto& [first, last] :
         graph_.dependencies(graph_.dependence_set_at_timestep(t), point))
      for (long d = std::max(first, begin); d <= std::min(last, end - 1); ++d) f(d);
  }

  taskbench::TaskGraph graph_;
  taskbench::detail::Outputs outputs_;
  std::vector<GraphTask> tasks_;
  std::vector<std::size_t> sizes_;
};

/// The program: PEER [-threads n] [-repeat n] and the options of one graph; prints Task Bench's
/// report.
/// @tparam Peer made of GraphTasks and a number of threads, it has run()
template <class Peer>
int taskbench_peer_main(int argc, char** argv) {
  std::uint32_t n_threads = 1, n_repetitions = 1;
  std::vector<char*> arguments;
  for (int i = 0; i < argc; ++i) {
    const std::string_view name = argv[i];
    if (i + 1 < argc && name == "-threads")
      n_threads = number(argv[++i]);
    else if (i + 1 < argc && name == "-repeat")
      n_repetitions = number(argv[++i]);
    else
      arguments.push_back(argv[i]);
  }
  try {
    const taskbench::App app(static_cast<int>(arguments.size()), arguments.data());
    const GraphTasks tasks(app.graphs.front());
    Peer peer(tasks, n_threads);
    peer.run();
    if (!tasks.is_complete()) {
      std::fprintf(stderr, "error: some tasks did not run\n");
      return 3;
    }
    double best_ns = std::numeric_limits<double>::max();
    for (std::uint32_t n = 0; n < n_repetitions; ++n) {
      const double start = now_ns(Timer::wall);
      peer.run();
      best_ns = std::min(best_ns, now_ns(Timer::wall) - start);
    }
    app.report_timing(1e-9 * best_ns);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 2;
  }
}

}  // namespace thalweg::bench
