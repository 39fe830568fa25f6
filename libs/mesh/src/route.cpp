// SPDX-License-Identifier: MIT
#include <thalweg/mesh/route.hpp>

#include <cstddef>

#include <thalweg/core/contract.hpp>

namespace thalweg::mesh {

namespace {

bool is_rank_within(const Destination& to, Rank here, int n_ranks, int hop) {
  const auto n = static_cast<std::uint64_t>(n_ranks);
  return (to.rank()() + n - here()) % n < std::uint64_t{1} << hop;
}

}  // namespace

// Of several ranks that begin at one place the last has it: so it is at rank q or above where q
// begins there or before.
Reach reach_of(std::span<const std::uint64_t> routing_table, Rank rank, int n_ranks, int hop) {
  const auto above = static_cast<std::size_t>(hop) + 1;
  THALWEG_EXPECT(above < routing_table.size(), "no such hop");
  const std::uint64_t last = rank() + (std::uint64_t{1} << hop);
  return {routing_table[0], routing_table[above], last >= static_cast<std::uint64_t>(n_ranks)};
}

template <int D>
bool is_within(const Forest<D>& forest, const Destination& to, int hop) {
  if (to.is_rank()) return is_rank_within(to, forest.rank, forest.n_ranks, hop);
  const Key<D> place = to.place<D>();
  THALWEG_EXPECT(place.code < forest.geometry.code_end(place.level), "code outside the domain");
  return reach_of(forest.level(place.level).routing_table, forest.rank, forest.n_ranks, hop)
      .contains(place.code);
}

template <int D>
bool is_within(const LeafForest<D>& forest, const Destination& to, int hop) {
  if (to.is_rank()) return is_rank_within(to, forest.rank, forest.n_ranks, hop);
  return reach_of(forest.routing_table, forest.rank, forest.n_ranks, hop)
      .contains(forest.rules.position(to.place<D>()));
}

template bool is_within(const Forest<1>&, const Destination&, int);
template bool is_within(const Forest<2>&, const Destination&, int);
template bool is_within(const Forest<3>&, const Destination&, int);
template bool is_within(const LeafForest<1>&, const Destination&, int);
template bool is_within(const LeafForest<2>&, const Destination&, int);
template bool is_within(const LeafForest<3>&, const Destination&, int);

}  // namespace thalweg::mesh
