// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <thalweg/app/rounds.hpp>
#include <thalweg/core/node_shared_array.hpp>
#include <thalweg/flow/collective.hpp>
#include <thalweg/flow/transport.hpp>
#include <thalweg/mesh/collectives.hpp>
#include <thalweg/mesh/messages.hpp>

namespace thalweg::app {

/// The collectives that a mesh needs, and reductions, and how many of them were called; models
/// mesh::Collectives.
class CountedCollectives {
 public:
  explicit CountedCollectives(flow::Transport& transport)
      : transport_(transport), collectives_(transport) {}

  std::int64_t n_calls() const { return n_calls_; }

  template <class T>
  mesh::Messages<T> exchange(const mesh::Messages<T>& out) {
    ++n_calls_;
    return collectives_.exchange(out);
  }
  template <class T>
  mesh::Messages<T> operator()(const mesh::Messages<T>& out) {
    return exchange(out);
  }
  template <class T>
  std::vector<T> all_gather(const T& mine) {
    ++n_calls_;
    return collectives_.all_gather(mine);
  }
  template <class T>
  NodeSharedArray<T> all_gather_many(std::span<const T> mine) {
    ++n_calls_;
    return collectives_.all_gather_many(mine);
  }
  template <class T>
  std::vector<T> ring_shift(std::span<const T> mine, std::int64_t distance) {
    ++n_calls_;
    return collectives_.ring_shift(mine, distance);
  }
  template <flow::Sendable T, class Op>
  T all_reduce(const T& mine, Op op) {
    ++n_calls_;
    return flow::all_reduce(transport_, mine, op);
  }
  template <class Write>
  NodeSharedArray<std::uint64_t> write_node_shared(std::size_t n_values, Write&& write) {
    ++n_calls_;
    return collectives_.write_node_shared(n_values, write);
  }

 private:
  flow::Transport& transport_;
  TransportCollectives collectives_;
  std::int64_t n_calls_ = 0;
};

}  // namespace thalweg::app
