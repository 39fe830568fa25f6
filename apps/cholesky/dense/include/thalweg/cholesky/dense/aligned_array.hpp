// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <memory>
#include <new>

namespace thalweg::cholesky {

/// Zeros, whose first begins a cache line.
template <class T>
class AlignedArray {
 public:
  static constexpr std::size_t alignment = 64;

  explicit AlignedArray(std::size_t n)
      : values_(new(std::align_val_t(alignment)) T[n]()), size_(n) {}

  T* data() { return values_.get(); }
  const T* data() const { return values_.get(); }
  std::size_t size() const { return size_; }

  /// So many elements that what follows them begins a cache line, too.
  static constexpr std::size_t padded(std::size_t n) {
    constexpr std::size_t line = alignment / sizeof(T);
    return (n + line - 1) / line * line;
  }

 private:
  struct Delete {
    void operator()(T* values) const { ::operator delete[](values, std::align_val_t(alignment)); }
  };

  std::unique_ptr<T[], Delete> values_;
  std::size_t size_;
};

}  // namespace thalweg::cholesky
