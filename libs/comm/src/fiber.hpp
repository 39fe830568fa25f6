// SPDX-License-Identifier: MIT
#pragma once
#include <csetjmp>
#include <cstddef>
#include <functional>
#include <span>

namespace thalweg::comm {

/// Memory for a stack, with a page below that nobody may touch.
class Stack {
 public:
  explicit Stack(std::size_t n_bytes);
  ~Stack();
  Stack(const Stack&) = delete;
  Stack& operator=(const Stack&) = delete;

  std::span<std::byte> usable() const { return usable_; }

 private:
  std::span<std::byte> mapped_;
  std::span<std::byte> usable_;
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
  Fiber(const Stack& stack, std::function<void()> body);
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
  void swap_exceptions();

  std::function<void()> body_;
  std::span<std::byte> stack_;
  std::jmp_buf inside_{};
  std::jmp_buf outside_{};
  Exceptions exceptions_;
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
