// SPDX-License-Identifier: MIT
#include <thalweg/mesh/assign.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/core/random.hpp>
#include <thalweg/mesh/imbalance.hpp>

namespace thalweg::mesh {
namespace {

std::vector<std::int64_t> random_weights(SplitMix64& random, std::size_t n) {
  std::vector<std::int64_t> weights(n);
  for (std::int64_t& w : weights) w = static_cast<std::int64_t>(1 + random.below(20));
  return weights;
}

std::int64_t sum(std::span<const std::int64_t> weights) {
  return std::accumulate(weights.begin(), weights.end(), std::int64_t{0});
}

// What each rank gets of the weights.
std::vector<std::int64_t> loads_of(const std::vector<Rank>& owners,
                                   const std::vector<std::int64_t>& weights, int n_ranks) {
  std::vector<std::int64_t> loads(static_cast<std::size_t>(n_ranks));
  for (std::size_t i = 0; i < owners.size(); ++i) loads.at(owners[i]()) += weights.at(i);
  return loads;
}

std::int64_t largest(const std::vector<std::int64_t>& loads) {
  return *std::max_element(loads.begin(), loads.end());
}

// All ways to share out the blocks.
std::int64_t smallest_possible(const std::vector<std::int64_t>& weights, int n_ranks) {
  std::int64_t best = std::numeric_limits<std::int64_t>::max();
  std::vector<Rank> owners(weights.size(), Rank(0));
  while (true) {
    best = std::min(best, largest(loads_of(owners, weights, n_ranks)));
    std::size_t i = 0;
    while (i < owners.size() && owners[i] == Rank(n_ranks - 1)) owners[i++] = Rank(0);
    if (i == owners.size()) return best;
    owners[i] = Rank(owners[i]() + 1);
  }
}

TEST(AssignKnapsack, is_within_a_third_of_the_best) {
  SplitMix64 random(1);
  for (int i = 0; i < 60; ++i) {
    const int n_ranks = 1 + static_cast<int>(random.below(3));
    const auto weights = random_weights(random, 1 + random.below(8));
    const auto loads = loads_of(assign_knapsack(weights, n_ranks), weights, n_ranks);
    // Graham's bound: (4/3 - 1/(3 P)) of the best.
    EXPECT_LE(3 * n_ranks * largest(loads),
              (4 * n_ranks - 1) * smallest_possible(weights, n_ranks));
  }
}

TEST(AssignKnapsack, of_equals_the_first_goes_to_the_first) {
  EXPECT_EQ(assign_knapsack(std::vector<std::int64_t>{2, 5, 2, 1}, 2),
            (std::vector<Rank>{Rank(1), Rank(0), Rank(1), Rank(1)}));
}

TEST(AssignKnapsack, balances_better_than_the_others) {
  SplitMix64 random(2);
  const auto weights = random_weights(random, 200);
  const auto figure = [&](const std::vector<Rank>& owners) {
    return imbalance(loads_of(owners, weights, 16));
  };
  EXPECT_LT(figure(assign_knapsack(weights, 16)), 1.01);
  EXPECT_LT(figure(assign_knapsack(weights, 16)),
            figure(assign_in_order(weights, 0, sum(weights), 16)));
  EXPECT_LT(figure(assign_knapsack(weights, 16)), figure(assign_in_turn(weights.size(), 0, 16)));
}

TEST(AssignInOrder, gives_runs_of_about_equal_weight) {
  SplitMix64 random(3);
  for (int i = 0; i < 50; ++i) {
    const int n_ranks = 1 + static_cast<int>(random.below(7));
    const auto weights = random_weights(random, 60);
    const auto owners = assign_in_order(weights, 0, sum(weights), n_ranks);
    EXPECT_TRUE(std::is_sorted(owners.begin(), owners.end()));
    const auto loads = loads_of(owners, weights, n_ranks);
    EXPECT_LE(largest(loads) - *std::min_element(loads.begin(), loads.end()), 2 * 20);
  }
}

TEST(AssignInOrderAndInTurn, give_parts_of_a_list_what_they_give_the_whole) {
  SplitMix64 random(4);
  for (int i = 0; i < 50; ++i) {
    const int n_ranks = 1 + static_cast<int>(random.below(7));
    const auto weights = random_weights(random, 60);
    const std::size_t cut = random.below(61);
    const std::span first(weights.begin(), cut),
        second(weights.begin() + static_cast<std::ptrdiff_t>(cut), 60 - cut);
    auto in_order = assign_in_order(first, 0, sum(weights), n_ranks);
    for (const Rank owner : assign_in_order(second, sum(first), sum(weights), n_ranks))
      in_order.push_back(owner);
    EXPECT_EQ(in_order, assign_in_order(weights, 0, sum(weights), n_ranks));
    auto in_turn = assign_in_turn(cut, 0, n_ranks);
    for (const Rank owner : assign_in_turn(60 - cut, static_cast<std::int64_t>(cut), n_ranks))
      in_turn.push_back(owner);
    EXPECT_EQ(in_turn, assign_in_turn(60, 0, n_ranks));
  }
}

}  // namespace
}  // namespace thalweg::mesh
