// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include <thalweg/core/view.hpp>

namespace thalweg::numerics {

/// Hands out pieces of a span of bytes, one after another, each at a multiple of 64 bytes.
///
/// With no span it only counts, so that the code that takes the pieces also tells how much it
/// needs.
class Scratch {
 public:
  static constexpr std::size_t alignment = 64;

  /// A scratch that only counts.
  Scratch() = default;
  explicit Scratch(std::span<std::byte> bytes)
      : next_(reinterpret_cast<std::uintptr_t>(bytes.data())), end_(next_ + bytes.size()) {}

  /// Take room for n doubles; their values are whatever lay there.
  double* take(std::size_t n) {
    next_ = (next_ + alignment - 1) / alignment * alignment;
    double* const piece = reinterpret_cast<double*>(next_);
    next_ += n * sizeof(double);
    n_bytes_ += (n * sizeof(double) + alignment - 1) / alignment * alignment;
    THALWEG_EXPECT(end_ == 0 || next_ <= end_, "the scratch is too small");
    return end_ == 0 ? nullptr : piece;
  }
  /// Take room for a view.
  template <int D>
  View<double, D> take(const Box<D>& box, int n_components) {
    return {take(View<double, D>::size_of(box, n_components)), box, n_components};
  }
  /// Bytes that hold all pieces taken so far, whatever the alignment of the span.
  std::size_t n_bytes() const { return n_bytes_ + alignment; }

 private:
  std::uintptr_t next_ = 0;
  std::uintptr_t end_ = 0;
  std::size_t n_bytes_ = 0;
};

}  // namespace thalweg::numerics
