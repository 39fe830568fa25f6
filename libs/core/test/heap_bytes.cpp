// SPDX-License-Identifier: MIT
#include <thalweg/core/testing/heap_bytes.hpp>

#include <malloc.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace {

// Constant from the start: the loader asks for memory before anything is constructed.
constinit std::atomic<std::uint64_t> held{0};
constinit std::atomic<std::uint64_t> most{0};

void add(std::uint64_t n) {
  const std::uint64_t now = held.fetch_add(n, std::memory_order_relaxed) + n;
  std::uint64_t before = most.load(std::memory_order_relaxed);
  while (before < now && !most.compare_exchange_weak(before, now, std::memory_order_relaxed)) {
  }
}
void* note(void* place) {
  if (place != nullptr) add(malloc_usable_size(place));
  return place;
}
void forget(void* place) {
  if (place != nullptr) held.fetch_sub(malloc_usable_size(place), std::memory_order_relaxed);
}

// Memory that was asked of the system to write to, as huge_pages.cpp does.
struct Region {
  std::uintptr_t begin, end;
};
constinit std::array<Region, 1024> regions{};
constinit std::atomic_flag are_regions_taken = ATOMIC_FLAG_INIT;

/// Change the regions and what is held: none of them is cut in the middle.
template <class F>
void change_regions(F f) {
  while (are_regions_taken.test_and_set(std::memory_order_acquire)) {
  }
  f();
  are_regions_taken.clear(std::memory_order_release);
}
void forget_region(std::uintptr_t begin, std::uintptr_t end) {
  for (Region& r : regions) {
    const std::uintptr_t from = std::max(begin, r.begin), to = std::min(end, r.end);
    if (from >= to) continue;
    held.fetch_sub(to - from, std::memory_order_relaxed);
    (from == r.begin ? r.begin : r.end) = from == r.begin ? to : from;
  }
}
void note_region(std::uintptr_t begin, std::uintptr_t end) {
  forget_region(begin, end);
  for (Region& r : regions)
    if (r.begin >= r.end) {
      r = {begin, end};
      return add(end - begin);
    }
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
void* mmap(void* at, std::size_t n, int protection, int flags, int file, off_t offset) noexcept {
  const long result = syscall(SYS_mmap, at, n, protection, flags, file, offset);
  const auto begin = static_cast<std::uintptr_t>(result);
  constexpr int own = MAP_PRIVATE | MAP_ANONYMOUS;
  if (result != -1 && (protection & PROT_WRITE) != 0 && (flags & (own | MAP_NORESERVE)) == own)
    change_regions([&] { note_region(begin, begin + n); });
  return reinterpret_cast<void*>(result);
}
int munmap(void* place, std::size_t n) noexcept {
  const auto begin = reinterpret_cast<std::uintptr_t>(place);
  change_regions([&] { forget_region(begin, begin + n); });
  return static_cast<int>(syscall(SYS_munmap, place, n));
}
// To a place that is a region already.
void* mremap(void* from, std::size_t n, std::size_t n_then, int flags, ...) noexcept {
  std::va_list rest;
  va_start(rest, flags);
  void* to = va_arg(rest, void*);
  va_end(rest);
  const auto begin = reinterpret_cast<std::uintptr_t>(from);
  change_regions([&] { forget_region(begin, begin + n); });
  return reinterpret_cast<void*>(syscall(SYS_mremap, from, n, n_then, flags, to));
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
