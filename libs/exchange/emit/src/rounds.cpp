// SPDX-License-Identifier: MIT
#include <thalweg/exchange/emit/rounds.hpp>

namespace thalweg::mesh {

template KeySets<1> nested_sets(const Forest<1>&, std::span<const Key<1>>,
                                exchange::TransportRounds&);
template PartitionedForest<1> partition(const Forest<1>&, const KeySets<1>&, const Weights&,
                                        exchange::TransportRounds&, Threshold, Partitioner);
template Forest<1> dealt_forest(const Forest<1>&, exchange::TransportRounds&, Partitioner);
template Neighbourhoods<1> find_neighbourhoods(const Forest<1>&, exchange::TransportRounds&);
template KeySets<2> nested_sets(const Forest<2>&, std::span<const Key<2>>,
                                exchange::TransportRounds&);
template PartitionedForest<2> partition(const Forest<2>&, const KeySets<2>&, const Weights&,
                                        exchange::TransportRounds&, Threshold, Partitioner);
template Forest<2> dealt_forest(const Forest<2>&, exchange::TransportRounds&, Partitioner);
template Neighbourhoods<2> find_neighbourhoods(const Forest<2>&, exchange::TransportRounds&);
template KeySets<3> nested_sets(const Forest<3>&, std::span<const Key<3>>,
                                exchange::TransportRounds&);
template PartitionedForest<3> partition(const Forest<3>&, const KeySets<3>&, const Weights&,
                                        exchange::TransportRounds&, Threshold, Partitioner);
template Forest<3> dealt_forest(const Forest<3>&, exchange::TransportRounds&, Partitioner);
template Neighbourhoods<3> find_neighbourhoods(const Forest<3>&, exchange::TransportRounds&);

}  // namespace thalweg::mesh
