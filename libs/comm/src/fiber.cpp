// SPDX-License-Identifier: MIT
// The C library's checked longjmp, which some systems have by default, knows of one stack and
// aborts on a jump to another. Before all headers, so this source is compiled for itself.
#undef _FORTIFY_SOURCE
#include "fiber.hpp"

#include <cxxabi.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
extern "C" {
void AnnotateIgnoreReadsBegin(const char* file, int line);
void AnnotateIgnoreReadsEnd(const char* file, int line);
void AnnotateIgnoreWritesBegin(const char* file, int line);
void AnnotateIgnoreWritesEnd(const char* file, int line);
}
#endif

#include <thalweg/core/error.hpp>

namespace thalweg::comm {

Stacks::Stacks(std::size_t n_stacks, std::size_t n_bytes)
    : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))),
      size_((n_bytes + page_ - 1) / page_ * page_),
      has_guards_(n_stacks <= 16384) {
  const std::size_t all = n_stacks * (page_ + size_);
  void* place = mmap(nullptr, all, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  bool done = place != MAP_FAILED;
  if (done) mapped_ = {static_cast<std::byte*>(place), all};
  for (std::size_t i = 0; done && has_guards_ && i < n_stacks; ++i)
    done = mprotect(mapped_.data() + i * (page_ + size_), page_, PROT_NONE) == 0;
  if (done) return;
  const int why = errno;
  unmap();
  throw Error("cannot map " + std::to_string(n_stacks) + " stacks of " + std::to_string(size_) +
              " bytes (" + std::strerror(why) + "); use smaller stacks or fewer ranks");
}

Stacks::~Stacks() {
  unmap();
}

void Stacks::unmap() {
  if (!mapped_.empty()) munmap(mapped_.data(), mapped_.size());
}

bool Stacks::is_intact(std::size_t i) const {
  if (has_guards_) return true;
  const auto end_of_page = mapped_.subspan(i * (page_ + size_) + page_ - 256, 256);
  return std::ranges::all_of(end_of_page, [](std::byte b) { return b == std::byte{0}; });
}

Unwatched::Unwatched() {
#if defined(__SANITIZE_THREAD__)
  AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
  AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
#endif
}
Unwatched::~Unwatched() {
#if defined(__SANITIZE_THREAD__)
  AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
  AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
#endif
}

Fiber::Fiber(std::span<std::byte> stack, std::function<void()> body)
    : body_(std::move(body)), stack_(stack) {
#if defined(__SANITIZE_THREAD__)
  inside_tsan_ = __tsan_create_fiber(0);
#endif
}

Fiber::~Fiber() {
#if defined(__SANITIZE_THREAD__)
  __tsan_destroy_fiber(inside_tsan_);
#endif
}

// A context leads to the new stack once; from then on jumps go back and forth. swapcontext would
// ask the system for the mask of signals each time, which took more than a third of a simulated
// run.
void Fiber::begin() {
  is_begun_ = true;
  ucontext_t stack;
  getcontext(&stack);
  stack.uc_stack.ss_sp = stack_.data();
  stack.uc_stack.ss_size = stack_.size();
  // makecontext passes ints: the pointer goes in two halves.
  const auto self = reinterpret_cast<std::uintptr_t>(this);
  makecontext(&stack, reinterpret_cast<void (*)()>(&Fiber::enter), 2,
              static_cast<unsigned>(self >> 32), static_cast<unsigned>(self));
  setcontext(&stack);
}

void Fiber::enter(unsigned high, unsigned low) {
  const auto self = (static_cast<std::uintptr_t>(high) << 32) | low;
  Fiber& fiber = *reinterpret_cast<Fiber*>(self);
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(nullptr, &fiber.outside_stack_, &fiber.outside_stack_size_);
#endif
  fiber.body_();
  fiber.is_finished_ = true;
  fiber.suspend();
}

// A jump is announced after setjmp: ThreadSanitizer keeps the places to jump to by fiber.
void Fiber::resume() {
  swap_state();
  if (_setjmp(outside_) == 0) {
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(&outside_fake_stack_, stack_.data(), stack_.size());
#endif
#if defined(__SANITIZE_THREAD__)
    outside_tsan_ = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(inside_tsan_, 0);
#endif
    if (!is_begun_) begin();
    _longjmp(inside_, 1);
  }
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(outside_fake_stack_, nullptr, nullptr);
#endif
  swap_state();
}

void Fiber::suspend() {
  if (_setjmp(inside_) == 0) {
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(is_finished_ ? nullptr : &inside_fake_stack_, outside_stack_,
                                   outside_stack_size_);
#endif
#if defined(__SANITIZE_THREAD__)
    __tsan_switch_to_fiber(outside_tsan_, 0);
#endif
    _longjmp(outside_, 1);
  }
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(inside_fake_stack_, &outside_stack_, &outside_stack_size_);
#endif
}

/// Exchange what the thread keeps, and jumps do not, between the body and who resumes it.
void Fiber::swap_state() {
  // The layout is fixed by the Itanium C++ ABI, sec. 2.2.2: a pointer and an unsigned int.
  Exceptions current;
  void* globals = abi::__cxa_get_globals();
  std::memcpy(&current, globals, sizeof current);
  std::memcpy(globals, &exceptions_, sizeof exceptions_);
  exceptions_ = current;
  const std::uint64_t arithmetic = SubnormalsAreZero::control();
  SubnormalsAreZero::set_control(arithmetic_);
  arithmetic_ = arithmetic;
}

}  // namespace thalweg::comm
