// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include <thalweg/flow/coroutine.hpp>
#include <thalweg/flow/detail/item.hpp>

namespace thalweg::flow {

/// A task that has run and is not over: it is suspended, or has bound requests, or both.
struct PendingTask {
  detail::Item item = detail::no_item;
  std::uint32_t n_bound = 0;           ///< requests, not over yet, that its end waits for
  detail::TaskFrame* frame = nullptr;  ///< where its body has not ended
};

/// What is over outside of a graph: that of a pending task which it was for.
struct ExternalEvent {
  std::uint32_t pending;
  bool is_awaited;  ///< the body goes on with it; else the task's end waits for it
};

/// The tasks of an engine that wait for external events, and what for.
///
/// Seldom used, so under one lock; storage is kept, so that a steady replay does not allocate.
/// @threads any, but for those of the holder of the transport
class ExternalEvents {
 public:
  /// So many tasks may wait at once before lists have to grow: how many do at most is not known
  /// until they have, and may come late in a run.
  static constexpr std::size_t n_room = 64;
  /// Requests are tested so many at once, in turn: a poll costs the same however many there are.
  static constexpr std::size_t n_most_tested = 128;

  ExternalEvents() {
    pending_.reserve(n_room);
    free_.reserve(n_room);
    for (std::vector<New>* list : {&new_, &taken_}) list->reserve(n_room);
    tested_.reserve(n_room);
  }
  /// Forget everything. @threads one, with no worker inside
  void clear() {
    pending_.clear();
    free_.clear();
    new_.clear();
    taken_.clear();
    tested_.clear();
    next_ = 0;
    is_new_ = false;
  }
  /// Whether something waits to be begun.
  bool has_new() const { return is_new_.load(std::memory_order_seq_cst); }

  /// Keep a task that has run, with what the worker found out about it.
  void keep_pending(detail::Item item, const detail::PendingRequests& pending) {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) {
      free_.push_back(static_cast<std::uint32_t>(pending_.size()));
      pending_.emplace_back();
    }
    const std::uint32_t id = free_.back();
    free_.pop_back();
    pending_[id] = {.item = item};
    add(id, pending);
  }
  /// The same for a task that has gone on. @return whether it is over
  bool keep_pending_again(std::uint32_t id, const detail::PendingRequests& pending) {
    const std::lock_guard lock(mutex_);
    pending_[id].frame = nullptr;
    add(id, pending);
    return free_if_over(id);
  }
  PendingTask pending(std::uint32_t id) const {
    const std::lock_guard lock(mutex_);
    return pending_[id];
  }
  /// Something that a task's end waits for is over. @return whether the task is
  bool end_bound(std::uint32_t id) {
    const std::lock_guard lock(mutex_);
    --pending_[id].n_bound;
    return free_if_over(id);
  }

  /// Call begin(event, awaited) for all that is new. @threads the holder of the transport
  template <class F>
  void take_new(F begin) {
    {
      const std::lock_guard lock(mutex_);
      std::swap(new_, taken_);
      is_new_.store(false, std::memory_order_release);  // for BusyCount
    }
    for (const New& n : taken_) begin(n.event, n.awaited);
    taken_.clear();
  }
  /// Have a request tested from now on. @threads the holder of the transport
  void watch(const ExternalEvent& event, const Request& request) {
    tested_.push_back({event, request});
  }
  bool has_tested() const { return !tested_.empty(); }
  /// Ask is_over(event, request) of the next requests; call done(event) for those that are.
  /// @threads the holder of the transport
  template <class IsOver, class F>
  void test(IsOver is_over, F done) {
    for (std::size_t n = std::min(n_most_tested, tested_.size()); n != 0; --n) {
      if (next_ >= tested_.size()) next_ = 0;
      Tested& tested = tested_[next_];
      if (!is_over(tested.event, tested.request)) {
        ++next_;
        continue;
      }
      const ExternalEvent event = tested.event;
      tested = tested_.back();  // whose turn it is now
      tested_.pop_back();
      done(event);
    }
  }
  /// Call f(task) for all that are pending.
  template <class F>
  void for_each(F f) const {
    const std::lock_guard lock(mutex_);
    for (const PendingTask& h : pending_)
      if (h.item != detail::no_item) f(h);
  }

 private:
  struct New {
    ExternalEvent event;
    detail::Awaited awaited;
  };
  struct Tested {
    ExternalEvent event;
    Request request;
  };

  void add(std::uint32_t id, const detail::PendingRequests& pending) {
    PendingTask& task = pending_[id];
    task.n_bound += static_cast<std::uint32_t>(pending.bound.size());
    task.frame = pending.suspended;
    for (const Request& request : pending.bound)
      new_.push_back({{id, false}, {.request = request}});
    if (task.frame != nullptr) new_.push_back({{id, true}, task.frame->awaited()});
    // So that either who sleeps sees this, or who calls it sees that it sleeps.
    is_new_.store(!new_.empty(), std::memory_order_seq_cst);
  }
  bool free_if_over(std::uint32_t id) {
    if (pending_[id].n_bound != 0 || pending_[id].frame != nullptr) return false;
    pending_[id].item = detail::no_item;
    free_.push_back(id);
    return true;
  }

  mutable std::mutex mutex_;
  std::vector<PendingTask> pending_;
  std::vector<std::uint32_t> free_;
  std::vector<New> new_;
  std::atomic<bool> is_new_{false};

  // For the holder of the transport.
  std::vector<New> taken_;
  std::vector<Tested> tested_;
  std::size_t next_ = 0;  ///< of those, whose turn it is
};

}  // namespace thalweg::flow
