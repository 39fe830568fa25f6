// SPDX-License-Identifier: MIT
#include <thalweg/taskbench/runner.hpp>

namespace thalweg::taskbench {
namespace {

class FlowRunner final : public Runner {
 public:
  FlowRunner(const flow::ExecutorConfig& config, flow::Transport& transport, const Clock& clock)
      : executor_(config, transport, clock) {}

  Result<flow::RunReport> run(flow::Graph& graph, std::uint64_t n_replays) override {
    return executor_.run(graph, n_replays);
  }
  std::uint64_t n_tasks() const override { return executor_.total_time().n_tasks; }

 private:
  flow::Executor executor_;
};

}  // namespace

std::optional<Runtime> runtime_from_string(std::string_view name) {
  if (name == "flow") return Runtime::flow;
  if (name == "openmp") return Runtime::openmp;
  if (name == "starpu") return Runtime::starpu;
  return std::nullopt;
}

std::unique_ptr<Runner> make_flow_runner(const flow::ExecutorConfig& config,
                                         flow::Transport& transport, const Clock& clock) {
  return std::make_unique<FlowRunner>(config, transport, clock);
}

}  // namespace thalweg::taskbench
