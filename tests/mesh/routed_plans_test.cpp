// SPDX-License-Identifier: MIT
// Who copies what to whom in a step and when blocks move, with a table of directory ranks and
// without.
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include <thalweg/exchange/plan/move.hpp>
#include <thalweg/exchange/plan/points.hpp>
#include <thalweg/mesh/testing/random_forest.hpp>
#include <thalweg/mesh/testing/ranks.hpp>
#include <thalweg/step/mesh.hpp>

namespace thalweg::mesh {
namespace {

/// All plans of one rank for a step and for the regrid before it.
template <int D>
struct Plans {
  std::vector<step::LevelPlans<D>> steps;
  std::vector<exchange::MovePlan<D>> moves;
  std::vector<exchange::CoarsePlan<D>> interiors;
  std::vector<exchange::GhostPlan<D>> points;

  bool operator==(const Plans&) const = default;
};

template <int D>
Plans<D> make_plans(const testing::Case<D>& c, Rank rank, int n_ranks, auto collectives) {
  const step::PlanSettings settings{.n_ghosts = 4};
  const auto before = testing::random_forest(c, rank, n_ranks, collectives);
  const auto wanted = testing::random_wanted(before, c.seed + 40);
  auto mesh = step::make_mesh(regrid<D>(before, wanted, collectives), settings, collectives);
  const Forest<D>& after = mesh.forest;
  const auto claims = exchange::exchange_claims(before, after, collectives);
  Plans<D> plans;
  for (int l = 0; l < after.n_levels(); ++l) {
    const exchange::PlanOptions options{.level = l, .n_ghosts = 4};
    plans.moves.push_back(exchange::plan_move(before, after, claims, options));
    plans.points.push_back(
        exchange::plan_ghost_points(after, mesh.neighbours, Centring<D>::node(), options));
    if (l == 0) continue;
    const auto& made = plans.moves.back().new_blocks;
    const auto asked = collectives.exchange(exchange::send_new_blocks<D>(after, made, options));
    plans.interiors.push_back(exchange::plan_coarse_interior<D>(after, made, asked, options));
  }
  plans.steps = std::move(mesh.plans);
  return plans;
}

template <int D>
void expect_same_plans(const testing::Case<D>& c, int n_ranks) {
  SCOPED_TRACE(::testing::Message() << c << " on " << n_ranks);
  testing::Case<D> without = c;
  without.directory = Directory::routed;
  const auto plans = testing::on_ranks(n_ranks, [&](Rank rank, auto collectives) {
    return std::pair(make_plans(c, rank, n_ranks, collectives),
                     make_plans(without, rank, n_ranks, collectives));
  });
  for (std::size_t r = 0; r < plans.size(); ++r)
    EXPECT_TRUE(plans[r].first == plans[r].second) << "rank " << r;
}

TEST(RoutedPlans, are_those_of_forests_with_a_table) {
  for (const int n_ranks : {1, 2, 3, 5}) {
    for (const auto& c : testing::cases<1>()) expect_same_plans(c, n_ranks);
    for (const auto& c : testing::cases<2>()) expect_same_plans(c, n_ranks);
  }
  expect_same_plans(testing::cases<1>()[0], 16);
  expect_same_plans(testing::cases<2>()[8], 7);
  expect_same_plans(testing::cases<3>()[3], 3);
}

}  // namespace
}  // namespace thalweg::mesh
