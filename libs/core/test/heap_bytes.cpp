// SPDX-License-Identifier: MIT
#include <thalweg/core/testing/heap_bytes.hpp>

#include <malloc.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>

namespace {

// Constant from the start: the loader asks for memory before anything is constructed.
constinit std::atomic<std::uint64_t> held{0};
constinit std::atomic<std::uint64_t> most{0};

void* note(void* place) {
  if (place == nullptr) return place;
  const std::uint64_t n = malloc_usable_size(place);
  const std::uint64_t now = held.fetch_add(n, std::memory_order_relaxed) + n;
  std::uint64_t before = most.load(std::memory_order_relaxed);
  while (before < now && !most.compare_exchange_weak(before, now, std::memory_order_relaxed)) {
  }
  return place;
}
void forget(void* place) {
  if (place != nullptr) held.fetch_sub(malloc_usable_size(place), std::memory_order_relaxed);
}

}  // namespace

// The names by which glibc's own functions are known to those who replace them.
extern "C" {
void* __libc_malloc(std::size_t n);
void* __libc_calloc(std::size_t n, std::size_t size);
void* __libc_realloc(void* place, std::size_t n);
void* __libc_memalign(std::size_t alignment, std::size_t n);
void __libc_free(void* place);

void* malloc(std::size_t n) noexcept {
  return note(__libc_malloc(n));
}
void* calloc(std::size_t n, std::size_t size) noexcept {
  return note(__libc_calloc(n, size));
}
// What is large and grows is moved by its pages: it is never there twice.
void* realloc(void* place, std::size_t n) noexcept {
  forget(place);
  return note(__libc_realloc(place, n));
}
void* memalign(std::size_t alignment, std::size_t n) noexcept {
  return note(__libc_memalign(alignment, n));
}
void* aligned_alloc(std::size_t alignment, std::size_t n) noexcept {
  return memalign(alignment, n);
}
int posix_memalign(void** place, std::size_t alignment, std::size_t n) noexcept {
  *place = memalign(alignment, n);
  return *place == nullptr ? ENOMEM : 0;
}
void free(void* place) noexcept {
  forget(place);
  __libc_free(place);
}
}

namespace thalweg::testing {

std::uint64_t heap_bytes() {
  return held;
}
std::uint64_t most_heap_bytes() {
  return most;
}
void restart_most_heap_bytes() {
  most = held.load();
}

}  // namespace thalweg::testing
