// SPDX-License-Identifier: MIT
#include <thalweg/miniamr/bisection.hpp>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <tuple>

#include <gtest/gtest.h>

#include <thalweg/mesh/testing/ranks.hpp>

namespace thalweg::miniamr {
namespace {

TEST(Cuts, large_factors_come_first_and_the_longest_side_is_cut) {
  EXPECT_EQ(cuts_of({2, 6, 2}, true), (std::vector<Cut>{{3, 1}, {2, 0}, {2, 1}, {2, 2}}));
  EXPECT_EQ(cuts_of({4, 2, 1}, true), (std::vector<Cut>{{2, 0}, {2, 0}, {2, 1}}));
  EXPECT_TRUE(cuts_of({1, 1, 1}, true).empty());
}

TEST(Cuts, without_reordering_z_is_cut_first) {
  EXPECT_EQ(cuts_of({4, 1, 2}, false), (std::vector<Cut>{{2, 2}, {2, 0}, {2, 0}}));
  EXPECT_EQ(cuts_of({3, 1, 2}, false), (std::vector<Cut>{{3, 0}, {2, 2}}));
}

TEST(RankAt, numbers_each_place_once) {
  const Index<3> ranks{3, 4, 2};
  for (const bool is_reordered : {true, false}) {
    std::set<Rank> seen;
    for (int z = 0; z < 2; ++z)
      for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 3; ++x)
          seen.insert(rank_at(cuts_of(ranks, is_reordered), ranks, {x, y, z}));
    EXPECT_EQ(seen.size(), 24u);
    EXPECT_EQ(*seen.rbegin(), Rank(23));
  }
  EXPECT_EQ(rank_at(cuts_of({2, 1, 2}, true), {2, 1, 2}, {1, 0, 0}), Rank(2));
  EXPECT_EQ(rank_at(cuts_of({2, 1, 2}, false), {2, 1, 2}, {1, 0, 0}), Rank(1));
}

constexpr int width = 32;

std::vector<Index<3>> random_places(std::size_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::set<std::array<int, 3>> places;
  while (places.size() < n) {
    std::array<int, 3> place;
    for (int& p : place) p = static_cast<int>(random() % width);
    place[0] /= 4;  // so that many share a coordinate
    places.insert(place);
  }
  std::vector<Index<3>> list;
  for (const auto& p : places) list.push_back({p});
  return list;
}

using Owners = std::map<std::array<int, 3>, Rank>;

// What bisection is, on a list of all places.
void bisect_list(std::vector<Index<3>> places, std::span<const Cut> cuts, int first, int size,
                 Owners& owners) {
  if (cuts.empty()) {
    for (const auto& p : places) owners[p.at] = Rank(first);
    return;
  }
  const int a = cuts[0].axis;
  std::ranges::sort(places, {}, [&](const Index<3>& p) {
    return std::tuple(p[a], p[(a + 1) % 3], p[(a + 2) % 3]);
  });
  const auto n_parts = static_cast<std::size_t>(cuts[0].n_parts);
  const std::size_t in_part = (places.size() + n_parts - 1) / n_parts;
  const int sub = size / cuts[0].n_parts;
  for (std::size_t part = 0; part < n_parts; ++part) {
    const auto begin =
        places.begin() + static_cast<std::ptrdiff_t>(std::min(part * in_part, places.size()));
    const auto end =
        places.begin() + static_cast<std::ptrdiff_t>(std::min((part + 1) * in_part, places.size()));
    bisect_list({begin, end}, cuts.subspan(1), first + static_cast<int>(part) * sub, sub, owners);
  }
}

Owners bisect_on_ranks(const std::vector<Index<3>>& places, const std::vector<Cut>& cuts,
                       int n_ranks, TieRule ties, bool changes_axes = false) {
  const auto results = mesh::testing::on_ranks(n_ranks, [&](Rank rank, auto collectives) {
    std::vector<BlockCentroid> centroids;
    std::vector<Index<3>> mine;
    for (std::size_t i = 0; i < places.size(); ++i)
      if (i * 7 % static_cast<std::size_t>(n_ranks) == rank()) {
        centroids.push_back({places[i], rank, static_cast<std::uint32_t>(centroids.size())});
        mine.push_back(places[i]);
      }
    const auto owners = bisect(centroids, {width, width, width}, cuts, changes_axes, ties, rank,
                               n_ranks, collectives);
    Owners found;
    for (std::size_t i = 0; i < mine.size(); ++i) found[mine[i].at] = owners[i];
    return found;
  });
  Owners all;
  for (const Owners& some : results) all.insert(some.begin(), some.end());
  return all;
}

TEST(Bisect, cuts_lists_of_blocks_into_equal_parts) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    const Index<3> grid = std::array<Index<3>, 3>{{{2, 3, 1}, {1, 2, 2}, {5, 1, 1}}}[seed % 3];
    const int n_ranks = product(grid);
    const auto cuts = cuts_of(grid, true);
    const auto places = random_places(seed < 3 ? 4 : 40 + 31 * seed, seed);
    Owners expected;
    bisect_list(places, cuts, 0, n_ranks, expected);
    EXPECT_EQ(bisect_on_ranks(places, cuts, n_ranks, TieRule::exact), expected) << seed;
  }
}

std::map<Rank, int> counts_of(const Owners& owners) {
  std::map<Rank, int> counts;
  for (const auto& [place, owner] : owners) ++counts[owner];
  return counts;
}

TEST(Bisect, ties_broken_by_rank_leave_parts_equal) {
  const auto owners =
      bisect_on_ranks(random_places(120, 5), cuts_of({2, 3, 1}, true), 6, TieRule::break_ties);
  const auto counts = counts_of(owners);
  EXPECT_EQ(counts.size(), 6u);
  for (const auto& [rank, n] : counts) EXPECT_EQ(n, 20);
}

TEST(Bisect, grouped_blocks_of_one_plane_stay_together) {
  const auto owners =
      bisect_on_ranks(random_places(400, 5), cuts_of({2, 1, 1}, true), 2, TieRule::group_blocks);
  std::map<int, std::set<Rank>> of_plane;
  for (const auto& [place, owner] : owners) of_plane[place[0]].insert(owner);
  EXPECT_EQ(of_plane.size(), 8u);
  for (const auto& [x, ranks] : of_plane) EXPECT_EQ(ranks.size(), 1u) << x;
  EXPECT_EQ(counts_of(owners).size(), 2u);
}

TEST(SendToParts, a_plane_that_is_cut_goes_where_its_larger_part_is_and_halves_go_down) {
  // Blocks of three planes on one rank of two, cut in the middle of all.
  const auto parts_of = [](const std::vector<int>& n_in_plane) {
    Group group{.first = 0, .size = 2, .centroids = {}};
    for (std::size_t x = 0; x < n_in_plane.size(); ++x)
      for (int y = 0; y < n_in_plane[x]; ++y)
        group.centroids.push_back({.centre = {static_cast<int>(x), y, 0}});
    const std::vector<std::int64_t> counts{std::ssize(group.centroids), 0};
    std::vector<int> parts(n_in_plane.size(), -1);
    for (const auto& [to, centroid] :
         send_to_parts(group, {2, 0}, TieRule::group_blocks, counts, Rank(0)))
      parts[static_cast<std::size_t>(centroid.centre[0])] = static_cast<int>(to());
    return parts;
  };
  EXPECT_EQ(parts_of({1, 3, 2}), (std::vector{0, 0, 1}));  // 2 below the cut, 1 above
  EXPECT_EQ(parts_of({2, 3, 1}), (std::vector{0, 1, 1}));
  EXPECT_EQ(parts_of({1, 4, 1}), (std::vector{0, 0, 1}));  // 2 and 2
  EXPECT_EQ(parts_of({1, 2, 3}), (std::vector{0, 0, 1}));  // the cut is beside it
}

TEST(Bisect, may_cut_across_the_longest_extent) {
  // All in one plane of x and narrow in y: z is cut though the grid says x.
  std::vector<Index<3>> places;
  for (int z = 0; z < 30; ++z) places.push_back({3, z % 2, z});
  const auto owners = bisect_on_ranks(places, cuts_of({2, 1, 1}, true), 2, TieRule::exact, true);
  EXPECT_EQ(owners.size(), places.size());
  for (const auto& [place, owner] : owners) EXPECT_EQ(owner, Rank(place[2] < 15 ? 0 : 1));
}

}  // namespace
}  // namespace thalweg::miniamr
