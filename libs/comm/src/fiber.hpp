// SPDX-License-Identifier: MIT
#pragma once
#include <csetjmp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include <thalweg/core/subnormals_are_zero.hpp>

namespace thalweg::comm {

/// Memory for stacks, each with a page below it that nobody may touch.
///
/// Linux has room for some 65,530 mappings of a process. Of more than 16,384 stacks the page below
/// is not guarded, and `is_intact` says afterwards whether anybody wrote to its end.
class Stacks {
 public:
  Stacks(std::size_t n_stacks, std::size_t n_bytes);
  ~Stacks();
  Stacks(const Stacks&) = delete;
  Stacks& operator=(const Stacks&) = delete;

  std::span<std::byte> usable(std::size_t i) const {
    return mapped_.subspan(i * (page_ + size_) + page_, size_);
  }
  bool is_intact(std::size_t i) const;

 private:
  void unmap();

  std::size_t page_ = 0, size_ = 0;  ///< of a stack
  bool has_guards_ = true;
  std::span<std::byte> mapped_;
};

/// While it lives, ThreadSanitizer does not look at what this thread reads and writes.
class Unwatched {
 public:
  Unwatched();
  ~Unwatched();
  Unwatched(const Unwatched&) = delete;
  Unwatched& operator=(const Unwatched&) = delete;
};

/// A function that can stop in the middle and go on later, on a stack of its own.
///
/// Exceptions do not leave it: the body catches its own.
class Fiber {
 public:
  Fiber(std::span<std::byte> stack, std::function<void()> body);
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  /// Let the body run until it suspends or ends. @pre called from outside; !is_finished()
  void resume();
  /// Go back to where resume() was called. @pre called from the body
  void suspend();
  bool is_finished() const { return is_finished_; }

 private:
  /// What the C++ run-time keeps of exceptions being handled: one a stack, not one a thread.
  struct Exceptions {
    void* caught = nullptr;
    unsigned n_uncaught = 0;
  };
  void begin();
  static void enter(unsigned high, unsigned low);
  void swap_state();

  std::function<void()> body_;
  std::span<std::byte> stack_;
  std::jmp_buf inside_{};
  std::jmp_buf outside_{};
  Exceptions exceptions_;
  std::uint64_t arithmetic_ = SubnormalsAreZero::control();  ///< of who does not run now
  bool is_begun_ = false;
  bool is_finished_ = false;
  // For the sanitizers, which follow stacks.
  void* inside_fake_stack_ = nullptr;
  void* outside_fake_stack_ = nullptr;
  const void* outside_stack_ = nullptr;
  std::size_t outside_stack_size_ = 0;
  void* inside_tsan_ = nullptr;
  void* outside_tsan_ = nullptr;
};

}  // namespace thalweg::comm
