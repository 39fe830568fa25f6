// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include <thalweg/backends/capability.hpp>
#include <thalweg/backends/config.hpp>
#include <thalweg/backends/detail/message_service.hpp>
#include <thalweg/backends/detail/run.hpp>
#include <thalweg/backends/detail/worker_state.hpp>
#include <thalweg/backends/program.hpp>

namespace thalweg::backends {

/// Submits the tasks of a run in one parallel region.
class Region {
 public:
  /// @errors Error where the graph has more tasks in flight than libgomp can defer
  Region(const Config& config, const Program& program, detail::Run& run,
         detail::MessageService& service, std::span<detail::WorkerState> states);

  /// Run all replays. Never throws: what goes wrong is said to the run.
  void replay(std::uint64_t n_replays) noexcept;
  /// Replays that are complete. @pre replay() has returned
  std::uint64_t n_complete() const { return n_complete_; }

 private:
  /// The addresses that stand for what a task uses, as `depend` takes them.
  struct Depends {
    char** reads;
    char** writes;
    int n_reads;
    int n_writes;
  };

  void prepare();
  std::uint32_t n_extra_threads() const;
  void submit_all(std::uint64_t n_replays);
  void submit(std::uint32_t node, std::uint64_t replay);
  void submit_task(std::uint32_t node, std::uint64_t replay, int priority);
  void submit_message(std::uint32_t node, int priority);
  bool is_stopped();

  std::uint32_t n_threads_;
  std::uint32_t depth_;
  std::uint32_t n_extra_ = 0;  ///< threads that sleep
  const Program& program_;
  detail::Run& run_;
  detail::MessageService& service_;
  std::span<detail::WorkerState> states_;
  std::vector<char> pieces_;      ///< nobody reads or writes them: only their addresses count
  std::vector<char*> addresses_;  ///< of task t: those it reads, then those it writes
  std::vector<Depends> depends_;
  std::uint64_t n_complete_ = 0;
};

}  // namespace thalweg::backends
