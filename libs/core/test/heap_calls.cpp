// SPDX-License-Identifier: MIT
#include <thalweg/core/testing/heap_calls.hpp>

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::uint64_t> n_calls{0};
std::atomic<std::uint64_t> failing_call{0};  // numbered from 1

}  // namespace

// Not inlined: GCC would see free() of something that it knows came from operator new.
[[gnu::noinline]] void* operator new(std::size_t n) {
  if (n_calls.fetch_add(1, std::memory_order_relaxed) + 1 == failing_call) throw std::bad_alloc();
  if (void* place = std::malloc(n)) return place;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* place) noexcept {
  std::free(place);
}
[[gnu::noinline]] void operator delete(void* place, std::size_t) noexcept {
  std::free(place);
}

namespace thalweg::testing {

std::uint64_t n_heap_calls() {
  return n_calls;
}

void fail_heap_call(std::uint64_t n) {
  failing_call = n_calls + n;
}

}  // namespace thalweg::testing
