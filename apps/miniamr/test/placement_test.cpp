// SPDX-License-Identifier: MIT
#include <thalweg/miniamr/placement.hpp>

#include <algorithm>

#include <gtest/gtest.h>

#include <thalweg/mesh/testing/ranks.hpp>
#include <thalweg/miniamr/refining.hpp>

#include "reference_case.hpp"

namespace thalweg::miniamr {
namespace {

TEST(IsUneven, by_more_than_one_block_and_the_threshold) {
  EXPECT_FALSE(is_uneven(std::vector<std::int64_t>{5, 6}, 0));
  EXPECT_TRUE(is_uneven(std::vector<std::int64_t>{5, 7}, 0));
  EXPECT_TRUE(is_uneven(std::vector<std::int64_t>{5, 7}, 0.33));
  EXPECT_FALSE(is_uneven(std::vector<std::int64_t>{5, 7}, 0.34));
}

TEST(SendRefused, lets_the_finest_go_and_of_those_the_first_on_the_curve) {
  const mesh::Messages<Leaving> arrived = {{Rank(0), {.key = {.level = 0, .code = 1}, .leaf = 10}},
                                           {Rank(1), {.key = {.level = 2, .code = 9}, .leaf = 11}},
                                           {Rank(2), {.key = {.level = 1, .code = 0}, .leaf = 12}},
                                           {Rank(0), {.key = {.level = 2, .code = 3}, .leaf = 13}},
                                           {Rank(1), {.key = {.level = 0, .code = 0}, .leaf = 14}}};
  using Refused = mesh::Messages<std::uint32_t>;
  EXPECT_EQ(send_refused(arrived, 5), Refused{});
  EXPECT_EQ(send_refused(arrived, 2), (Refused{{Rank(2), 12}, {Rank(1), 14}, {Rank(0), 10}}));
  EXPECT_EQ(send_refused(arrived, 1),
            (Refused{{Rank(1), 11}, {Rank(2), 12}, {Rank(1), 14}, {Rank(0), 10}}));
}

TEST(FirstOwners, have_a_box_of_the_grid_each) {
  const Options options =
      parse_options(testing::words_of("--npx 2 --npz 2 --init_x 2 --init_y 3 --init_z 1"), 4);
  const auto owners = mesh::testing::on_ranks(4, [&](Rank rank, auto collectives) {
    const Mesh mesh = first_mesh(options, rank, 4, collectives);
    std::vector<std::pair<Index<3>, Rank>> found;
    for (std::size_t i = 0; i < mesh.owners.size(); ++i)
      found.emplace_back(mesh::coordinates(mesh.forest.leaves[i]), mesh.owners[i]);
    return found;
  });
  int n = 0;
  for (const auto& of_rank : owners)
    for (const auto& [place, owner] : of_rank) {
      EXPECT_EQ(owner, Rank(2 * (place[0] / 2) + place[2])) << place[0] << place[1] << place[2];
      ++n;
    }
  EXPECT_EQ(n, 24);
}

// One object refines a corner, so that blocks are uneven; then what is asked for is balanced.
struct Balanced {
  std::vector<BalanceReport> reports;  ///< of the last stage
  RefinementTotals totals;
  std::vector<std::int64_t> counts;
};
std::vector<Balanced> balance(const std::string& more, int n_stages) {
  const Options options = parse_options(
      testing::words_of("--npx 2 --npy 2 --init_z 2 --num_refine 2 --num_objects 1 --object 3 0 "
                        "0.1 0.1 0.1 0 0 0 .2 .2 .2 0 0 0 " +
                        more),
      4);
  return mesh::testing::on_ranks(4, [&](Rank rank, auto collectives) {
    Refining<decltype(collectives)> refining(options, rank, 4, collectives);
    Balanced result;
    std::vector<Object> objects = options.objects;
    for (int stage = 0; stage < n_stages; ++stage) {
      result.reports =
          refining.refine(refinement_of(options, objects), 2, [](const Transition&, Purpose) {});
      objects[0].centre = {.9, .9, .9};
    }
    result.totals = refining.totals();
    result.counts = count_owned(refining.mesh().owners, 4, collectives);
    return result;
  });
}

TEST(Balancing, leaves_ranks_with_as_many_blocks) {
  for (const char* method : {"--rcb", "--morton", "--hilbert", "--trunc_hilbert", "--break_ties"}) {
    for (const Balanced& b : balance(method, 2)) {
      const auto [least, most] = std::ranges::minmax(b.counts);
      EXPECT_LE(most - least, 4) << method;
      EXPECT_GT(least, 0) << method;
      EXPECT_GT(b.totals.n_balances, 0) << method;
    }
  }
}

TEST(Balancing, can_be_switched_off) {
  for (const Balanced& b : balance("--lb_opt 0", 1)) {
    EXPECT_TRUE(b.reports.empty());
    EXPECT_EQ(b.totals.n_moved_balance, 0);
    EXPECT_GT(std::ranges::max(b.counts) - std::ranges::min(b.counts), 10);
  }
}

TEST(Balancing, grouped_last_siblings_stay_together_on_the_curve) {
  const Options options = parse_options(
      testing::words_of("--npx 3 --num_refine 1 --uniform_refine 1 --morton --group_blocks"), 3);
  const auto owners = mesh::testing::on_ranks(3, [&](Rank rank, auto collectives) {
    Refining<decltype(collectives)> refining(options, rank, 3, collectives);
    refining.refine(refinement_of(options, {}), 1, [](const Transition&, Purpose) {});
    std::vector<std::pair<mesh::Key<3>, Rank>> found;
    const auto placed = place(refining.mesh().forest, balancing_of(options), collectives);
    for (std::size_t i = 0; i < placed.size(); ++i)
      found.emplace_back(mesh::parent(refining.mesh().forest.leaves[i], 2), placed[i]);
    return found;
  });
  for (const auto& of_rank : owners) {
    EXPECT_FALSE(of_rank.empty());
    for (const auto& [parent, owner] : of_rank)
      EXPECT_EQ(owner, Rank(mesh::coordinates(parent)[0]));
  }
}

TEST(Balancing, no_more_blocks_leave_than_allowed_after_the_first_time) {
  const auto limited = balance("--limit_move 10", 2);
  const auto free = balance("", 2);
  std::int64_t n_limited = 0;
  for (std::size_t q = 0; q < 4; ++q) {
    ASSERT_FALSE(limited[q].reports.empty());
    n_limited += limited[q].totals.n_moved_balance;
  }
  std::int64_t n_free = 0;
  for (const Balanced& b : free) n_free += b.totals.n_moved_balance;
  EXPECT_LT(n_limited, n_free);
  EXPECT_GT(n_limited, 0);
}

TEST(Balancing, counts_blocks_where_they_were_and_came_to_as_the_reference_does) {
  // Of the reference program: its spreads over ranks.
  using Counts = std::vector<std::int64_t>;
  Counts split, moved, dots;
  for (const Balanced& b : balance("", 1)) {
    split.push_back(b.totals.n_split);
    moved.push_back(b.totals.n_moved_balance);
    dots.push_back(b.totals.max_dots);
    ASSERT_EQ(b.reports.size(), 1U);
    EXPECT_EQ(b.reports[0].n_moved, 37);
    EXPECT_FALSE(b.reports[0].is_limited) << "the first time";
  }
  for (Counts* counts : {&split, &moved, &dots}) std::ranges::sort(*counts);
  EXPECT_EQ(split, (Counts{0, 1, 1, 6}));
  EXPECT_EQ(moved, (Counts{0, 11, 12, 14}));
  EXPECT_EQ(dots, (Counts{16, 16, 16, 44}));
}

TEST(Balancing, makes_room_where_a_rank_is_nearly_full) {
  for (const Balanced& b : balance("--lb_opt 0 --max_blocks 30", 1)) {
    EXPECT_GT(b.totals.n_redistributions, 0);
    EXPECT_LE(std::ranges::max(b.counts), 30);
  }
}

TEST(Balancing, that_is_uneven_by_design_keeps_to_the_room_of_ranks) {
  // Families of last siblings want to go together, 16 to one rank.
  std::int64_t n_most_before = 0;
  for (const char* method : {"--morton --group_blocks", "--rcb --group_blocks"}) {
    const std::string more = method;
    for (const Balanced& b : balance(more, 2)) n_most_before = std::ranges::max(b.counts);
    const std::int64_t room = n_most_before - 1;
    for (const Balanced& b : balance(more + " --max_blocks " + std::to_string(room), 2))
      EXPECT_LE(std::ranges::max(b.counts), room) << more;
  }
}

}  // namespace
}  // namespace thalweg::miniamr
