// SPDX-License-Identifier: MIT
#pragma once
// What a lock-free structure is made of in a model: Relacy's atomics, mutexes and memory, behind
// the interfaces of the standard library's, and with memory orders that a test can weaken.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <iostream>
#include <memory>
#include <mutex>
#include <new>
#include <source_location>

#include "weakening.hpp"

#include <relacy/relacy.hpp>

// Relacy comes last, and means these for code that is rewritten for it; ours keeps the standard's.
#undef memory_order_relaxed
#undef memory_order_consume
#undef memory_order_acquire
#undef memory_order_release
#undef memory_order_acq_rel
#undef memory_order_seq_cst
#undef new
#undef delete
#undef malloc
#undef calloc
#undef realloc
#undef free
#undef assert
#undef errno
#undef $

namespace thalweg::testing {

using Where = std::source_location;

inline rl::debug_info info(const Where& where) {
  return {where.function_name(), where.file_name(), where.line()};
}

inline rl::memory_order relacy_order(std::memory_order order) {
  switch (order) {
    case std::memory_order_relaxed:
      return rl::mo_relaxed;
    case std::memory_order_consume:
      return rl::mo_consume;
    case std::memory_order_acquire:
      return rl::mo_acquire;
    case std::memory_order_release:
      return rl::mo_release;
    case std::memory_order_acq_rel:
      return rl::mo_acq_rel;
    case std::memory_order_seq_cst:
      return rl::mo_seq_cst;
  }
  return rl::mo_seq_cst;
}

/// std::atomic in a model.
template <class T>
class ModelAtomic {
 public:
  ModelAtomic() : ModelAtomic(T{}) {}
  ModelAtomic(T value, Where where = Where::current()) {
    value_.store(value, rl::mo_relaxed, info(where));
  }

  T load(std::memory_order order, Where where = Where::current()) const {
    return play_load(weakened(Operation::load, order, where), where);
  }
  void store(T value, std::memory_order order, Where where = Where::current()) {
    value_.store(value, weakened(Operation::store, order, where), info(where));
  }
  T exchange(T value, std::memory_order order, Where where = Where::current()) {
    return value_.exchange(value, weakened(Operation::change, order, where), info(where));
  }
  T fetch_add(T value, std::memory_order order, Where where = Where::current()) {
    return value_.fetch_add(value, weakened(Operation::change, order, where), info(where));
  }
  T fetch_sub(T value, std::memory_order order, Where where = Where::current()) {
    return value_.fetch_sub(value, weakened(Operation::change, order, where), info(where));
  }
  bool compare_exchange_strong(T& expected, T desired, std::memory_order success,
                               std::memory_order failure, Where where = Where::current()) {
    return value_.compare_exchange_strong(expected, desired,
                                          weakened(Operation::change, success, where), info(where),
                                          weakened(Operation::load, failure, where), info(where));
  }
  bool compare_exchange_weak(T& expected, T desired, std::memory_order success,
                             std::memory_order failure, Where where = Where::current()) {
    return value_.compare_exchange_weak(expected, desired,
                                        weakened(Operation::change, success, where), info(where),
                                        weakened(Operation::load, failure, where), info(where));
  }

 protected:
  static rl::memory_order weakened(Operation operation, std::memory_order order,
                                   const Where& where) {
    return relacy_order(Weakening::current->order(operation, order, where));
  }
  T play_load(rl::memory_order order, const Where& where) const {
    return value_.load(order, info(where));
  }

 private:
  rl::atomic<T> value_;
};

/// Memory that is not atomic: a read or write that races with another one ends the simulation.
template <class T>
class ModelVar {
 public:
  operator T() const { return value_(info(Where::current())); }
  ModelVar& operator=(T value) {
    value_(info(Where::current())) = value;
    return *this;
  }

 private:
  rl::var<T> value_;
};

/// std::mutex in a model.
class ModelMutex {
 public:
  void lock() { mutex_.lock(info(Where::current())); }
  void unlock() { mutex_.unlock(info(Where::current())); }

 private:
  rl::mutex mutex_;
};

/// A condition whose time limit is never reached: whoever misses a notice sleeps for ever.
class ModelCondition {
 public:
  template <class Lock>
  std::cv_status wait_for(Lock& lock, std::chrono::nanoseconds) {
    Relock relock{lock};
    condition_.wait(relock, info(Where::current()));
    return std::cv_status::no_timeout;
  }
  void notify_one() { condition_.notify_one(info(Where::current())); }

 private:
  /// What Relacy asks of a lock.
  template <class Lock>
  struct Relock {
    Lock& inner;
    void lock(rl::debug_info_param) { inner.lock(); }
    void unlock(rl::debug_info_param) { inner.unlock(); }
  };

  rl::condition_variable_any condition_;
};

/// For detail::BasicParker.
struct ModelSync {
  using Mutex = ModelMutex;
  using Condition = ModelCondition;
  using Flag = ModelAtomic<bool>;
};

/// An object aligned as it wants: Relacy puts its suites anywhere.
template <class T>
class Aligned {
 public:
  template <class... A>
  explicit Aligned(A&&... arguments) : object_(::new(place()) T(std::forward<A>(arguments)...)) {}
  ~Aligned() { object_->~T(); }
  Aligned(const Aligned&) = delete;
  Aligned& operator=(const Aligned&) = delete;
  T* operator->() { return object_; }
  const T* operator->() const { return object_; }
  T& operator*() { return *object_; }

 private:
  void* place() {
    void* at = storage_;
    std::size_t space = sizeof storage_;
    return std::align(alignof(T), sizeof(T), at, space);
  }

  std::byte storage_[sizeof(T) + alignof(T)];
  T* object_;
};

}  // namespace thalweg::testing
