// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

namespace thalweg::flow {

/// An array of plain counters, aligned to cache lines, that only ever grows.
class Counters {
 public:
  void reserve(std::size_t n) {
    if (n <= n_) return;
    counters_.reset(new (alignment) std::uint32_t[n]);
    n_ = n;
  }
  std::uint32_t* data() { return counters_.get(); }
  std::uint32_t& operator[](std::size_t i) { return counters_.get()[i]; }

 private:
  static constexpr std::align_val_t alignment{64};
  struct Delete {
    void operator()(std::uint32_t* p) const { ::operator delete[](p, alignment); }
  };
  std::unique_ptr<std::uint32_t, Delete> counters_;
  std::size_t n_ = 0;
};

}  // namespace thalweg::flow
