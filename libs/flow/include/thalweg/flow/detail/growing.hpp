// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

#include <thalweg/core/huge_pages.hpp>

namespace thalweg::flow::detail {

/// An array of plain values that grows by grow_in_huge_pages, and keeps its memory when cleared.
///
/// A vector that grows copies itself into memory never touched before; here the system moves what
/// is large, page by page, without a look at what is in it.
template <class T>
class GrowingArray {
  static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= alignof(std::max_align_t));

 public:
  GrowingArray() = default;
  ~GrowingArray() { free_memory(); }
  GrowingArray(GrowingArray&& other) noexcept { *this = std::move(other); }
  GrowingArray& operator=(GrowingArray&& other) noexcept {
    free_memory();
    values_ = std::exchange(other.values_, nullptr);
    size_ = std::exchange(other.size_, 0);
    capacity_ = std::exchange(other.capacity_, 0);
    return *this;
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T& operator[](std::size_t i) { return values_[i]; }
  const T& operator[](std::size_t i) const { return values_[i]; }
  T& back() { return values_[size_ - 1]; }
  const T& back() const { return values_[size_ - 1]; }
  T* begin() { return values_; }
  T* end() { return values_ + size_; }
  const T* begin() const { return values_; }
  const T* end() const { return values_ + size_; }
  std::span<const T> part(std::size_t first, std::size_t last) const {
    return {begin() + first, begin() + last};
  }

  /// @pre the value is not one of our own
  void push_back(const T& value) {
    if (size_ == capacity_) [[unlikely]]
      grow(size_ + 1);
    ::new (values_ + size_++) T(value);
  }
  /// @pre the values are not our own
  void append(std::span<const T> values) {
    if (values.size() > capacity_ - size_) [[unlikely]]
      grow(size_ + values.size());
    std::uninitialized_copy(values.begin(), values.end(), end());
    size_ += values.size();
  }
  void resize(std::size_t n, const T& fill) {
    if (n > capacity_) grow(n);
    if (n > size_) std::uninitialized_fill(end(), begin() + n, fill);
    size_ = n;
  }
  /// Make it so long; the values are whatever was there. For who fills them all in.
  void resize_for_overwrite(std::size_t n) {
    if (n > capacity_) grow(n);
    size_ = n;
  }
  void clear() { size_ = 0; }
  /// Of memory, also that which waits to be used again.
  std::size_t n_bytes() const { return capacity_ * sizeof(T); }

 private:
  void free_memory() { free_grown(values_, capacity_ * sizeof(T)); }
  [[gnu::noinline]] void grow(std::size_t n) {
    const std::size_t wanted = std::max({n, 2 * capacity_, std::size_t{16}});
    values_ =
        static_cast<T*>(grow_in_huge_pages(values_, capacity_ * sizeof(T), wanted * sizeof(T)));
    capacity_ = wanted;
  }

  T* values_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace thalweg::flow::detail
