// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <thalweg/core/shared_list.hpp>
#include <thalweg/flow/collective.hpp>
#include <thalweg/flow/machine_list.hpp>
#include <thalweg/flow/transport.hpp>
#include <thalweg/mesh/messages.hpp>
#include <thalweg/mesh/neighbourhood.hpp>
#include <thalweg/mesh/regrid.hpp>

namespace thalweg::exchange {

/// What the mesh asks of all ranks together, over a transport; models mesh::Rounds.
///
/// Every rank makes the same calls in the same order, and not while a graph runs.
class TransportRounds {
 public:
  /// @param transport  must outlive this
  explicit TransportRounds(flow::Transport& transport) : transport_(&transport) {}

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
  SharedList<T> all_gather_many(std::span<const T> mine) {
    return flow::all_gather_on_machine(*transport_, mine);
  }
  template <flow::Sendable T>
  std::vector<T> shift(std::span<const T> mine, std::int64_t distance) {
    return flow::shift(*transport_, mine, distance);
  }
  template <class Write>
  SharedList<std::uint64_t> write_once(std::size_t n_values, Write&& write) {
    return flow::write_on_machine<std::uint64_t>(*transport_, n_values, write);
  }

 private:
  flow::Transport* transport_;
};

}  // namespace thalweg::exchange

// Compiled once, in rounds.cpp: each is rounds of many types.
namespace thalweg::mesh {

extern template KeySets<1> nested_sets(const Forest<1>&, std::span<const Key<1>>,
                                       exchange::TransportRounds&);
extern template PartitionedForest<1> partition(const Forest<1>&, const KeySets<1>&, const Weights&,
                                               exchange::TransportRounds&, Threshold, Partitioner);
extern template Forest<1> dealt_forest(const Forest<1>&, exchange::TransportRounds&, Partitioner);
extern template Neighbourhoods<1> find_neighbourhoods(const Forest<1>&, exchange::TransportRounds&);
extern template KeySets<2> nested_sets(const Forest<2>&, std::span<const Key<2>>,
                                       exchange::TransportRounds&);
extern template PartitionedForest<2> partition(const Forest<2>&, const KeySets<2>&, const Weights&,
                                               exchange::TransportRounds&, Threshold, Partitioner);
extern template Forest<2> dealt_forest(const Forest<2>&, exchange::TransportRounds&, Partitioner);
extern template Neighbourhoods<2> find_neighbourhoods(const Forest<2>&, exchange::TransportRounds&);
extern template KeySets<3> nested_sets(const Forest<3>&, std::span<const Key<3>>,
                                       exchange::TransportRounds&);
extern template PartitionedForest<3> partition(const Forest<3>&, const KeySets<3>&, const Weights&,
                                               exchange::TransportRounds&, Threshold, Partitioner);
extern template Forest<3> dealt_forest(const Forest<3>&, exchange::TransportRounds&, Partitioner);
extern template Neighbourhoods<3> find_neighbourhoods(const Forest<3>&, exchange::TransportRounds&);

}  // namespace thalweg::mesh
