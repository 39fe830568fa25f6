// SPDX-License-Identifier: MIT
#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <starpu.h>

#include <thalweg/backends/config.hpp>
#include <thalweg/backends/detail/message_service.hpp>
#include <thalweg/backends/detail/run.hpp>
#include <thalweg/backends/detail/worker_state.hpp>
#include <thalweg/backends/program.hpp>

namespace thalweg::backends {

/// The tasks of a run, as StarPU knows them.
class Submission {
 public:
  Submission(const Config& config, const Program& program, detail::Run& run,
             flow::Transport& transport, std::span<detail::WorkerState> states);
  ~Submission();
  Submission(const Submission&) = delete;
  Submission& operator=(const Submission&) = delete;

  /// Run all replays, and serve the messages meanwhile.
  void replay(std::uint64_t n_replays);
  /// Replays that are complete. @pre replay() has returned
  std::uint64_t n_complete() const { return n_complete_; }
  const detail::MessageService& service() const { return service_; }

 private:
  /// What a task gets to know: which one it is of which replay.
  struct Call {
    Submission* submission;
    std::uint32_t node;
    std::uint64_t replay;
  };

  static void run_task(void* buffers[], void* call);
  static void run_message(void* buffers[], void* call);

  void submit(std::uint32_t node, std::uint64_t replay);
  void set_handles(starpu_task& task, std::uint32_t node);
  void count_down(std::uint32_t slot);
  void wait_for(const std::function<bool()>& condition) { service_.communicate(condition); }
  std::uint32_t slot(std::uint64_t replay) const {
    return static_cast<std::uint32_t>(replay % depth_);
  }
  bool is_complete(std::uint32_t s) const { return left_[s].load(std::memory_order_acquire) == 0; }

  std::uint32_t depth_;
  const Program& program_;
  detail::Run& run_;
  detail::MessageService service_;
  std::span<detail::WorkerState> states_;
  std::vector<starpu_data_handle_t> handles_;   ///< of each piece
  std::vector<Call> calls_;                     ///< of each slot, of each node
  std::vector<std::atomic<std::size_t>> left_;  ///< of each slot: tasks that are not over
  std::uint64_t n_complete_ = 0;
};

}  // namespace thalweg::backends
