// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <thalweg/core/contract.hpp>

namespace thalweg {

/// An array that is written once and then only read, by several holders: copies are references to
/// it. Other holders may be processes of the compute node, which share its memory (an MPI shared
/// window, comm/compute_node_mpi.hpp).
/// @threads safe to read
template <class T>
class NodeSharedArray {
 public:
  NodeSharedArray() = default;
  /// Values of this process alone.
  NodeSharedArray(std::vector<T> values) {
    const auto own = std::make_shared<const std::vector<T>>(std::move(values));
    values_ = std::shared_ptr<const T>(own, own->data());
    n_values_ = own->size();
  }
  /// Values in memory that several processes hold together.
  NodeSharedArray(std::shared_ptr<const T> values, std::size_t n_values, std::size_t n_holders)
      : values_(std::move(values)), n_values_(n_values), n_holders_(n_holders) {
    THALWEG_EXPECT(n_holders > 0, "somebody holds the array");
  }

  std::size_t size() const { return n_values_; }
  bool empty() const { return n_values_ == 0; }
  const T* data() const { return values_.get(); }
  const T* begin() const { return data(); }
  const T* end() const { return data() + n_values_; }
  const T& operator[](std::size_t i) const {
    THALWEG_EXPECT(i < n_values_, "beyond the end of the list");
    return data()[i];
  }
  const T& back() const { return (*this)[n_values_ - 1]; }

  /// Some of the values, held as the whole list is: that lives as long as its last part.
  NodeSharedArray part(std::size_t begin, std::size_t n) const {
    THALWEG_EXPECT(begin + n <= n_values_, "beyond the end of the list");
    return {std::shared_ptr<const T>(values_, data() + begin), n, n_holders_};
  }
  /// This process's part of the memory that the values take, all holders taking as much.
  std::size_t n_bytes() const { return (n_values_ * sizeof(T) + n_holders_ - 1) / n_holders_; }

  friend bool operator==(const NodeSharedArray& a, const NodeSharedArray& b) {
    return std::ranges::equal(std::span(a.data(), a.size()), std::span(b.data(), b.size()));
  }

 private:
  std::shared_ptr<const T> values_;
  std::size_t n_values_ = 0;
  std::size_t n_holders_ = 1;
};

}  // namespace thalweg
