// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <thalweg/core/node_shared_array.hpp>
#include <thalweg/flow/collective.hpp>
#include <thalweg/flow/node_shared.hpp>
#include <thalweg/flow/transport.hpp>
#include <thalweg/mesh/messages.hpp>
#include <thalweg/mesh/neighbour_info.hpp>
#include <thalweg/mesh/regrid.hpp>

namespace thalweg::exchange {

/// The collectives that the mesh needs, over a transport; models mesh::Collectives.
///
/// Every rank makes the same calls in the same order, and not while a graph runs.
class TransportCollectives {
 public:
  /// @param transport  must outlive this
  explicit TransportCollectives(flow::Transport& transport) : transport_(&transport) {}

  template <flow::Sendable T>
  mesh::Messages<T> exchange(const mesh::Messages<T>& out) {
    return flow::exchange_sparse<T>(*transport_, std::span(out));
  }
  /// The same, where only an exchange is asked for.
  template <flow::Sendable T>
  mesh::Messages<T> operator()(const mesh::Messages<T>& out) {
    return exchange(out);
  }
  template <flow::Sendable T>
  std::vector<T> all_gather(const T& mine) {
    return flow::all_gather(*transport_, mine);
  }
  template <flow::Sendable T>
  NodeSharedArray<T> all_gather_many(std::span<const T> mine) {
    return flow::all_gather_node_shared(*transport_, mine);
  }
  template <flow::Sendable T>
  std::vector<T> ring_shift(std::span<const T> mine, std::int64_t distance) {
    return flow::ring_shift(*transport_, mine, distance);
  }
  template <class Write>
  NodeSharedArray<std::uint64_t> write_node_shared(std::size_t n_values, Write&& write) {
    return flow::write_node_shared<std::uint64_t>(*transport_, n_values, write);
  }

 private:
  flow::Transport* transport_;
};

}  // namespace thalweg::exchange

// Compiled once, in collectives.cpp: each is collectives of many types.
namespace thalweg::mesh {

extern template KeySets<1> nested_sets(const Forest<1>&, std::span<const Key<1>>,
                                       exchange::TransportCollectives&);
extern template PartitionedForest<1> partition(const Forest<1>&, const KeySets<1>&, const Weights&,
                                               exchange::TransportCollectives&, Threshold,
                                               Partitioner);
extern template Forest<1> reassigned_forest(const Forest<1>&, exchange::TransportCollectives&,
                                            Partitioner);
extern template NeighbourInfo<1> find_neighbour_info(const Forest<1>&,
                                                     exchange::TransportCollectives&);
extern template KeySets<2> nested_sets(const Forest<2>&, std::span<const Key<2>>,
                                       exchange::TransportCollectives&);
extern template PartitionedForest<2> partition(const Forest<2>&, const KeySets<2>&, const Weights&,
                                               exchange::TransportCollectives&, Threshold,
                                               Partitioner);
extern template Forest<2> reassigned_forest(const Forest<2>&, exchange::TransportCollectives&,
                                            Partitioner);
extern template NeighbourInfo<2> find_neighbour_info(const Forest<2>&,
                                                     exchange::TransportCollectives&);
extern template KeySets<3> nested_sets(const Forest<3>&, std::span<const Key<3>>,
                                       exchange::TransportCollectives&);
extern template PartitionedForest<3> partition(const Forest<3>&, const KeySets<3>&, const Weights&,
                                               exchange::TransportCollectives&, Threshold,
                                               Partitioner);
extern template Forest<3> reassigned_forest(const Forest<3>&, exchange::TransportCollectives&,
                                            Partitioner);
extern template NeighbourInfo<3> find_neighbour_info(const Forest<3>&,
                                                     exchange::TransportCollectives&);

}  // namespace thalweg::mesh
