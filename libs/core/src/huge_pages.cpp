// SPDX-License-Identifier: MIT
#include <thalweg/core/huge_pages.hpp>

#include <sys/mman.h>

#include <new>

namespace thalweg {
namespace {

constexpr std::size_t huge_page_bytes = std::size_t{2} << 20;  // of x86-64

}  // namespace

void* allocate_in_huge_pages(std::size_t bytes) {
  if (bytes < huge_page_bytes) return ::operator new(bytes);
  void* memory = ::operator new(bytes, std::align_val_t{huge_page_bytes});
  madvise(memory, bytes, MADV_HUGEPAGE);  // a hint: without huge pages all works the same
  return memory;
}

void free_from_huge_pages(void* memory, std::size_t bytes) noexcept {
  if (bytes < huge_page_bytes)
    ::operator delete(memory);
  else
    ::operator delete(memory, std::align_val_t{huge_page_bytes});
}

}  // namespace thalweg
