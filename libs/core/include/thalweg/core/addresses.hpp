// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <memory>

namespace thalweg {

/// Reserve addresses without memory behind them: who reads or writes there gets a segmentation
/// fault. They are free again with the last that points there.
/// @errors std::bad_alloc
std::shared_ptr<std::byte> reserve_addresses(std::size_t bytes);

/// Arrays that nobody looks into, one behind the other on reserved addresses: a graph that is not
/// run costs no heap call for each of its buffers.
class Addresses {
 public:
  /// @errors std::bad_alloc
  template <class T>
  std::shared_ptr<T[]> take(std::size_t n) {
    return {slab_, reinterpret_cast<T*>(take_bytes(n * sizeof(T)))};
  }

 private:
  std::byte* take_bytes(std::size_t n);  // aligned to a cache line

  std::shared_ptr<std::byte> slab_;
  std::size_t n_taken_ = 0, n_bytes_ = 0;  // of the slab
};

}  // namespace thalweg
