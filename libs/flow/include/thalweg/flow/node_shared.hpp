// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <thalweg/core/node_shared_array.hpp>
#include <thalweg/flow/collective.hpp>
#include <thalweg/flow/transport.hpp>

namespace thalweg::flow {
namespace detail {

/// As all_gather_bytes, into memory of the compute node.
std::shared_ptr<std::byte> all_gather_bytes_node_shared(Transport& transport,
                                                        ComputeNode& compute_node,
                                                        std::span<const std::byte> mine);
/// What goes between the ranks of a compute node, after they have come here: what each wrote is
/// there.
void meet(Transport& transport, const ComputeNode& compute_node);

template <class T>
NodeSharedArray<T> node_shared_array_of(const std::shared_ptr<std::byte>& memory,
                                        std::size_t n_values, const ComputeNode& compute_node) {
  return {std::shared_ptr<const T>(memory, reinterpret_cast<const T*>(memory.get())), n_values,
          compute_node.ranks().size()};
}

}  // namespace detail

// Lists that are the same on all ranks, and lie in memory once a compute node. Called as what is in
// collective.hpp.

/// The values of all ranks, as many of each, by rank.
/// @cost log P messages; the values come to a compute node once
template <Sendable T>
NodeSharedArray<T> all_gather_node_shared(Transport& transport, std::span<const T> mine) {
  const auto bytes = std::as_bytes(mine);
  ComputeNode* const compute_node = transport.compute_node();
  if (compute_node == nullptr) return values_of<T>(detail::all_gather_bytes(transport, bytes));
  return detail::node_shared_array_of<T>(
      detail::all_gather_bytes_node_shared(transport, *compute_node, bytes),
      mine.size() * static_cast<std::size_t>(transport.n_ranks()), *compute_node);
}

/// A list of n values that one rank of each compute node writes, by write(std::span<T>): all know
/// what.
/// @cost log of the ranks of a compute node
template <Sendable T, class Write>
NodeSharedArray<T> write_node_shared(Transport& transport, std::size_t n_values, Write&& write) {
  ComputeNode* const compute_node = transport.compute_node();
  if (compute_node == nullptr) {
    std::vector<T> values(n_values);
    write(std::span<T>(values));
    return values;
  }
  const std::shared_ptr<std::byte> memory = compute_node->lend(n_values * sizeof(T));
  if (compute_node->ranks().front() == transport.rank())
    write(std::span<T>(reinterpret_cast<T*>(memory.get()), n_values));
  detail::meet(transport, *compute_node);
  return detail::node_shared_array_of<T>(memory, n_values, *compute_node);
}

}  // namespace thalweg::flow
