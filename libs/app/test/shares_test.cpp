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

TEST(Share, totals_and_extrema_do_not_depend_on_how_many_there_are) {
  io::MemoryFileSystem files;
  const auto done = testing::on_ranks(1, files, [](const Context& context) {
    const auto simulation = testing::made(context, testing::carried_spot(), testing::settings());
    ASSERT_TRUE(simulation->advance_to(3));
    const auto& mesh = simulation->mesh();
    const auto& state = simulation->state();
    const auto all = totals(context.transport, mesh, state, 1);
    const auto ranges = extremes<2>(context.transport, mesh, state, 1, {});
    EXPECT_GT(ranges[0].max, ranges[0].min);
    for (const std::size_t n : {2u, 3u, 100u}) {  // the last has shares without a block
      EXPECT_EQ(totals(context.transport, mesh, state, 1, one_after_the_other(n)), all);
      const auto of_shares =
          extremes<2>(context.transport, mesh, state, 1, {}, one_after_the_other(n));
      EXPECT_EQ(of_shares[0].min, ranges[0].min);
      EXPECT_EQ(of_shares[0].max, ranges[0].max);
    }
  });
  EXPECT_TRUE(done) << done.error().message;
}

}  // namespace
}  // namespace thalweg::app
