// SPDX-License-Identifier: MIT
#pragma once
#include <atomic>
#include <bit>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include "stencil.hpp"

namespace thalweg::bench {

/// The least that replaying a graph can cost: what one would write by hand for this graph alone.
///
/// Each worker owns tasks, with plain counters, and a queue. It counts down its own successors and
/// sends the others through a mailbox, a ring with one writer and one reader. No stealing, no
/// messages, no failures, no accounting, no parking; a barrier between replays.
class StaticExecutor {
 public:
  explicit StaticExecutor(const Stencil& stencil) : n_workers_(stencil.n_workers) {
    workers_ = std::make_unique<Worker[]>(n_workers_);
    add_tasks(stencil);
    for (std::uint32_t w = 1; w < n_workers_; ++w)
      threads_.emplace_back([this, w] {
        for (std::uint64_t n; (n = wait_for_run()) > 0;) run_replays(workers_[w], n);
      });
  }
  ~StaticExecutor() {
    if (n_workers_ > 1) start(0);
    for (std::thread& thread : threads_) thread.join();
  }
  StaticExecutor(const StaticExecutor&) = delete;
  StaticExecutor& operator=(const StaticExecutor&) = delete;

  void run(std::uint64_t n_replays) {
    if (n_workers_ > 1) start(n_replays);
    run_replays(workers_[0], n_replays);
  }

 private:
  struct Task {
    void (*invoke)(void*) = nullptr;
    std::uint32_t left = 0;
    std::uint32_t n_predecessors = 0;
    std::uint32_t first_successor = 0;
    std::uint32_t n_own_successors = 0;  ///< the first of them, with the same owner
    std::uint32_t n_successors = 0;
  };
  /// What one worker sends another; large enough for all of a replay, so never full.
  struct Mailbox {
    std::vector<std::uint32_t> items;
    alignas(64) std::atomic<std::uint32_t> n_written{0};
    alignas(64) std::uint32_t n_read = 0;
  };
  struct alignas(64) Worker {
    std::vector<std::uint32_t> sources;
    std::vector<std::uint32_t> queue;
    std::uint32_t begin = 0, end = 0, mask = 0;  ///< of the queue, a ring
    std::uint32_t n_own = 0;
    std::uint32_t n_rounds = 0;  ///< barriers passed
    Mailbox mailbox;             ///< from the other one
    Mailbox* other = nullptr;
  };

  void add_tasks(const Stencil& s) {
    tasks_.resize(s.n_tasks());
    std::vector<std::vector<std::uint32_t>> own(s.n_tasks()), foreign(s.n_tasks());
    for (std::uint32_t t = 0; t < s.n_steps; ++t)
      for (std::uint32_t i = 0; i < s.width; ++i) {
        const std::uint32_t task = t * s.width + i;
        Worker& worker = workers_[s.owner(i)];
        tasks_[task].invoke = [](void*) {};
        ++worker.n_own;
        if (t > 0)
          s.for_each_dependency(i, [&](std::uint32_t p) {
            const bool is_own = s.owner(p) == s.owner(i);
            (is_own ? own : foreign)[(t - 1) * s.width + p].push_back(task);
            ++tasks_[task].n_predecessors;
          });
        tasks_[task].left = tasks_[task].n_predecessors;
        if (tasks_[task].left == 0) worker.sources.push_back(task);
      }
    for (std::uint32_t t = 0; t < s.n_tasks(); ++t) {
      tasks_[t].first_successor = static_cast<std::uint32_t>(successors_.size());
      tasks_[t].n_own_successors = static_cast<std::uint32_t>(own[t].size());
      tasks_[t].n_successors = static_cast<std::uint32_t>(own[t].size() + foreign[t].size());
      successors_.insert(successors_.end(), own[t].begin(), own[t].end());
      successors_.insert(successors_.end(), foreign[t].begin(), foreign[t].end());
    }
    for (std::uint32_t w = 0; w < n_workers_; ++w) {
      workers_[w].queue.resize(std::bit_ceil(s.n_tasks()));
      workers_[w].mask = static_cast<std::uint32_t>(workers_[w].queue.size() - 1);
      workers_[w].mailbox.items.resize(std::bit_ceil(successors_.size() + 1));
      workers_[w].other = &workers_[n_workers_ - 1 - w].mailbox;
    }
  }

  void run_replays(Worker& worker, std::uint64_t n_replays) {
    for (std::uint64_t r = 0; r < n_replays; ++r) {
      run_replay(worker);
      if (n_workers_ > 1) barrier(worker);
    }
  }

  void run_replay(Worker& worker) {
    for (const std::uint32_t source : worker.sources)
      worker.queue[worker.end++ & worker.mask] = source;
    std::uint32_t n_idle = 0;
    for (std::uint32_t n_done = 0; n_done < worker.n_own;) {
      if (n_workers_ > 1) receive(worker);
      if (worker.begin == worker.end) {
        relax(++n_idle);
        continue;
      }
      n_idle = 0;
      ++n_done;
      Task& task = tasks_[worker.queue[worker.begin++ & worker.mask]];
      task.left = task.n_predecessors;
      task.invoke(nullptr);
      const std::uint32_t* successor = successors_.data() + task.first_successor;
      for (std::uint32_t i = 0; i < task.n_own_successors; ++i) count_down(worker, successor[i]);
      if (task.n_own_successors == task.n_successors) continue;
      Mailbox& to = *worker.other;
      std::uint32_t n = to.n_written.load(std::memory_order_relaxed);
      for (std::uint32_t i = task.n_own_successors; i < task.n_successors; ++i)
        to.items[n++ & (to.items.size() - 1)] = successor[i];
      to.n_written.store(n, std::memory_order_release);
    }
  }

  void receive(Worker& worker) {
    Mailbox& from = worker.mailbox;
    const std::uint32_t n = from.n_written.load(std::memory_order_acquire);
    for (; from.n_read != n; ++from.n_read)
      count_down(worker, from.items[from.n_read & (from.items.size() - 1)]);
  }

  void count_down(Worker& worker, std::uint32_t task) {
    if (--tasks_[task].left == 0) worker.queue[worker.end++ & worker.mask] = task;
  }

  void barrier(Worker& worker) {
    const std::uint32_t all = ++worker.n_rounds * n_workers_;
    n_arrived_.fetch_add(1, std::memory_order_acq_rel);
    for (std::uint32_t n = 1;
         static_cast<std::int32_t>(n_arrived_.load(std::memory_order_acquire) - all) < 0; ++n)
      relax(n);
  }
  /// Stay on the core for some microseconds, then let others have it.
  static void relax(std::uint32_t n_rounds) {
    if (n_rounds % 1024 == 0) std::this_thread::yield();
  }

  void start(std::uint64_t n_replays) {
    n_wanted_.store(n_replays, std::memory_order_relaxed);
    run_.fetch_add(1, std::memory_order_release);
    run_.notify_all();
  }
  std::uint64_t wait_for_run() {
    thread_local std::uint32_t last = 0;
    run_.wait(last, std::memory_order_acquire);
    ++last;
    return n_wanted_.load(std::memory_order_relaxed);
  }

  std::uint32_t n_workers_;  ///< 1 or 2
  std::vector<Task> tasks_;
  std::vector<std::uint32_t> successors_;
  std::unique_ptr<Worker[]> workers_;
  alignas(64) std::atomic<std::uint32_t> n_arrived_{0};
  alignas(64) std::atomic<std::uint32_t> run_{0};
  std::atomic<std::uint64_t> n_wanted_{0};
  std::vector<std::thread> threads_;
};

}  // namespace thalweg::bench
