// SPDX-License-Identifier: MIT
#include <thalweg/mesh/route.hpp>

#include <cstddef>

#include <thalweg/core/contract.hpp>

namespace thalweg::mesh {

namespace {

bool is_rank_within(const Address& to, Rank here, int n_ranks, int finger) {
  const auto n = static_cast<std::uint64_t>(n_ranks);
  return (to.rank()() + n - here()) % n < std::uint64_t{1} << finger;
}

}  // namespace

// Of several ranks that begin at one place the last has it: so it is at rank q or above where q
// begins there or before.
Reach reach_of(std::span<const std::uint64_t> fingers, Rank rank, int n_ranks, int finger) {
  const auto above = static_cast<std::size_t>(finger) + 1;
  THALWEG_EXPECT(above < fingers.size(), "no such finger");
  const std::uint64_t last = rank() + (std::uint64_t{1} << finger);
  return {fingers[0], fingers[above], last >= static_cast<std::uint64_t>(n_ranks)};
}

template <int D>
bool is_within(const Forest<D>& forest, const Address& to, int finger) {
  if (to.is_rank()) return is_rank_within(to, forest.rank, forest.n_ranks, finger);
  const Key<D> place = to.place<D>();
  THALWEG_EXPECT(place.code < forest.geometry.code_end(place.level), "code outside the domain");
  return reach_of(forest.level(place.level).fingers, forest.rank, forest.n_ranks, finger)
      .contains(place.code);
}

template <int D>
bool is_within(const LeafForest<D>& forest, const Address& to, int finger) {
  if (to.is_rank()) return is_rank_within(to, forest.rank, forest.n_ranks, finger);
  return reach_of(forest.fingers, forest.rank, forest.n_ranks, finger)
      .contains(forest.rules.position(to.place<D>()));
}

template bool is_within(const Forest<1>&, const Address&, int);
template bool is_within(const Forest<2>&, const Address&, int);
template bool is_within(const Forest<3>&, const Address&, int);
template bool is_within(const LeafForest<1>&, const Address&, int);
template bool is_within(const LeafForest<2>&, const Address&, int);
template bool is_within(const LeafForest<3>&, const Address&, int);

}  // namespace thalweg::mesh
