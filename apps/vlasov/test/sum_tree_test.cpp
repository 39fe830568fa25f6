// SPDX-License-Identifier: MIT
#include "../src/sum_tree.hpp"

#include <string>

#include <gtest/gtest.h>

namespace thalweg::vlasov {
namespace {

/// In which order parts are joined, whoever has them: "((01)2)".
std::string joined(int first, int last) {
  if (last - first == 1) return std::to_string(first);
  const int middle = middle_of(first, last);
  return "(" + joined(first, middle) + joined(middle, last) + ")";
}

std::string joined(const std::vector<SumNode>& tree, std::size_t node) {
  const SumNode& n = tree[node];
  return n.is_leaf() ? joined(n.first, n.last)
                     : "(" + joined(tree, n.below) + joined(tree, n.above) + ")";
}

TEST(SumTree, has_the_same_order_whoever_has_the_parts) {
  for (const int n : {1, 2, 5, 8, 13})
    for (const int n_ranks : {1, 2, 3, 7}) {
      const auto in_turn = sum_tree(n, [&](int part) { return Rank(part % n_ranks); });
      const auto cut = sum_tree(n, [&](int part) { return Rank(part * n_ranks / n); });
      EXPECT_EQ(joined(in_turn, in_turn.size() - 1), joined(0, n));
      EXPECT_EQ(joined(cut, cut.size() - 1), joined(0, n));
    }
}

TEST(SumTree, stops_where_one_rank_has_all) {
  const auto tree = sum_tree(16, [](int part) { return Rank(part / 8); });

  ASSERT_EQ(tree.size(), 3u);
  EXPECT_EQ(tree[0].last, 8);
  EXPECT_TRUE(tree[1].is_leaf());
  EXPECT_EQ(tree[2].owner, Rank(0));
}

}  // namespace
}  // namespace thalweg::vlasov
