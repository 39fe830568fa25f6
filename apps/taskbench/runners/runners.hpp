// SPDX-License-Identifier: MIT
#pragma once
// Of each function the build takes one of two definitions: NAME.cpp, or NAME_none.cpp, which says
// that the runtime was not there.
#include <memory>

#include <thalweg/taskbench/runner.hpp>

namespace thalweg::taskbench {

std::unique_ptr<Runner> make_openmp_runner(const flow::ExecutorConfig& config,
                                           flow::Transport& transport);
std::unique_ptr<Runner> make_starpu_runner(const flow::ExecutorConfig& config,
                                           flow::Transport& transport);

/// A runner of a back end.
template <class Executor>
class BackendRunner final : public Runner {
 public:
  BackendRunner(const flow::ExecutorConfig& config, flow::Transport& transport)
      : executor_({.n_threads = config.n_workers, .depth = config.depth}, transport) {}

  Result<flow::RunReport> run(flow::Graph& graph, std::uint64_t n_replays) override {
    return executor_.run(graph, n_replays);
  }
  std::uint64_t n_tasks() const override { return executor_.n_tasks(); }

 private:
  Executor executor_;
};

}  // namespace thalweg::taskbench
