// SPDX-License-Identifier: MIT
#include <thalweg/app/points.hpp>

#include <array>
#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include <thalweg/mesh/geometry.hpp>

#include "carried.hpp"

namespace thalweg::app {
namespace {

const std::vector<Vec<2>> points{{0.3, 0.4}, {0.95, 0.95}, {0.0, 0.0}, {1.0, 1.0}};

/// The amount, and twice that, at the points after three steps, which all ranks must say alike.
std::vector<double> amounts(int n_ranks) {
  std::vector<std::vector<double>> of_ranks(static_cast<std::size_t>(n_ranks));
  io::MemoryFileSystem files;
  const auto done = testing::on_ranks(n_ranks, files, [&](const Context& context) {
    const auto simulation = testing::made(context, testing::carried_spot(), testing::settings());
    ASSERT_TRUE(simulation->advance_to(3));
    const DerivedField<2> twice{.name = "twice",
                                .compute = compute_cells<testing::Carried::State, 2>(
                                    [](const auto&, const auto& here) { return 2 * here().q; })};
    of_ranks[context.transport.rank()()] =
        values_at<2>(context.transport, simulation->mesh(), simulation->state(), points, 2,
                     {{twice}, simulation->time_state().time});
  });
  EXPECT_TRUE(done) << done.error().message;
  for (const auto& of_rank : of_ranks) EXPECT_EQ(of_rank, of_ranks[0]);
  return of_ranks[0];
}

TEST(ValuesAt, same_on_all_ranks_whoever_has_the_cells) {
  const auto alone = amounts(1);
  ASSERT_EQ(alone.size(), 2 * points.size());
  EXPECT_GT(alone[0], 4.0) << "the spot";
  EXPECT_NEAR(alone[2], 1.0, 0.1) << "far from it";
  for (std::size_t p = 0; p < points.size(); ++p) EXPECT_EQ(alone[2 * p + 1], 2 * alone[2 * p]);
  EXPECT_EQ(amounts(3), alone);
  EXPECT_EQ(amounts(7), alone);
}

TEST(ValuesAt, are_those_of_the_finest_cell) {
  io::MemoryFileSystem files;
  const auto done = testing::on_ranks(1, files, [&](const Context& context) {
    const auto simulation = testing::made(context, testing::carried_spot(), testing::settings());
    const auto& geometry = simulation->mesh().forest.geometry;
    const auto& level = simulation->state().cells.at(2);
    ASSERT_GT(level.size(), 0u);
    const Index<2> cell = geometry.cells(level.keys()[0]).lo;
    const std::array at{geometry.centre(2, cell)};
    EXPECT_EQ(values_at<2>(context.transport, simulation->mesh(), simulation->state(), at, 1),
              std::vector{(level.view(0)[0, cell])});
  });
  EXPECT_TRUE(done) << done.error().message;
}

}  // namespace
}  // namespace thalweg::app
