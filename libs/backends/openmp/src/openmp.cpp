// SPDX-License-Identifier: MIT
#include <thalweg/backends/openmp.hpp>

#include <omp.h>

#include <atomic>
#include <optional>
#include <thread>
#include <vector>

#include <thalweg/core/error.hpp>
#include <thalweg/flow/detail/running.hpp>

#include "region.hpp"

namespace thalweg::backends {

/// What an executor keeps from run to run.
class OpenMpExecutor::Impl {
 public:
  Impl(const Config& config, flow::Transport& transport) : config_(config), transport_(transport) {
    for (std::uint32_t i = 0; i < config.n_threads; ++i) states_.emplace_back(config.scratch_bytes);
  }

  Result<flow::RunReport> run(const flow::Graph& graph, std::uint64_t n_replays,
                              std::optional<std::uint64_t> first_step) {
    graph.require_rank(transport_.rank(), transport_.n_ranks());
    const flow::detail::Running running(is_running_);
    require_supported(graph, runtime());
    if (!graph.cyclic().empty()) return std::unexpected(Failure{graph.describe_cycle(first_step)});
    if (runtime() == Runtime::libomp && graph.n_messages() != 0 && transport_.serves_one_thread())
      throw Error(
          "a graph with messages on a transport that serves one thread (OpenMP of LLVM sends from "
          "a "
          "thread of its own, and in comm::SimNetwork all ranks share one); build the back end "
          "with "
          "g++, or take flow::Executor");
    const Program program(graph);
    std::optional<flow::Transport::InUse> in_use;
    if (graph.n_messages() != 0) in_use.emplace(transport_, "a run of a graph with messages");
    detail::Run run(graph, first_step);
    detail::MessageService service(run, transport_, [](detail::MessageService::Event event) {
      omp_fulfill_event(static_cast<omp_event_handle_t>(event));
    });
    Region region(config_, program, run, service, states_);
    bool is_over = false;
    const auto submit = [&] {
      region.replay(n_replays);
      service.change([&] { is_over = true; });
    };
    const auto communicate = [&] { service.communicate([&] { return is_over; }); };
    if (runtime() == Runtime::libgomp) {
      const std::jthread other(submit);
      communicate();
    } else {
      // libomp 19 does not survive that a thread ends that had opened parallel regions: its team
      // keeps memory of it.
      const std::jthread other(communicate);
      submit();
    }
    service.rethrow();
    return run.report(region.n_complete());
  }

  std::uint64_t n_tasks() const { return detail::count_tasks(states_); }

 private:
  Config config_;
  flow::Transport& transport_;
  std::vector<detail::WorkerState> states_;
  std::atomic<bool> is_running_{false};
};

OpenMpExecutor::OpenMpExecutor(const Config& config, flow::Transport& transport) {
  check(config);
  impl_ = std::make_unique<Impl>(config, transport);
}
OpenMpExecutor::~OpenMpExecutor() = default;

Result<flow::RunReport> OpenMpExecutor::run(const flow::Graph& graph, std::uint64_t n_replays,
                                            std::optional<std::uint64_t> first_step) {
  return impl_->run(graph, n_replays, first_step);
}

std::uint64_t OpenMpExecutor::n_tasks() const {
  return impl_->n_tasks();
}

Runtime OpenMpExecutor::runtime() {
  return Runtime::THALWEG_OPENMP_RUNTIME;
}

}  // namespace thalweg::backends
