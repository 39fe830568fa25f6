// SPDX-License-Identifier: MIT
#include <thalweg/core/huge_pages.hpp>

#include <malloc.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <system_error>

namespace thalweg {
namespace {

constexpr std::size_t huge_page_bytes = std::size_t{2} << 20;  // of x86-64
constexpr std::align_val_t cache_line{64};

constexpr std::size_t whole_pages(std::size_t bytes) {
  return (bytes + huge_page_bytes - 1) / huge_page_bytes * huge_page_bytes;
}

/// Say that the system did not give memory, and why.
[[noreturn]] void refuse(std::size_t bytes, int why) {
  if (why == ENOMEM) throw std::bad_alloc();
  throw std::system_error(why, std::generic_category(), std::to_string(bytes) + " bytes of memory");
}

/// Whole huge pages of address space, with nothing in them yet.
std::byte* map_pages(std::size_t bytes) {
  void* mapped = mmap(nullptr, bytes + huge_page_bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) refuse(bytes, errno);
  auto* memory = static_cast<std::byte*>(mapped);
  // What lies before the first whole page goes, and what is left after the last.
  const std::size_t before =
      (huge_page_bytes - reinterpret_cast<std::uintptr_t>(mapped) % huge_page_bytes) %
      huge_page_bytes;
  if (before > 0) munmap(memory, before);
  if (before < huge_page_bytes) munmap(memory + before + bytes, huge_page_bytes - before);
  ask_for_huge_pages(memory + before, bytes);
  return memory + before;
}

}  // namespace

void* allocate_in_huge_pages(std::size_t bytes) {
  if (bytes < huge_page_bytes) return ::operator new(bytes, cache_line);
  return map_pages(whole_pages(bytes));
}

void free_from_huge_pages(void* memory, std::size_t bytes) noexcept {
  if (bytes < huge_page_bytes)
    ::operator delete(memory, cache_line);
  else
    munmap(memory, whole_pages(bytes));
}

void* grow_in_huge_pages(void* memory, std::size_t old_bytes, std::size_t new_bytes) {
  if (new_bytes < huge_page_bytes) {
    void* larger = std::realloc(memory, new_bytes);
    if (larger == nullptr) throw std::bad_alloc();
    return larger;
  }
  std::byte* larger = map_pages(whole_pages(new_bytes));
  if (memory == nullptr) return larger;
  if (old_bytes < huge_page_bytes) {
    std::memcpy(larger, memory, old_bytes);
    std::free(memory);
    return larger;
  }
  // Moved and grown at once it stays one mapping, of which Linux before 6.17 moves no more.
  if (mremap(memory, whole_pages(old_bytes), whole_pages(new_bytes), MREMAP_MAYMOVE | MREMAP_FIXED,
             larger) == MAP_FAILED) {
    const int why = errno;
    munmap(larger, whole_pages(new_bytes));
    refuse(new_bytes, why);
  }
  return larger;
}

void keep_freed_memory() noexcept {
  mallopt(M_MMAP_THRESHOLD, 2 << 20);
  mallopt(M_TRIM_THRESHOLD, 64 << 20);
}

void free_grown(void* memory, std::size_t bytes) noexcept {
  if (bytes < huge_page_bytes)
    std::free(memory);
  else
    munmap(memory, whole_pages(bytes));
}

void ask_for_huge_pages(void* memory, std::size_t bytes) noexcept {
  constexpr std::size_t page_bytes = 4096;
  void* begin = memory;
  // A hint: without huge pages all works the same.
  if (bytes >= huge_page_bytes && std::align(page_bytes, huge_page_bytes, begin, bytes) != nullptr)
    madvise(begin, bytes / page_bytes * page_bytes, MADV_HUGEPAGE);
}

}  // namespace thalweg
