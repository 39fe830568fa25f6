// SPDX-License-Identifier: MIT
#include <thalweg/app/shares.hpp>

#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/app/derived.hpp>
#include <thalweg/app/totals.hpp>
#include <thalweg/io/file_system.hpp>

#include "carried.hpp"
#include "made.hpp"

namespace thalweg::app {
namespace {

TEST(Share, of_all_together_are_each_block_once) {
  for (const std::size_t n : {1u, 2u, 7u}) {
    std::vector<int> times(5, 0);
    for (std::size_t s = 0; s < n; ++s)
      Share{s, n}.for_each(times.size(), [&](std::size_t i) { ++times[i]; });
    EXPECT_EQ(times, std::vector<int>(5, 1)) << n;
  }
}

/// Shares one after the other, as several workers might have them.
Workers one_after_the_other(std::size_t n) {
  return {n, [n](const auto& body) {
            for (std::size_t s = n; s-- > 0;) body(Share{s, n});
          }};
}

// Also on ranks and in shares that have no block.
TEST(Share, totals_and_extrema_do_not_depend_on_how_many_there_are_nor_on_ranks) {
  std::vector<double> seen;
  for (const int n_ranks : {1, 60}) {
    io::MemoryFileSystem files;
    const auto done = testing::on_ranks(n_ranks, files, [&](const Context& context) {
      const auto simulation = testing::made(context, testing::carried_spot(), testing::settings());
      ASSERT_TRUE(simulation->advance_to(3));
      const auto look = [&](const Workers& workers) {
        const auto& mesh = simulation->mesh();
        const auto& state = simulation->state();
        const auto range = extrema<2>(context.transport, mesh, state, 1, {}, workers)[0];
        return std::vector{totals(context.transport, mesh, state, 1, {}, workers)[0], range.min,
                           range.max};
      };
      const auto one = look({});
      if (seen.empty()) seen = one;
      EXPECT_EQ(one, seen);
      for (const std::size_t n : {2u, 3u, 100u}) EXPECT_EQ(look(one_after_the_other(n)), one);
    });
    EXPECT_TRUE(done) << done.error().message;
  }
  ASSERT_EQ(seen.size(), 3u);
  EXPECT_GT(seen[2], seen[1]);
}

}  // namespace
}  // namespace thalweg::app
