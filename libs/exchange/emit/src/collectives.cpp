// SPDX-License-Identifier: MIT
#include <thalweg/exchange/emit/collectives.hpp>

namespace thalweg::mesh {

template KeySets<1> nested_sets(const Forest<1>&, std::span<const Key<1>>,
                                exchange::TransportCollectives&);
template PartitionedForest<1> partition(const Forest<1>&, const KeySets<1>&, const Weights&,
                                        exchange::TransportCollectives&, Threshold, Partitioner);
template Forest<1> reassigned_forest(const Forest<1>&, exchange::TransportCollectives&,
                                     Partitioner);
template NeighbourInfo<1> find_neighbour_info(const Forest<1>&, exchange::TransportCollectives&);
template KeySets<2> nested_sets(const Forest<2>&, std::span<const Key<2>>,
                                exchange::TransportCollectives&);
template PartitionedForest<2> partition(const Forest<2>&, const KeySets<2>&, const Weights&,
                                        exchange::TransportCollectives&, Threshold, Partitioner);
template Forest<2> reassigned_forest(const Forest<2>&, exchange::TransportCollectives&,
                                     Partitioner);
template NeighbourInfo<2> find_neighbour_info(const Forest<2>&, exchange::TransportCollectives&);
template KeySets<3> nested_sets(const Forest<3>&, std::span<const Key<3>>,
                                exchange::TransportCollectives&);
template PartitionedForest<3> partition(const Forest<3>&, const KeySets<3>&, const Weights&,
                                        exchange::TransportCollectives&, Threshold, Partitioner);
template Forest<3> reassigned_forest(const Forest<3>&, exchange::TransportCollectives&,
                                     Partitioner);
template NeighbourInfo<3> find_neighbour_info(const Forest<3>&, exchange::TransportCollectives&);

}  // namespace thalweg::mesh
