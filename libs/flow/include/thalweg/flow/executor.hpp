// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <thalweg/core/clock.hpp>
#include <thalweg/core/error.hpp>
#include <thalweg/core/logger.hpp>
#include <thalweg/flow/access_checker.hpp>
#include <thalweg/flow/graph.hpp>
#include <thalweg/flow/picker.hpp>
#include <thalweg/flow/policy.hpp>
#include <thalweg/flow/transport.hpp>
#include <thalweg/trace/sink.hpp>

namespace thalweg::flow {

/// Whether workers look what time it is around tasks: every one, but for most of those below a
/// microsecond, where overhead is taken to be what it is around the others.
enum class Accounting : std::uint8_t { off, on };

/// How an executor runs graphs.
struct ExecutorConfig {
  std::uint32_t n_workers = 1;    ///< threads, the caller's included; 1 .. 1024
  std::uint32_t depth = 2;        ///< replays in flight where the model lets them overlap; 1 .. 7
  std::size_t scratch_bytes = 0;  ///< memory of each worker for its tasks; at most 2^40
  trace::Sink* sink = nullptr;    ///< where events of all workers go, not owned; null: nowhere
  Picker* picker = nullptr;       ///< not owned; where set, one worker runs what it picks
  Accounting accounting = Accounting::on;
  /// Whether a worker goes on with what it released last, whose data are in its cache; else with
  /// what has been ready longest.
  bool runs_successor_next = true;
  bool honours_priorities = true;      ///< whether TaskOptions::priority means anything
  Progress progress = Progress::idle;  ///< with a picker, always idle
  Posting posting = Posting::fresh;
  std::vector<std::uint32_t> cpus{};  ///< where worker w is pinned; empty: nowhere
  double park_limit_s =
      1e-3;                 ///< an idle thread that nobody calls looks again after so many seconds
  double watchdog_s = 300;  ///< seconds a rank may wait with nothing happening; 0: for ever
  AccessChecker* checker = nullptr;  ///< finds undeclared accesses; one worker; not owned
  Logger* log = nullptr;  ///< where a task that runs longer than that is named; not owned

  bool operator==(const ExecutorConfig&) const = default;
};

/// What a run did.
struct RunReport {
  std::uint64_t n_replays = 0;
  bool stopped = false;  ///< whether a task asked that no replay follow
};

/// Where the time of a worker inside run() went; the three add up to it exactly.
struct WorkerTime {
  std::int64_t work_ns = 0;      ///< in task bodies
  std::int64_t overhead_ns = 0;  ///< between them, with something to do
  std::int64_t idle_ns = 0;      ///< looking for something to do, polling, parked
  std::uint64_t n_tasks = 0;     ///< how many it ran
  /// How often it slept for want of something to do, worker 0 together with a communication thread.
  std::uint64_t n_parks = 0;
  std::uint64_t n_late = 0;  ///< sleeps that lasted until park_limit_s, as nobody called

  bool operator==(const WorkerTime&) const = default;
};

/// Replays graphs on the threads of one rank.
///
/// Worker 0 is the thread that calls run(); the others live as long as the executor and sleep
/// between runs. In the bulk model, and with a picker, worker 0 is alone.
/// @threads one; accounting() from any
class Executor {
 public:
  /// @param transport, clock must outlive the executor
  /// @errors Error where a number in the config is out of range, a worker cannot be pinned, or the
  /// transport serves one thread and there would be more
  Executor(const ExecutorConfig& config, Transport& transport, const Clock& clock);
  /// @pre with Posting::persistent, nobody else is using the transport
  ~Executor();
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  /// Replay a graph so many times, or until the task that controls termination stops it.
  ///
  /// A failure names the task and leaves messages in flight: the caller aborts the transport before
  /// the graph dies. It comes of a task or transport that throws, of tasks that wait for each other
  /// in a cycle, and where nothing has happened for `watchdog_s`: then it names what was waited
  /// for. A task that runs long is no failure, but other ranks may wait for it: set the limit
  /// longer.
  /// @param first_step what the program calls replay 0, to be named in failures and traces
  /// @errors Error where the graph was recorded for another rank, a run is under way, the graph has
  /// messages and the transport is in use, or a trace::MemorySink has fewer buffers than there are
  /// workers
  [[nodiscard]] Result<RunReport> run(Graph& graph, std::uint64_t n_replays,
                                      std::optional<std::uint64_t> first_step = {});

  /// Where the time of each worker went, over all runs so far; may be called during one, and then
  /// may not know of the last 15 tasks.
  std::vector<WorkerTime> accounting() const;
  /// The sum of all workers' times; allocates nothing, so a task may ask for it.
  WorkerTime total_time() const;
  const ExecutorConfig& config() const;
  /// Bytes that running a graph takes beside the graph itself: its edges once more as workers walk
  /// them, counters and queues. Kept until a larger graph is run; lists of what goes from worker to
  /// worker, and scratch, come on top. @cost O(1)
  std::size_t n_bytes_to_run(const Graph& graph) const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace thalweg::flow
