// SPDX-License-Identifier: MIT
#pragma once
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include <thalweg/core/error.hpp>
#include <thalweg/flow/detail/transport_claim.hpp>
#include <thalweg/flow/detail/transport_lock.hpp>
#include <thalweg/flow/transport.hpp>

namespace thalweg::flow {

template <bool shared>
class Engine;
class Chain;

/// What a task may say about itself beside its accesses.
struct TaskOptions {
  /// Of the tasks that are ready on one worker, higher runs first; any integer.
  int priority = 0;
  double cost = 1;  ///< for tools, in any unit; changes nothing in how a graph runs
  std::optional<std::uint32_t> preferred_worker{};  ///< taken modulo the number of workers
  int level = 0;                                    ///< of the mesh, for traces and messages
  std::uint64_t block = 0;                          ///< key, for traces and messages
  /// The next replay waits for it, and it may end the run (TaskContext::request_stop); one a graph.
  /// All ranks must decide alike.
  bool controls_termination = false;
};

namespace detail {

class TaskFrame;

/// What a suspended task waits for.
struct Awaited {
  enum class Kind : std::uint8_t { send, recv, request };

  Kind kind = Kind::request;
  std::span<const std::byte> source{};
  std::span<std::byte> target{};
  Rank peer{};
  Tag tag{};
  Request request{};
};

/// What the task that a worker has just run still waits for, and what the worker lends to it.
struct PendingRequests {
  bool any = false;                             ///< it is not over yet
  std::vector<Request> bound{};                 ///< because of these
  TaskFrame* suspended = nullptr;               ///< because it is a coroutine in the middle
  std::unique_lock<TransportLock> transport{};  ///< held while the task is inside
  TransportClaim* claim = nullptr;              ///< of the run, for who holds that
};

}  // namespace detail

/// What a running task knows of its surroundings. A body takes it as `TaskContext&`: what it asks
/// of a copy would be lost, so there are none.
class TaskContext {
 public:
  /// For the executor. @param controls_termination whether the task may end the run
  TaskContext(std::uint32_t worker, std::uint64_t replay, std::span<std::byte> scratch,
              bool controls_termination)
      : replay_(replay),
        scratch_(scratch),
        worker_(worker),
        controls_termination_(controls_termination) {}
  TaskContext(const TaskContext&) = delete;

  /// The number of the worker that runs the task.
  std::uint32_t worker() const { return worker_; }
  /// The number of the replay, from 0 in each run.
  std::uint64_t replay() const { return replay_; }
  /// Memory of the worker, aligned to 64 bytes; holds whatever the last task left there.
  std::span<std::byte> scratch() const { return scratch_; }

  /// Let no replay start after this one, on this rank: the tasks of all ranks must ask for it in
  /// the same replay, or the others wait for messages of this one. Decide by what is the same on
  /// all, as the result of an all_reduce() is.
  /// @errors Error where the task was recorded without `controls_termination`
  void request_stop() {
    if (!controls_termination_)
      throw Error(
          "this task cannot stop the run (the next replay does not wait for it); record it with "
          "the option `controls_termination`");
    stops_ = true;
  }
  bool is_stop_requested() const { return stops_; }

  /// Let the task be over only when these are, too: what depends on it waits for them. Returns at
  /// once.
  ///
  /// Buffers that a request fills belong to data that the task declared, so that nobody comes near
  /// them before. The scratch does not: it is another task's once the body has returned.
  /// @errors Error where what runs the graph is not an Executor, or a request has no test
  void bind(std::span<const Request> requests) {
    if (pending_ == nullptr) throw Error("this task cannot bind requests (only an Executor can)");
    for (const Request& request : requests) check(request);
    pending_->bound.insert(pending_->bound.end(), requests.begin(), requests.end());
    pending_->any = pending_->any || !requests.empty();
  }
  void bind(const Request& request) { bind(std::span(&request, 1)); }
  /// Whether requests were bound, so that the task may not be over when its body returns.
  bool has_bound() const { return pending_ != nullptr && !pending_->bound.empty(); }

  /// Call f() while nobody else is inside the transport: for a task that begins requests itself, as
  /// MPI lets threads call it in turns only. What f does must not wait for messages; it may call
  /// this, too.
  /// @errors Error where another run or a collective uses the transport, or where what runs the
  /// graph is not an Executor
  template <std::invocable F>
  decltype(auto) with_transport(F f) {
    if (pending_ == nullptr)
      throw Error("this task cannot use the transport (only an Executor can)");
    if (pending_->transport.owns_lock()) return f();
    const std::lock_guard lock(pending_->transport);
    pending_->claim->take("a task that uses the transport");
    return f();
  }

  // For tasks that are coroutines (coroutine.hpp): to be awaited at once. The bytes stay untouched
  // and alive until then. Tags are the program's own, apart from those of nodes; messages with one
  // peer and tag arrive in the order in which they were sent.

  [[nodiscard]] static detail::Awaited send(std::span<const std::byte> bytes, Rank to, Tag tag) {
    return {.kind = detail::Awaited::Kind::send, .source = bytes, .peer = to, .tag = tag};
  }
  [[nodiscard]] static detail::Awaited recv(std::span<std::byte> bytes, Rank from, Tag tag) {
    return {.kind = detail::Awaited::Kind::recv, .target = bytes, .peer = from, .tag = tag};
  }
  /// @errors Error where the request has no test
  [[nodiscard]] static detail::Awaited wait(const Request& request) {
    check(request);
    return {.kind = detail::Awaited::Kind::request, .request = request};
  }

 private:
  template <bool shared>
  friend class Engine;  // has one for each worker, and uses it again for every task
  friend class detail::TaskFrame;
  friend class Chain;  // runs tasks in an engine's place, to check their accesses

  TaskContext& operator=(const TaskContext&) = default;
  static void check(const Request& request) {
    if (request.test == nullptr)
      throw Error(
          "a request has no test (nobody could say when it is over); give it one, as "
          "comm::foreign_request() does");
  }

  std::uint64_t replay_;
  std::span<std::byte> scratch_;
  std::uint32_t worker_;
  bool controls_termination_;
  bool stops_ = false;
  detail::PendingRequests* pending_ = nullptr;  ///< of the worker, where an engine runs the task
  detail::TaskFrame* frame_ = nullptr;          ///< of the task, where it is a coroutine
};

}  // namespace thalweg::flow
