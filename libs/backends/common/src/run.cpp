// SPDX-License-Identifier: MIT
#include <thalweg/backends/detail/run.hpp>

#include <exception>

#include <thalweg/core/exception_words.hpp>
#include <thalweg/core/subnormals_are_zero.hpp>

namespace thalweg::backends::detail {

using flow::TaskId;

void Run::execute(std::uint32_t task, std::uint64_t replay, std::uint32_t worker,
                  WorkerState& state) noexcept {
  if (has_failed()) return;
  const flow::Node& node = graph_.node(TaskId(task));
  flow::TaskContext context(worker, replay, state.scratch, node.controls_termination);
  const SubnormalsAreZero in_task;
  try {
    node.invoke(node.body, context);
  } catch (const std::exception& e) {
    fail(describe(task, replay) + " failed: " + words_of(e));
    return;
  } catch (...) {
    fail(describe(task, replay) + " failed: it threw something that is not a std::exception");
    return;
  }
  ++state.n_tasks;
  if (!node.controls_termination) return;
  if (context.is_stop_requested()) is_stopped_.store(true, std::memory_order_release);
  n_decided_.store(replay + 1, std::memory_order_release);
}

void Run::fail(std::string message) {
  const std::lock_guard lock(mutex_);
  if (!failure_) failure_ = std::move(message);
  has_failed_.store(true, std::memory_order_release);
}

Result<flow::RunReport> Run::report(std::uint64_t n_replays) const {
  if (failure_) return std::unexpected(Failure{*failure_});
  return flow::RunReport{.n_replays = n_replays, .stopped = is_stopped()};
}

std::string Run::describe(std::uint32_t task, std::uint64_t replay) const {
  return graph_.describe(TaskId(task), replay, first_step_);
}

}  // namespace thalweg::backends::detail
