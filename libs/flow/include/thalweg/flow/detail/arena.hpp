// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <thalweg/core/huge_pages.hpp>

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
    n_used_ = std::exchange(other.n_used_, 0);
    next_ = std::exchange(other.next_, nullptr);
    n_left_ = std::exchange(other.n_left_, 0);
    return *this;
  }
  /// Destroy the objects, keep the memory for others.
  void clear() {
    destroy();
    n_used_ = 0;
    next_ = nullptr;
    n_left_ = 0;
  }

  /// Move an object in; it stays where it is until the arena dies.
  template <class T>
  T* make(T object) {
    void* place = allocate(sizeof(T), alignof(T));
    T* made = ::new (place) T(std::move(object));
    if constexpr (!std::is_trivially_destructible_v<T>)
      doomed_.push_back({made, [](void* p) { static_cast<T*>(p)->~T(); }});
    return made;
  }
  /// Make n values of a plain type. @see make
  template <class T>
  std::span<T> make_array(std::size_t n) {
    static_assert(std::is_trivially_copyable_v<T>);
    T* first = static_cast<T*>(allocate(n * sizeof(T), alignof(T)));
    std::uninitialized_value_construct_n(first, n);
    return {first, n};
  }

  /// Of memory, also that which waits to be used again.
  std::size_t n_bytes() const {
    std::size_t n = doomed_.capacity() * sizeof(Doomed) + pieces_.capacity() * sizeof(Piece);
    for (const Piece& piece : pieces_) n += piece.n_bytes;
    return n;
  }

 private:
  struct Doomed {
    void* object;
    void (*destroy)(void*);
  };
  struct Piece {
    std::unique_ptr<std::byte[]> memory;
    std::size_t n_bytes = 0;
  };
  // Each piece is twice as large as the one before, so that most of what is large is in huge pages.
  static constexpr std::size_t first_piece_bytes = 64 * 1024;
  static constexpr std::size_t n_doublings = 6;

  void* allocate(std::size_t size, std::size_t alignment) {
    void* place = next_;
    if (std::align(alignment, size, place, n_left_) == nullptr) {
      place = next_piece(size + alignment);
      std::align(alignment, size, place, n_left_);
    }
    next_ = static_cast<std::byte*>(place) + size;
    n_left_ -= size;
    return place;
  }
  /// Go on in the next piece of memory; one too small from an earlier use is replaced.
  void* next_piece(std::size_t n_bytes) {
    if (n_used_ == pieces_.size()) pieces_.emplace_back();
    const std::size_t usual_bytes = first_piece_bytes << std::min(n_used_, n_doublings);
    Piece& piece = pieces_[n_used_++];
    if (piece.n_bytes < n_bytes) {
      const std::size_t enough = std::max(usual_bytes, n_bytes);
      piece.memory = std::make_unique_for_overwrite<std::byte[]>(enough);
      piece.n_bytes = enough;
      ask_for_huge_pages(piece.memory.get(), piece.n_bytes);
    }
    n_left_ = piece.n_bytes;
    return piece.memory.get();
  }
  void destroy() {
    for (auto it = doomed_.rbegin(); it != doomed_.rend(); ++it) it->destroy(it->object);
    doomed_.clear();
  }

  std::vector<Piece> pieces_;
  std::size_t n_used_ = 0;  ///< pieces; those after wait to be used again
  std::vector<Doomed> doomed_;
  void* next_ = nullptr;
  std::size_t n_left_ = 0;
};

}  // namespace thalweg::flow::detail
