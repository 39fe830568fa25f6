// SPDX-License-Identifier: MIT
#include <thalweg/mesh/route.hpp>

#include <cstddef>

#include <thalweg/core/contract.hpp>
#include <thalweg/core/dimensions.hpp>

namespace thalweg::mesh {

namespace {

bool is_rank_within(const Destination& to, Rank here, int n_ranks, int hop) {
  const auto n = static_cast<std::uint64_t>(n_ranks);
  return (to.rank()() + n - here()) % n < std::uint64_t{1} << hop;
}

}  // namespace

template <int D>
bool is_within(const Forest<D>& forest, const Destination& to, int hop) {
  if (to.is_rank()) return is_rank_within(to, forest.rank, forest.n_ranks, hop);
  const Key<D> place = to.place<D>();
  THALWEG_EXPECT(place.code < forest.geometry.code_end(place.level), "code outside the domain");
  return forest.level(place.level).directory.reach(hop).contains(place.code);
}

template <int D>
bool is_within(const LeafForest<D>& forest, const Destination& to, int hop) {
  if (to.is_rank()) return is_rank_within(to, forest.rank, forest.n_ranks, hop);
  return forest.directory.reach(hop).contains(forest.rules.position(to.place<D>()));
}

#define THALWEG_INSTANTIATE(D)                                        \
  template bool is_within(const Forest<D>&, const Destination&, int); \
  template bool is_within(const LeafForest<D>&, const Destination&, int)
THALWEG_FOR_DIMENSIONS(THALWEG_INSTANTIATE)
#undef THALWEG_INSTANTIATE

}  // namespace thalweg::mesh
