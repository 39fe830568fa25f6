// SPDX-License-Identifier: MIT
#include <thalweg/mesh/neighbour_info.hpp>

#include <map>

#include <gtest/gtest.h>

#include <thalweg/core/contract.hpp>
#include <thalweg/mesh/testing/random_forest.hpp>
#include <thalweg/mesh/testing/ranks.hpp>

namespace thalweg::mesh {
namespace {

template <int D>
struct Known {
  Forest<D> forest;
  NeighbourInfo<D> neighbour;
};

template <int D>
std::vector<Known<D>> learn(const testing::Case<D>& c, int n_ranks) {
  return testing::on_ranks(n_ranks, [&](Rank rank, auto exchange) {
    const Forest<D> forest = testing::random_forest(c, rank, n_ranks, exchange);
    return Known<D>{forest, find_neighbour_info(forest, exchange)};
  });
}

template <int D>
NeighbourMask<D> mask_slowly(const Geometry<D>& geometry, const std::map<Key<D>, Rank>& owners,
                             const Key<D>& key) {
  NeighbourMask<D> mask;
  for (const auto& [other, owner] : owners)
    for (int o = 0; o < n_offsets<D>; ++o)
      if (other.level == key.level && geometry.neighbour(key, offset_at<D>(o)) == other)
        mask.set(o);
  return mask;
}

template <int D>
bool is_near(const Geometry<D>& geometry, const LevelSet<D>& set, const Key<D>& fine) {
  for (int o = 0; o < n_offsets<D>; ++o) {
    const auto neighbour = geometry.neighbour(geometry.parent(fine), offset_at<D>(o));
    if (neighbour && set.find(*neighbour)) return true;
  }
  return false;
}

template <int D>
void expect_known() {
  for (const testing::Case<D>& c : testing::cases<D>())
    for (const int n_ranks : {1, 2, 3, 5}) {
      if (D == 3 && c.seed % 10 != 1) continue;  // the oracle is slow
      SCOPED_TRACE(::testing::Message() << c << " on " << n_ranks);
      const Geometry<D> geometry(c.geometry);
      const auto known = learn(c, n_ranks);
      std::map<Key<D>, Rank> owners;
      for (const auto& [forest, neighbour] : known)
        for (const auto& set : forest.levels)
          for (const Key<D>& key : set.keys) owners.emplace(key, forest.rank);
      std::map<Key<D>, NeighbourMask<D>> masks;
      for (const auto& [key, owner] : owners) masks[key] = mask_slowly(geometry, owners, key);

      for (const auto& [forest, neighbour] : known)
        for (std::size_t l = 0; l < forest.levels.size(); ++l) {
          const LevelSet<D>& set = forest.levels[l];
          for (std::size_t i = 0; i < set.keys.size(); ++i)
            EXPECT_EQ(neighbour.levels[l].masks[i], masks[set.keys[i]]);
          std::vector<FineNeighbour<D>> fine_neighbours;
          for (const auto& [key, owner] : owners)
            if (key.level == static_cast<int>(l) + 1 && is_near(geometry, set, key))
              fine_neighbours.push_back({key, masks[key], owner});
          EXPECT_EQ(neighbour.levels[l].fine_neighbours, fine_neighbours);
        }
    }
}

TEST(NeighbourInfo, are_what_the_whole_forest_says_1d) {
  expect_known<1>();
}
TEST(NeighbourInfo, are_what_the_whole_forest_says_2d) {
  expect_known<2>();
}
TEST(NeighbourInfo, are_what_the_whole_forest_says_3d) {
  expect_known<3>();
}

TEST(NeighbourInfo, masks_of_another_forest_are_a_broken_contract) {
  Forest<1> forest = initial_forest(Geometry<1>(), Rank(0), 1);
  const NeighbourInfo<1> masks = collect_masks<1>(forest, {});
  ++forest.revision;
  EXPECT_THROW(send_fine(forest, masks), ContractViolation);
}

}  // namespace
}  // namespace thalweg::mesh
