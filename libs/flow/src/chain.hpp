// SPDX-License-Identifier: MIT
#pragma once
#include <ucontext.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <string>
#include <vector>

#include <thalweg/flow/task.hpp>

namespace thalweg::flow {

/// What runs on a chain next.
struct ChainCall {
  std::string name{};                 ///< for ThreadSanitizer's reports
  std::uintptr_t mark = 0;            ///< new_mark(): found in reports at the root of the stack
  std::vector<void*> comes_after{};   ///< what is acquired before
  std::vector<void*> comes_before{};  ///< what is released afterwards
  void (*invoke)(void* body, TaskContext&) = nullptr;  ///< null: nothing
  void* body = nullptr;
  TaskContext* context = nullptr;      ///< of the executor, where something is invoked
  std::span<const std::byte> reads{};  ///< as a message does
  std::span<std::byte> writes{};
};

/// A fiber of ThreadSanitizer with a stack of its own, on which one thing runs after another.
///
/// To the sanitizer, what runs here comes after nothing but what ran here before and what it is
/// told that it comes after: mutexes and atomics are not looked at.
/// @threads one, the same always @pre tsan::is_there()
class Chain {
 public:
  Chain();
  ~Chain();
  Chain(const Chain&) = delete;
  Chain& operator=(const Chain&) = delete;

  /// Run to the end, or to where a coroutine first waits. What the body throws comes out here; what
  /// it asks for (to stop, to be held) is handed to the executor's context.
  void run(ChainCall call);
  /// How many things have run here.
  std::uint32_t length() const { return length_; }

 private:
  static void enter(unsigned high, unsigned low);
  void play();
  void play_body();
  void borrow_context();
  void return_context();

  std::span<std::byte> stack_;
  ucontext_t inside_{};
  ucontext_t outside_{};
  void* fiber_;
  void* host_ = nullptr;
  ChainCall call_;
  TaskContext context_{0, 0, {}, false};  ///< what bodies here see
  detail::PendingRequests pending_;
  std::vector<std::byte> scratch_;
  std::exception_ptr thrown_;
  std::uint32_t length_ = 0;
};

}  // namespace thalweg::flow
