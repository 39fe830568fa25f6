// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <vector>

namespace thalweg {

/// Allocate memory that is to lie in huge pages, where it is as large as one and the system has
/// them: a processor remembers the places of few pages, and looks others up, slowly on virtual
/// machines. @return memory that begins where a cache line does  @errors std::bad_alloc; a
/// std::system_error where the system refuses for another reason  @threads any
void* allocate_in_huge_pages(std::size_t bytes);
/// Give it back. @param bytes  as they were asked for
void free_from_huge_pages(void* memory, std::size_t bytes) noexcept;

/// Do what std::realloc does; huge pages are moved, and nobody looks at what is in them.
/// @param memory  that came from here, or null   @pre new_bytes >= old_bytes
/// @errors as of allocate_in_huge_pages; the memory stays as it was
void* grow_in_huge_pages(void* memory, std::size_t old_bytes, std::size_t new_bytes);
/// Give that back. @param bytes  that it has now
void free_grown(void* memory, std::size_t bytes) noexcept;

/// Let what is not used yet of some memory lie in huge pages, as far as whole ones fit in.
/// @threads any
void ask_for_huge_pages(void* memory, std::size_t bytes) noexcept;

/// Let the heap keep what is freed, up to 64 MiB, and have what is smaller than 2 MiB in it: a
/// mesh or a graph that is made again finds its memory, where the system would have to clear new
/// pages. For programs, before they allocate much.
void keep_freed_memory() noexcept;

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
