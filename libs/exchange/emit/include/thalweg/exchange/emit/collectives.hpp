// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <thalweg/core/dimensions.hpp>
#include <thalweg/core/node_shared_array.hpp>
#include <thalweg/flow/collective.hpp>
#include <thalweg/flow/node_shared.hpp>
#include <thalweg/flow/transport.hpp>
#include <thalweg/mesh/messages.hpp>
#include <thalweg/mesh/neighbour_info.hpp>
#include <thalweg/mesh/regrid.hpp>

namespace thalweg::exchange {

/// The collectives that the mesh needs, and reductions, over a transport; models mesh::Collectives
/// and counts the calls.
///
/// Every rank makes the same calls in the same order, and not while a graph runs.
class TransportCollectives {
 public:
  /// @param transport  must outlive this
  explicit TransportCollectives(flow::Transport& transport) : transport_(&transport) {}

  std::int64_t n_calls() const { return n_calls_; }

  template <flow::Sendable T>
  mesh::Messages<T> exchange(const mesh::Messages<T>& out) {
    return flow::exchange_sparse<T>(used_transport(), std::span(out));
  }
  template <flow::Sendable T>
  std::vector<T> all_gather(const T& mine) {
    return flow::all_gather(used_transport(), mine);
  }
  template <flow::Sendable T>
  NodeSharedArray<T> all_gather_many(std::span<const T> mine) {
    return flow::all_gather_node_shared(used_transport(), mine);
  }
  template <flow::Sendable T>
  std::vector<T> ring_shift(std::span<const T> mine, std::int64_t distance) {
    return flow::ring_shift(used_transport(), mine, distance);
  }
  template <flow::Sendable T, class Op>
  T all_reduce(const T& mine, Op op) {
    return flow::all_reduce(used_transport(), mine, op);
  }
  template <class Write>
  NodeSharedArray<std::uint64_t> write_node_shared(std::size_t n_values, Write&& write) {
    return flow::write_node_shared<std::uint64_t>(used_transport(), n_values, write);
  }

 private:
  flow::Transport& used_transport() {
    ++n_calls_;
    return *transport_;
  }

  flow::Transport* transport_;
  std::int64_t n_calls_ = 0;
};

}  // namespace thalweg::exchange

// Compiled once, in collectives.cpp: each is collectives of many types.
namespace thalweg::mesh {

#define THALWEG_DECLARE(D)                                                                        \
  extern template KeySets<D> nested_sets(const Forest<D>&, std::span<const Key<D>>,               \
                                         exchange::TransportCollectives&);                        \
  extern template PartitionedForest<D> partition(const Forest<D>&, const KeySets<D>&,             \
                                                 const Weights&, exchange::TransportCollectives&, \
                                                 Threshold, Partitioner);                         \
  extern template Forest<D> reassigned_forest(const Forest<D>&, exchange::TransportCollectives&,  \
                                              Partitioner);                                       \
  extern template NeighbourInfo<D> find_neighbour_info(const Forest<D>&,                          \
                                                       exchange::TransportCollectives&)

THALWEG_FOR_DIMENSIONS(THALWEG_DECLARE)
#undef THALWEG_DECLARE

}  // namespace thalweg::mesh
