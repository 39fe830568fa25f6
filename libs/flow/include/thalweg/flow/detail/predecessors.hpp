// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <thalweg/flow/detail/growing.hpp>

namespace thalweg::flow::detail {

/// Whom each node waits for: lists without duplicates, made for one node after another.
class Predecessors {
 public:
  std::size_t n_nodes() const { return begin_.size(); }
  std::size_t n_edges() const { return on_.size(); }
  std::span<const std::uint32_t> operator[](std::size_t node) const {
    const std::size_t next = node + 1;
    return on_.part(begin_[node], next < begin_.size() ? begin_[next] : on_.size());
  }

  /// Begin the list of the next node.
  void open() { begin_.push_back(static_cast<std::uint32_t>(on_.size())); }
  /// Let the last node wait for another one, or for itself in the replay before.
  void add(std::uint32_t on) {
    const std::uint32_t first = begin_.back();
    if (on_.size() - first >= n_scanned) [[unlikely]] {
      if (is_stamped(first, on)) return;
    } else {
      for (const std::uint32_t earlier : on_.part(first, on_.size()))
        if (earlier == on) return;
    }
    on_.push_back(on);
  }
  void clear() {
    begin_.clear();
    on_.clear();
    stamps_.clear();
  }
  std::size_t n_bytes() const {
    return begin_.n_bytes() + on_.n_bytes() + stamps_.capacity() * sizeof(std::uint32_t);
  }

 private:
  static constexpr std::uint32_t n_scanned = 16;  ///< a list as short as that is searched faster

  /// Whether a long list has the node already; from now on it has.
  [[gnu::noinline]] bool is_stamped(std::uint32_t first, std::uint32_t on) {
    const auto stamp = static_cast<std::uint32_t>(begin_.size());
    const auto size_for = [&](std::uint32_t node) {
      if (node >= stamps_.size()) stamps_.resize(std::size_t{node} + 1, 0);
    };
    if (on_.size() - first == n_scanned)  // the list has become long
      for (const std::uint32_t earlier : on_.part(first, on_.size())) {
        size_for(earlier);
        stamps_[earlier] = stamp;
      }
    size_for(on);
    if (stamps_[on] == stamp) return true;
    stamps_[on] = stamp;
    return false;
  }

  GrowingArray<std::uint32_t> begin_;
  GrowingArray<std::uint32_t> on_;
  std::vector<std::uint32_t> stamps_;  ///< of a node: 1 + the last one with a long list it is in
};

}  // namespace thalweg::flow::detail
