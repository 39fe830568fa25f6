// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

namespace thalweg::flow::detail {

/// An array of plain values that grows by std::realloc, and keeps its memory when cleared.
///
/// A vector that grows copies itself into memory never touched before; a large allocation that is
/// reallocated is moved by the system, page by page, without a look at what is in it.
template <class T>
class GrowingArray {
  static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= alignof(std::max_align_t));

 public:
  GrowingArray() = default;
  GrowingArray(GrowingArray&& other) noexcept { *this = std::move(other); }
  GrowingArray& operator=(GrowingArray&& other) noexcept {
    values_ = std::move(other.values_);
    size_ = std::exchange(other.size_, 0);
    capacity_ = std::exchange(other.capacity_, 0);
    return *this;
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T& operator[](std::size_t i) { return values_.get()[i]; }
  const T& operator[](std::size_t i) const { return values_.get()[i]; }
  T& back() { return values_.get()[size_ - 1]; }
  const T& back() const { return values_.get()[size_ - 1]; }
  T* begin() { return values_.get(); }
  T* end() { return values_.get() + size_; }
  const T* begin() const { return values_.get(); }
  const T* end() const { return values_.get() + size_; }
  std::span<const T> part(std::size_t first, std::size_t last) const {
    return {begin() + first, begin() + last};
  }

  /// @pre the value is not one of our own
  void push_back(const T& value) {
    if (size_ == capacity_) [[unlikely]]
      grow(size_ + 1);
    ::new (values_.get() + size_++) T(value);
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
  struct Free {
    void operator()(T* values) const { std::free(values); }
  };

  [[gnu::noinline]] void grow(std::size_t n) {
    const std::size_t wanted = std::max({n, 2 * capacity_, std::size_t{16}});
    void* moved = std::realloc(values_.get(), wanted * sizeof(T));
    if (moved == nullptr) throw std::bad_alloc();
    (void)values_.release();
    values_.reset(static_cast<T*>(moved));
    capacity_ = wanted;
  }

  std::unique_ptr<T, Free> values_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace thalweg::flow::detail
