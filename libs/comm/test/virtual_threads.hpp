// SPDX-License-Identifier: MIT
#pragma once
// Threads whose operations a seed interleaves, for models of what the executor does between
// threads.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <vector>

#include <thalweg/core/random.hpp>

#include "../src/fiber.hpp"

namespace thalweg::comm {

/// Runs functions as if each had a thread, one operation of one of them at a time.
///
/// Operations are sequentially consistent, and everything in between belongs to the one before.
class VirtualThreads {
 public:
  explicit VirtualThreads(std::uint64_t seed) : random_(seed) { current = this; }
  ~VirtualThreads() { current = nullptr; }
  VirtualThreads(const VirtualThreads&) = delete;
  VirtualThreads& operator=(const VirtualThreads&) = delete;

  /// Run all to their end. @return how often nobody could go on before a wait timed out
  int run(const std::vector<std::function<void()>>& bodies) {
    for (const auto& body : bodies) threads_.emplace_back(body);
    int n_timeouts = 0;
    while (true) {
      std::vector<Thread*> able, waiting;
      for (Thread& t : threads_) {
        if (t.fiber.is_finished()) continue;
        (t.can_go_on() ? able : waiting).push_back(&t);
      }
      if (able.empty() && waiting.empty()) return n_timeouts;
      if (able.empty()) {
        ++n_timeouts;
        for (Thread* t : waiting) t->is_timed_out = t->may_time_out;
        continue;
      }
      running_ = able[random_.below(able.size())];
      running_->fiber.resume();
    }
  }
  /// Let others go first, as the seed has it.
  void step() { running_->fiber.suspend(); }
  /// Wait until a condition holds, or for a time that is never over while anybody can go on.
  void wait(std::function<bool()> condition, bool may_time_out) {
    Thread& self = *running_;
    self.may_time_out = may_time_out;
    self.is_timed_out = false;
    self.can_go_on = [&self, condition] { return self.is_timed_out || condition(); };
    self.fiber.suspend();
    self.can_go_on = [] { return true; };
  }

  static inline VirtualThreads* current = nullptr;  ///< all that runs is inside of it

 private:
  struct Thread {
    explicit Thread(std::function<void()> body) : fiber(stack.usable(0), std::move(body)) {}
    Stacks stack{1, 64 * 1024};
    Fiber fiber;
    std::function<bool()> can_go_on = [] { return true; };
    bool may_time_out = false;
    bool is_timed_out = false;
  };

  SplitMix64 random_;
  std::deque<Thread> threads_;  // a deque: threads do not move
  Thread* running_ = nullptr;
};

template <class T>
class VirtualAtomic {
 public:
  VirtualAtomic(T value = {}) : value_(value) {}
  T load(std::memory_order) const {
    VirtualThreads::current->step();
    return value_;
  }
  void store(T value, std::memory_order) {
    VirtualThreads::current->step();
    value_ = value;
  }

 private:
  T value_;
};

class VirtualMutex {
 public:
  void lock() {
    VirtualThreads::current->step();
    VirtualThreads::current->wait([this] { return !is_held_; }, false);
    is_held_ = true;
  }
  void unlock() { is_held_ = false; }

 private:
  bool is_held_ = false;
};

class VirtualCondition {
 public:
  template <class Time>
  std::cv_status wait_for(std::unique_lock<VirtualMutex>& lock, Time) {
    VirtualThreads::current->step();
    const int n_seen = n_notices_;  // from here on notices count: unlocking and waiting is one step
    lock.unlock();
    VirtualThreads::current->wait([this, n_seen] { return n_notices_ != n_seen; }, true);
    lock.lock();
    return std::cv_status::no_timeout;
  }
  void notify_one() {
    VirtualThreads::current->step();
    ++n_notices_;
  }

 private:
  int n_notices_ = 0;
};

/// For detail::BasicParker.
struct VirtualSync {
  using Mutex = VirtualMutex;
  using Condition = VirtualCondition;
  using Flag = VirtualAtomic<bool>;
};

}  // namespace thalweg::comm
