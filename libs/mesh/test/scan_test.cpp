// SPDX-License-Identifier: MIT
#include <thalweg/mesh/scan.hpp>

#include <utility>

#include <gtest/gtest.h>

#include <thalweg/core/random.hpp>
#include <thalweg/mesh/testing/ranks.hpp>

namespace thalweg::mesh {
namespace {

// Ranks that follow each other; combined in another order they are not one sequence.
struct Row {
  int begin = -1;
  int end = -1;
  bool is_whole = true;
};

Row combined(const Row& a, const Row& b) {
  if (a.begin < 0) return b;
  if (b.begin < 0) return a;
  return {a.begin, b.end, a.is_whole && b.is_whole && a.end == b.begin};
}

struct Sum {
  std::int64_t n = 0;
};

Sum combined(const Sum& a, const Sum& b) {
  return {a.n + b.n};
}

TEST(ScanAllReduce, adds_what_lower_ranks_have_and_what_all_have) {
  for (int n_ranks = 1; n_ranks <= 17; ++n_ranks)
    testing::on_ranks(n_ranks, [&](Rank rank, auto collectives) {
      const auto r = static_cast<std::int64_t>(rank());
      const auto sums = scan_all_reduce(std::vector<Sum>{{1}, {std::int64_t{1} << r}}, rank,
                                        n_ranks, collectives);
      EXPECT_EQ(sums.before.at(0).n, r);
      EXPECT_EQ(sums.before.at(1).n, (std::int64_t{1} << r) - 1);
      EXPECT_EQ(sums.all.at(0).n, n_ranks);
      EXPECT_EQ(sums.all.at(1).n, (std::int64_t{1} << n_ranks) - 1);
      return 0;
    });
}

TEST(ScanAllReduce, keeps_the_order_of_ranks) {
  for (int n_ranks = 1; n_ranks <= 17; ++n_ranks)
    testing::on_ranks(n_ranks, [&](Rank rank, auto collectives) {
      const int r = static_cast<int>(rank());
      const auto sums = scan_all_reduce(std::vector<Row>{{r, r + 1}}, rank, n_ranks, collectives);
      const Row& before = sums.before.at(0);
      EXPECT_TRUE(before.is_whole);
      EXPECT_EQ(std::pair(before.begin, before.end), r == 0 ? std::pair(-1, -1) : std::pair(0, r));
      return 0;
    });
}

TEST(FindRoutingTables, are_the_table_s_splitters_at_powers_of_two) {
  constexpr std::uint64_t end = 1000;
  for (int n_ranks = 1; n_ranks <= 17; ++n_ranks) {
    SplitMix64 random(static_cast<std::uint64_t>(n_ranks));
    const auto n = static_cast<std::size_t>(n_ranks);
    std::vector<std::uint64_t> firsts(n, end);  // of ranks with blocks
    bool is_empty = true;
    for (std::size_t q = 0; q < n; ++q)
      if (random.below(2) == 0 || (is_empty && q + 1 == n))
        firsts[q] = 10 * q + 3, is_empty = false;
    std::vector<std::uint64_t> splitters(firsts);
    for (std::size_t q = n - 1; q-- > 0;)
      if (splitters[q] == end) splitters[q] = splitters[q + 1];
    for (std::size_t q = 0; q < n && (q == 0 || firsts[q - 1] == end); ++q) splitters[q] = 0;

    testing::on_ranks(n_ranks, [&](Rank rank, auto collectives) {
      bool is_first = true;
      for (std::size_t q = 0; q < rank(); ++q) is_first = is_first && firsts[q] == end;
      const auto routing_table =
          find_routing_tables({firsts[rank()]}, {is_first}, rank, n_ranks, collectives).at(0);
      std::vector<std::uint64_t> expected{splitters[rank()]};
      for (std::size_t d = 1; d < n; d *= 2) expected.push_back(splitters[(rank() + d) % n]);
      EXPECT_EQ(routing_table, expected) << "rank " << rank() << " of " << n_ranks;
      return 0;
    });
  }
}

}  // namespace
}  // namespace thalweg::mesh
