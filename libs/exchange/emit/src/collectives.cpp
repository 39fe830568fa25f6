// SPDX-License-Identifier: MIT
#include <thalweg/exchange/emit/collectives.hpp>

namespace thalweg::mesh {

#define THALWEG_INSTANTIATE(D)                                                                 \
  template KeySets<D> nested_sets(const Forest<D>&, std::span<const Key<D>>,                   \
                                  exchange::TransportCollectives&);                            \
  template PartitionedForest<D> partition(const Forest<D>&, const KeySets<D>&, const Weights&, \
                                          exchange::TransportCollectives&, Threshold,          \
                                          Partitioner);                                        \
  template Forest<D> reassigned_forest(const Forest<D>&, exchange::TransportCollectives&,      \
                                       Partitioner);                                           \
  template NeighbourInfo<D> find_neighbour_info(const Forest<D>&, exchange::TransportCollectives&)

THALWEG_FOR_DIMENSIONS(THALWEG_INSTANTIATE)
#undef THALWEG_INSTANTIATE

}  // namespace thalweg::mesh
