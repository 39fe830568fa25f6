// SPDX-License-Identifier: MIT
#include <thalweg/core/addresses.hpp>

#include <sys/mman.h>

#include <algorithm>
#include <new>
#include <utility>

namespace thalweg {

std::shared_ptr<std::byte> reserve_addresses(std::size_t bytes) {
  void* mapped =
      mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  return {static_cast<std::byte*>(mapped), [bytes](std::byte* first) { munmap(first, bytes); }};
}

std::byte* Addresses::take_bytes(std::size_t n) {
  constexpr std::size_t slab_bytes = std::size_t{1} << 30, cache_line_bytes = 64;
  const std::size_t n_whole = (n + cache_line_bytes - 1) / cache_line_bytes * cache_line_bytes;
  if (n_taken_ + n_whole > n_bytes_) {
    n_bytes_ = std::max(slab_bytes, n_whole);
    slab_ = reserve_addresses(n_bytes_);
    n_taken_ = 0;
  }
  return slab_.get() + std::exchange(n_taken_, n_taken_ + n_whole);
}

}  // namespace thalweg
