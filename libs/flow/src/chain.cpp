// SPDX-License-Identifier: MIT
#include "chain.hpp"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <utility>

#include <thalweg/core/error.hpp>

#include "tsan.hpp"

namespace thalweg::flow {

Chain::Chain() : fiber_(__tsan_create_fiber(0)) {
  constexpr std::size_t n_bytes = 1024 * 1024;
  void* place = mmap(nullptr, n_bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (place == MAP_FAILED)
    throw Error("cannot map a stack of " + std::to_string(n_bytes) + " bytes (" +
                std::strerror(errno) + "); check a smaller program");
  stack_ = {static_cast<std::byte*>(place), n_bytes};
  getcontext(&inside_);
  inside_.uc_stack.ss_sp = stack_.data();
  inside_.uc_stack.ss_size = stack_.size();
  // makecontext passes ints: the pointer goes in two halves.
  const auto self = reinterpret_cast<std::uintptr_t>(this);
  makecontext(&inside_, reinterpret_cast<void (*)()>(&Chain::enter), 2,
              static_cast<unsigned>(self >> 32), static_cast<unsigned>(self));
}

Chain::~Chain() {
  __tsan_destroy_fiber(fiber_);
  munmap(stack_.data(), stack_.size());
}

void Chain::run(ChainCall call) {
  call_ = std::move(call);
  if (call_.invoke != nullptr) borrow_context();
  host_ = __tsan_get_current_fiber();
  __tsan_set_fiber_name(fiber_, call_.name.c_str());
  __tsan_switch_to_fiber(fiber_, tsan::no_sync);
  swapcontext(&outside_, &inside_);
  ++length_;
  if (call_.invoke != nullptr) return_context();
  if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
}

void Chain::borrow_context() {
  context_ = *call_.context;
  pending_.transport = std::unique_lock(*context_.pending_->transport.mutex(), std::defer_lock);
  pending_.claim = context_.pending_->claim;
  context_.pending_ = &pending_;
  const std::size_t n_bytes = context_.scratch_.size();
  std::size_t space = n_bytes + 64;
  scratch_.resize(space);
  void* place = scratch_.data();
  std::align(64, n_bytes, place, space);
  context_.scratch_ = {static_cast<std::byte*>(place), n_bytes};
}

void Chain::return_context() {
  call_.context->stops_ = context_.stops_;
  detail::PendingRequests& lender = *call_.context->pending_;
  lender.any = std::exchange(pending_.any, false);
  lender.bound.insert(lender.bound.end(), pending_.bound.begin(), pending_.bound.end());
  pending_.bound.clear();
  lender.suspended = std::exchange(pending_.suspended, nullptr);
}

// What runs on the chain's stack is the chain's to the sanitizer, and may touch nothing that other
// chains touch but what a body does: all it needs lies in the chain.
[[gnu::no_sanitize_thread]] void Chain::enter(unsigned high, unsigned low) {
  const auto self = (static_cast<std::uintptr_t>(high) << 32) | low;
  Chain& chain = *reinterpret_cast<Chain*>(self);
  while (true) {
    chain.play();
    __tsan_switch_to_fiber(chain.host_, tsan::no_sync);
    swapcontext(&chain.inside_, &chain.outside_);
  }
}

[[gnu::no_sanitize_thread]] void Chain::play() {
  for (void* before : call_.comes_after) __tsan_acquire(before);
  AnnotateIgnoreSyncBegin(__FILE__, __LINE__);
  __tsan_func_entry(reinterpret_cast<void*>(call_.mark));
  play_body();
  __tsan_func_exit(nullptr);
  AnnotateIgnoreSyncEnd(__FILE__, __LINE__);
  for (void* after : call_.comes_before) __tsan_release(after);
}

void Chain::play_body() {
  if (!call_.reads.empty())
    __tsan_read_range(const_cast<std::byte*>(call_.reads.data()),
                      static_cast<long>(call_.reads.size()));
  if (!call_.writes.empty())
    __tsan_write_range(call_.writes.data(), static_cast<long>(call_.writes.size()));
  if (call_.invoke == nullptr) return;
  try {
    call_.invoke(call_.body, context_);
  } catch (...) {
    thrown_ = std::current_exception();
  }
}

}  // namespace thalweg::flow
