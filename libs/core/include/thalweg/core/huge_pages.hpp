// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <vector>

namespace thalweg {

/// Allocate memory that is to lie in huge pages, where it is as large as one and the system has
/// them: a processor remembers the places of few pages, and looks others up, slowly on virtual
/// machines. @return memory for any type  @errors std::bad_alloc  @threads any
void* allocate_in_huge_pages(std::size_t bytes);
/// Give it back. @param bytes  as they were asked for
void free_from_huge_pages(void* memory, std::size_t bytes) noexcept;

/// An allocator of such memory.
template <class T>
struct HugePageAllocator {
  using value_type = T;

  HugePageAllocator() = default;
  template <class U>
  HugePageAllocator(const HugePageAllocator<U>&) {}

  T* allocate(std::size_t n) { return static_cast<T*>(allocate_in_huge_pages(n * sizeof(T))); }
  void deallocate(T* memory, std::size_t n) { free_from_huge_pages(memory, n * sizeof(T)); }

  bool operator==(const HugePageAllocator&) const = default;
};

/// A large array that is gone through from end to end, again and again.
template <class T>
using LargeVector = std::vector<T, HugePageAllocator<T>>;

}  // namespace thalweg
