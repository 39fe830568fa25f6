// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace thalweg::flow::detail {

/// Objects of any type one after another in large pieces of memory, destroyed together.
class Arena {
 public:
  Arena() = default;
  ~Arena() { destroy(); }
  Arena(Arena&& other) noexcept { *this = std::move(other); }
  Arena& operator=(Arena&& other) noexcept {
    destroy();
    pieces_ = std::exchange(other.pieces_, {});
    doomed_ = std::exchange(other.doomed_, {});
    next_ = std::exchange(other.next_, nullptr);
    n_left_ = std::exchange(other.n_left_, 0);
    return *this;
  }

  /// Move an object in; it stays where it is until the arena dies.
  template <class T>
  T* make(T object) {
    static_assert(alignof(T) <= alignof(std::max_align_t));
    void* place = allocate(sizeof(T), alignof(T));
    T* made = ::new (place) T(std::move(object));
    if constexpr (!std::is_trivially_destructible_v<T>)
      doomed_.push_back({made, [](void* p) { static_cast<T*>(p)->~T(); }});
    return made;
  }

 private:
  struct Doomed {
    void* object;
    void (*destroy)(void*);
  };
  static constexpr std::size_t piece_bytes = 64 * 1024;

  void* allocate(std::size_t size, std::size_t alignment) {
    void* place = next_;
    if (std::align(alignment, size, place, n_left_) == nullptr) {
      n_left_ = std::max(piece_bytes, size + alignment);
      pieces_.push_back(std::make_unique<std::byte[]>(n_left_));
      place = pieces_.back().get();
    }
    next_ = static_cast<std::byte*>(place) + size;
    n_left_ -= size;
    return place;
  }
  void destroy() {
    for (auto it = doomed_.rbegin(); it != doomed_.rend(); ++it) it->destroy(it->object);
    doomed_.clear();
  }

  std::vector<std::unique_ptr<std::byte[]>> pieces_;
  std::vector<Doomed> doomed_;
  void* next_ = nullptr;
  std::size_t n_left_ = 0;
};

}  // namespace thalweg::flow::detail
