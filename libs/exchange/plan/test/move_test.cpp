// SPDX-License-Identifier: MIT
#include <thalweg/exchange/plan/move.hpp>

#include <gtest/gtest.h>

#include <thalweg/core/contract.hpp>

#include "world.hpp"

namespace thalweg::exchange {
namespace {

template <int D>
struct Moved {
  mesh::Forest<D> before;
  mesh::Forest<D> after;
  std::vector<MovePlan<D>> plans;  // by level
};

template <int D>
std::vector<Moved<D>> move(const testing::Case<D>& c, int n_ranks, int max_comm_tasks) {
  return testing::on_ranks(n_ranks, [&](Rank rank, auto exchange) {
    Moved<D> moved;
    moved.before = mesh::testing::random_forest(c, rank, n_ranks, exchange);
    const auto wanted = mesh::testing::random_wanted(moved.before, c.seed + 50);
    const auto weigh = [](const mesh::Key<D>&) { return std::int64_t{1}; };
    moved.after = mesh::regrid<D>(moved.before, wanted, exchange, weigh, {}, c.partitioner).forest;
    const auto claims = exchange_claims(moved.before, moved.after, exchange);
    for (int l = 0; l < moved.after.n_levels(); ++l)
      moved.plans.push_back(plan_move(moved.before, moved.after, claims,
                                      {.level = l, .max_comm_tasks = max_comm_tasks}));
    return moved;
  });
}

template <int D>
void expect_level_moved(const std::vector<Moved<D>>& moved, int level, int max_comm_tasks) {
  std::vector<mesh::Forest<D>> before;
  std::vector<mesh::Forest<D>> after;
  std::vector<Transfers<D>> by_rank;
  for (const Moved<D>& rank : moved) {
    before.push_back(rank.before);
    after.push_back(rank.after);
    by_rank.push_back(rank.plans[testing::at(level)].transfers);
  }
  testing::expect_matching(by_rank, before, after, max_comm_tasks);

  const std::set<mesh::Key<D>> old_keys = mesh::testing::all_keys(before);
  for (const Moved<D>& rank : moved) {
    const MovePlan<D>& plan = rank.plans[testing::at(level)];
    std::vector<mesh::Key<D>> kept;
    std::vector<mesh::Key<D>> made;
    for (const mesh::Key<D>& key : rank.after.level(level).keys)
      (old_keys.contains(key) ? kept : made).push_back(key);
    std::vector<mesh::Key<D>> arriving;
    for (const Copy<D>& copy : testing::arriving(plan.transfers)) {
      EXPECT_EQ(copy.src, copy.dst);
      EXPECT_EQ(copy.region, rank.after.geometry.cells(copy.dst));
      EXPECT_EQ(copy.shift, Index<D>{});
      arriving.push_back(copy.dst);
    }
    EXPECT_EQ(arriving, kept);
    EXPECT_EQ(plan.new_blocks, made);
  }
}

template <int D>
void expect_moved() {
  for (testing::Case<D> c : testing::cases<D>())
    for (const int n_ranks : {1, 2, 3, 4}) {
      c.partitioner = static_cast<mesh::Partitioner>((c.seed + testing::at(n_ranks)) % 4);
      const auto moved = move(c, n_ranks, n_ranks - 1);
      for (int l = 0; l < moved[0].after.n_levels(); ++l) {
        SCOPED_TRACE(::testing::Message() << c << " level " << l << " on " << n_ranks);
        expect_level_moved(moved, l, n_ranks - 1);
      }
    }
}

TEST(MovePlan, brings_each_kept_block_to_its_new_owner_1d) {
  expect_moved<1>();
}
TEST(MovePlan, brings_each_kept_block_to_its_new_owner_2d) {
  expect_moved<2>();
}
TEST(MovePlan, brings_each_kept_block_to_its_new_owner_3d) {
  expect_moved<3>();
}

TEST(MovePlan, a_level_that_vanishes_moves_nothing) {
  const testing::Case<2> c = testing::cases<2>().back();
  const auto plans = testing::on_ranks(2, [&](Rank rank, auto exchange) {
    const auto before = mesh::testing::random_forest(c, rank, 2, exchange);
    const auto after = mesh::regrid<2>(before, {}, exchange);
    const auto claims = mesh::exchange_with_directory(after, exchange, send_claims(before, after));
    return plan_move(before, after, claims, {.level = 0});
  });
  for (const auto& plan : plans) {
    EXPECT_TRUE(plan.new_blocks.empty() && plan.transfers.recvs.empty());
    EXPECT_FALSE(plan.transfers.locals.empty());
  }
}

TEST(MovePlan, forests_of_two_runs_are_a_broken_contract) {
  const auto a = mesh::initial_forest(mesh::Geometry<1>(), Rank(0), 1);
  const auto b = mesh::initial_forest(mesh::Geometry<1>({.max_level = 3}), Rank(0), 1);
  EXPECT_THROW(send_claims(a, b), ContractViolation);
}

}  // namespace
}  // namespace thalweg::exchange
