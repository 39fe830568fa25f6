// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>

#include <thalweg/flow/detail/growing.hpp>
#include <thalweg/flow/detail/predecessors.hpp>

namespace thalweg::flow::detail {

/// Who waits for each node: lists in one array, each descending and without duplicates.
class Adjacency {
 public:
  std::span<const std::uint32_t> operator[](std::uint32_t node) const {
    return to_.part(begin_[node], begin_[node + 1]);
  }
  std::size_t n_edges() const { return to_.size(); }

  /// Turn lists of whom each node waits for around. @cost O(nodes + edges)
  void assign(const Predecessors& predecessors) {
    const std::size_t n = predecessors.n_nodes();
    begin_.clear();
    begin_.resize(n + 1, 0);
    to_.resize_for_overwrite(predecessors.n_edges());
    for (std::size_t t = 0; t < n; ++t)
      for (const std::uint32_t from : predecessors[t]) ++begin_[from];
    // Now where lists end; as they are filled from the back, where they begin.
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    for (std::size_t t = 0; t < n; ++t)
      for (const std::uint32_t from : predecessors[t])
        to_[--begin_[from]] = static_cast<std::uint32_t>(t);
  }
  void clear() {
    begin_.clear();
    to_.clear();
  }
  std::size_t n_bytes() const { return begin_.n_bytes() + to_.n_bytes(); }

 private:
  GrowingArray<std::uint32_t> begin_;
  GrowingArray<std::uint32_t> to_;
};

}  // namespace thalweg::flow::detail
