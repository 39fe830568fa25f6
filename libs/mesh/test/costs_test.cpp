// SPDX-License-Identifier: MIT
#include <thalweg/mesh/costs.hpp>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/core/error.hpp>
#include <thalweg/mesh/regrid.hpp>
#include <thalweg/mesh/testing/random_forest.hpp>
#include <thalweg/mesh/testing/ranks.hpp>

namespace thalweg::mesh {
namespace {

// Every fourth block's cost is not known.
std::int64_t cost_of(const Key<2>& key) {
  return key.code % 4 == 3 ? 0 : static_cast<std::int64_t>(10 + (7 * key.code) % 31);
}

struct Weighed {
  Forest<2> old;
  KeySets<2> sets;
  Weights weights;
};

std::vector<Weighed> weigh_regrid(int n_ranks) {
  const testing::Case<2> c = testing::cases<2>()[2];
  return testing::on_ranks(n_ranks, [&](Rank rank, auto collectives) {
    const Forest<2> old = testing::random_forest(c, rank, n_ranks, collectives);
    const auto sets = nested_sets<2>(old, testing::random_wanted(old, 5), collectives);
    Weights costs;
    for (const auto& level : old.levels) {
      costs.emplace_back();
      for (const Key<2>& key : level.keys) costs.back().push_back(cost_of(key));
    }
    return Weighed{old, sets, weights_by_cost(old, sets, costs, collectives)};
  });
}

TEST(Costs, blocks_that_stay_weigh_what_they_cost_and_new_ones_the_mean_of_their_level) {
  const Forest<2> before = weigh_regrid(1)[0].old;
  std::vector<std::int64_t> means;
  for (const auto& level : before.levels) {
    std::int64_t sum = 0, n = 0;
    for (const Key<2>& key : level.keys) {
      sum += cost_of(key);
      n += cost_of(key) > 0 ? 1 : 0;
    }
    means.push_back(sum / n);
  }
  for (const int n_ranks : {1, 2, 3, 5}) {
    int n_known = 0, n_new = 0;
    for (const Weighed& rank : weigh_regrid(n_ranks))
      for (std::size_t l = 0; l < rank.sets.levels.size(); ++l)
        for (std::size_t i = 0; i < rank.sets.levels[l].size(); ++i) {
          const Key<2>& key = rank.sets.levels[l][i];
          const bool is_known = before.has(key) && cost_of(key) > 0;
          EXPECT_EQ(rank.weights[l][i], is_known ? cost_of(key) : means.at(l)) << n_ranks;
          ++(is_known ? n_known : n_new);
        }
    EXPECT_GT(n_known, 5);
    EXPECT_GT(n_new, 5);
  }
}

TEST(Costs, levels_of_which_nothing_is_known_weigh_as_the_coarser_one) {
  KeySets<1> sets;
  sets.levels = {{{0, 0}}, {{1, 0}, {1, 1}}};
  const std::vector<CostSum> sums = {{.cost = 40, .n_blocks = 2}, {.cost = 20, .n_blocks = 1}};
  EXPECT_EQ(weights_of(sets, {}, sums, 2), (Weights{{20}, {20, 20}}));
  EXPECT_EQ(weights_of(sets, {}, std::vector<CostSum>(2), 2), (Weights{{1}, {1, 1}}));
}

TEST(Costs, that_cannot_be_added_are_refused) {
  EXPECT_THROW(cost_sums({{std::int64_t{1} << 62, 1}}), Error);
}

}  // namespace
}  // namespace thalweg::mesh
