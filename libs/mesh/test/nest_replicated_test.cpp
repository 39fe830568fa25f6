// SPDX-License-Identifier: MIT
#include <thalweg/mesh/testing/nest_replicated.hpp>

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/core/random.hpp>
#include <thalweg/mesh/regrid.hpp>
#include <thalweg/mesh/testing/random_forest.hpp>
#include <thalweg/mesh/testing/ranks.hpp>

namespace thalweg::mesh {
namespace {

TEST(NestAll, has_the_parents_of_what_is_wanted_and_their_neighbours_and_no_more) {
  Geometry<1>::Config config;
  config.root_blocks = {{4}};
  config.block_cells = 8;
  config.ratio = 2;
  config.max_level = 2;
  const Geometry<1> geometry(config);

  const auto all = testing::nest_all<1>(geometry, std::vector<Key<1>>{{2, 7}, {1, 7}, {2, 7}});

  const std::vector<Key<1>> roots{{0, 0}, {0, 1}, {0, 2}, {0, 3}};
  EXPECT_EQ(all.levels,
            (std::vector<std::vector<Key<1>>>{roots, {{1, 2}, {1, 3}, {1, 4}, {1, 7}}, {{2, 7}}}));
  EXPECT_EQ(testing::nest_all<1>(geometry, {}).levels, (std::vector<std::vector<Key<1>>>{roots}));
}

std::int64_t weigh(std::uint64_t code) {
  return static_cast<std::int64_t>(1 + SplitMix64(code)() % 9);
}

template <int D>
void expect_same_bits() {
  for (const testing::Case<D>& c : testing::cases<D>())
    for (const int n_ranks : {1, 2, 3, 5}) {
      SCOPED_TRACE(::testing::Message() << c << ", " << n_ranks << " ranks");
      const auto n_levels = testing::on_ranks(n_ranks, [&](Rank rank, auto collectives) {
        const Forest<D> old = testing::random_forest(c, rank, n_ranks, collectives);
        const auto wanted = testing::random_wanted(old, c.seed + 100);
        const auto cost = [](const Key<D>& key) { return weigh(key.code); };
        const Forest<D> expected = testing::regrid_replicated<D>(old, wanted, collectives, cost);
        EXPECT_EQ(regrid<D>(old, wanted, collectives, cost).forest, expected);
        return expected.n_levels();
      });
      EXPECT_EQ(n_levels, std::vector<int>(static_cast<std::size_t>(n_ranks), n_levels[0]));
      EXPECT_GE(n_levels[0], 2);
    }
}

TEST(RegridReplicated, gives_the_forest_of_regrid_to_the_bit_1d) {
  expect_same_bits<1>();
}
TEST(RegridReplicated, gives_the_forest_of_regrid_to_the_bit_2d) {
  expect_same_bits<2>();
}
TEST(RegridReplicated, gives_the_forest_of_regrid_to_the_bit_3d) {
  expect_same_bits<3>();
}

}  // namespace
}  // namespace thalweg::mesh
