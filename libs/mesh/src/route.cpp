// SPDX-License-Identifier: MIT
#include <thalweg/mesh/route.hpp>

#include <cstddef>

#include <thalweg/core/contract.hpp>

namespace thalweg::mesh {

template <int D>
bool is_within(const Forest<D>& forest, const Address& to, int finger) {
  const auto n = static_cast<std::uint64_t>(forest.n_ranks);
  const std::uint64_t here = forest.rank();
  const std::uint64_t distance = std::uint64_t{1} << finger;
  if (to.is_rank()) return (to.rank()() + n - here) % n < distance;
  const Key<D> place = to.place<D>();
  const auto& fingers = forest.level(place.level).fingers;
  const std::uint64_t begin = fingers[0];
  const std::uint64_t end = fingers.at(static_cast<std::size_t>(finger) + 1);
  THALWEG_EXPECT(place.code < forest.geometry.code_end(place.level), "code outside the domain");
  // Of several ranks that begin at one code the last keeps it: so its keeper is rank q or above
  // where q begins at the code or below it. Past the last rank it goes on with the first.
  if (here + distance < n) return place.code >= begin && place.code < end;
  return place.code >= begin || place.code < end;
}

template bool is_within(const Forest<1>&, const Address&, int);
template bool is_within(const Forest<2>&, const Address&, int);
template bool is_within(const Forest<3>&, const Address&, int);

}  // namespace thalweg::mesh
