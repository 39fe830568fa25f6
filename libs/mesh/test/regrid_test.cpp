// SPDX-License-Identifier: MIT
#include <thalweg/mesh/regrid.hpp>

#include <optional>
#include <set>

#include <gtest/gtest.h>

#include <thalweg/mesh/testing/random_forest.hpp>
#include <thalweg/mesh/testing/ranks.hpp>

namespace thalweg::mesh {
namespace {

template <int D>
using Places = std::vector<std::set<Index<D>>>;  // level by level

// Blocks around a place in a lattice, by arithmetic on coordinates alone.
template <int D>
std::set<Index<D>> around(const Index<D>& place, const Index<D>& blocks,
                          const BasicVec<bool, D>& periodic) {
  std::set<Index<D>> found;
  for_each(Box<D>{place, place + Index<D>::filled(1)}.grown(1), [&](Index<D> i) {
    for (int a = 0; a < D; ++a)
      if (periodic[a]) i[a] = (i[a] + blocks[a]) % blocks[a];
    if (Box<D>{{}, blocks}.contains(i)) found.insert(i);
  });
  return found;
}

// The definition of nesting, on whole sets: all roots, what is wanted, and what supports it.
template <int D>
Places<D> nest_slowly(const Geometry<D>& geometry, const std::vector<Key<D>>& wanted) {
  Places<D> places(static_cast<std::size_t>(geometry.max_level()) + 1);
  for_each(Box<D>{{}, geometry.blocks_at(0)}, [&](const Index<D>& i) { places[0].insert(i); });
  for (const Key<D>& key : wanted)
    places[static_cast<std::size_t>(key.level)].insert(coordinates(key));
  for (int l = geometry.max_level() - 1; l >= 0; --l)
    for (const Index<D>& fine : places[static_cast<std::size_t>(l) + 1])
      places[static_cast<std::size_t>(l)].merge(around(
          floor_div(fine, geometry.ratio(l)), geometry.blocks_at(l), geometry.config().periodic));
  return places;
}

template <int D>
std::set<Key<D>> keys_of(const Places<D>& places) {
  std::set<Key<D>> keys;
  for (std::size_t l = 0; l < places.size(); ++l)
    for (const Index<D>& i : places[l]) keys.insert(key_at(static_cast<int>(l), i));
  return keys;
}

template <int D>
struct Step {
  Forest<D> forest;
  std::vector<Key<D>> wanted;
};

template <int D>
std::vector<Step<D>> take_step(const testing::Case<D>& c, int n_ranks) {
  return testing::on_ranks(n_ranks, [&](Rank rank, auto exchange) {
    const Forest<D> old = testing::random_forest(c, rank, n_ranks, exchange);
    Step<D> step{old, testing::random_wanted(old, c.seed + 100)};
    step.forest = regrid<D>(old, step.wanted, exchange);
    return step;
  });
}

template <int D>
void expect_smallest_nested() {
  std::size_t n_finest = 0;
  for (const testing::Case<D>& c : testing::cases<D>()) {
    SCOPED_TRACE(::testing::Message() << c);
    std::optional<std::set<Key<D>>> expected;
    for (const int n_ranks : {1, 2, 3, 5}) {
      std::vector<Forest<D>> forests;
      std::vector<Key<D>> wanted;
      for (const Step<D>& step : take_step(c, n_ranks)) {
        forests.push_back(step.forest);
        wanted.insert(wanted.end(), step.wanted.begin(), step.wanted.end());
      }
      if (!expected) expected = keys_of(nest_slowly(Geometry<D>(c.geometry), wanted));
      EXPECT_EQ(testing::all_keys(forests), *expected) << n_ranks << " ranks";
      for (const Forest<D>& forest : forests) {
        EXPECT_EQ(forest.revision, static_cast<std::uint64_t>(c.geometry.max_level) + 1);
        EXPECT_GT(forest.levels.back().n_global, 0);
      }
    }
    n_finest += static_cast<std::size_t>(expected->rbegin()->level == c.geometry.max_level);
  }
  EXPECT_GE(n_finest, 3u) << "the cases are too easy";
}

TEST(Regrid, makes_the_smallest_nested_forest_on_any_number_of_ranks_1d) {
  expect_smallest_nested<1>();
}
TEST(Regrid, makes_the_smallest_nested_forest_on_any_number_of_ranks_2d) {
  expect_smallest_nested<2>();
}
TEST(Regrid, makes_the_smallest_nested_forest_on_any_number_of_ranks_3d) {
  expect_smallest_nested<3>();
}

TEST(Regrid, same_wishes_change_nothing) {
  const testing::Case<2> c = testing::cases<2>().back();
  const auto changed = testing::on_ranks(3, [&](Rank rank, auto exchange) {
    const Forest<2> start = testing::random_forest(c, rank, 3, exchange);
    std::vector<Key<2>> wanted;
    for (int l = 1; l < start.n_levels(); ++l)
      wanted.insert(wanted.end(), start.level(l).keys.begin(), start.level(l).keys.end());
    const Forest<2> again = regrid<2>(start, wanted, exchange);
    return int{!has_same_blocks(start, again) || again.revision != start.revision + 1};
  });
  EXPECT_EQ(changed, (std::vector<int>{0, 0, 0}));
}

TEST(Regrid, without_wishes_only_the_root_level_remains) {
  const testing::Case<3> c = testing::cases<3>().front();
  const auto n_levels = testing::on_ranks(2, [&](Rank rank, auto exchange) {
    return regrid<3>(testing::random_forest(c, rank, 2, exchange), {}, exchange).n_levels();
  });
  EXPECT_EQ(n_levels, (std::vector<int>{1, 1}));
}

}  // namespace
}  // namespace thalweg::mesh
