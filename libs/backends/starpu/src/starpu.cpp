// SPDX-License-Identifier: MIT
#include <thalweg/backends/starpu.hpp>

#include <atomic>
#include <optional>
#include <vector>

#include <thalweg/flow/detail/running.hpp>

#include "session.hpp"
#include "submission.hpp"

namespace thalweg::backends {

/// What an executor keeps from run to run.
class StarPuExecutor::Impl {
 public:
  Impl(const Config& config, flow::Transport& transport)
      : config_(config), transport_(transport), session_(config.n_threads) {
    for (std::uint32_t i = 0; i < config.n_threads; ++i) states_.emplace_back(config.scratch_bytes);
  }

  Result<flow::RunReport> run(const flow::Graph& graph, std::uint64_t n_replays,
                              std::optional<std::uint64_t> first_step) {
    graph.require_rank(transport_.rank(), transport_.n_ranks());
    const flow::detail::Running running(is_running_);
    require_supported(graph, Runtime::starpu);
    if (!graph.cyclic().empty()) return std::unexpected(Failure{graph.describe_cycle(first_step)});
    const Program program(graph);
    std::optional<flow::Transport::InUse> in_use;
    if (graph.n_messages() != 0) in_use.emplace(transport_, "a run of a graph with messages");
    detail::Run run(graph, first_step);
    Submission submission(config_, program, run, transport_, states_);
    submission.replay(n_replays);
    submission.service().rethrow();
    return run.report(submission.n_complete());
  }

  std::uint64_t n_tasks() const { return detail::count_tasks(states_); }

 private:
  Config config_;
  flow::Transport& transport_;
  Session session_;
  std::vector<detail::WorkerState> states_;
  std::atomic<bool> is_running_{false};
};

StarPuExecutor::StarPuExecutor(const Config& config, flow::Transport& transport) {
  check(config);
  impl_ = std::make_unique<Impl>(config, transport);
}
StarPuExecutor::~StarPuExecutor() = default;

Result<flow::RunReport> StarPuExecutor::run(const flow::Graph& graph, std::uint64_t n_replays,
                                            std::optional<std::uint64_t> first_step) {
  return impl_->run(graph, n_replays, first_step);
}

std::uint64_t StarPuExecutor::n_tasks() const {
  return impl_->n_tasks();
}

}  // namespace thalweg::backends
