// SPDX-License-Identifier: MIT
#include <thalweg/app/totals.hpp>

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "carried.hpp"

namespace thalweg::app {
namespace {

// Totals of the carried spot after some steps, as every rank has them.
std::vector<std::vector<double>> totals_after(std::int64_t steps, int n_ranks) {
  io::MemoryFileSystem files;
  std::vector<std::vector<double>> found(static_cast<std::size_t>(n_ranks));
  const auto done = testing::on_ranks(n_ranks, files, [&](const Context& context) {
    const auto simulation = testing::made(context, testing::carried_spot(), testing::settings());
    ASSERT_TRUE(simulation->advance_to(steps));
    ASSERT_EQ(simulation->mesh().n_levels(), 3);
    found[context.transport.rank()()] = simulation->totals();
  });
  EXPECT_TRUE(done) << done.error().message;
  return found;
}

TEST(Totals, same_bits_on_every_rank_and_for_any_number_of_them) {
  const auto alone = totals_after(3, 1);

  for (const int n_ranks : {2, 5})
    for (const auto& sums : totals_after(3, n_ranks)) EXPECT_EQ(sums, alone[0]) << n_ranks;
}

TEST(Totals, covered_cells_do_not_count) {
  io::MemoryFileSystem files;
  auto problem = testing::carried_spot();
  problem.initial = [](const auto& cell) {
    const auto& x = cell.centre;
    return testing::Carried::State{x[0] < 0.5 && x[1] < 0.5 ? 3.0 : 1.0};  // sharp: refined
  };
  double sum = 0;

  const auto done = testing::on_ranks(2, files, [&](const Context& context) {
    const auto simulation = testing::made(context, problem, testing::settings());
    ASSERT_EQ(simulation->mesh().n_levels(), 3);
    // What lies under finer cells is made wrong, level by level.
    for (int l = 0; l + 1 < simulation->mesh().n_levels(); ++l) {
      const auto& level = simulation->state().cells[static_cast<std::size_t>(l)];
      for (std::size_t b = 0; b < level.size(); ++b)
        for (const auto& box : covered_boxes(simulation->mesh(), level.keys()[b]))
          for_each(box, [&](const Index<2>& i) { level.view(b)[0, i] = 1e10; });
    }
    sum = simulation->totals()[0];
  });

  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(sum, 1.5);  // 3/4 of the unit square at 1, 1/4 at 3
}

TEST(Totals, of_components_that_there_are_not_are_refused_as_their_extrema_are) {
  io::MemoryFileSystem files;
  const auto done = testing::on_ranks(1, files, [&](const Context& context) {
    const auto simulation = testing::made(context, testing::carried_spot(), testing::settings());
    const auto& mesh = simulation->mesh();
    const auto& state = simulation->state();
    for (const int n : {-1, 2}) {
      EXPECT_THROW(totals(context.transport, mesh, state, n), Error) << n;
      EXPECT_THROW(extrema(context.transport, mesh, state, n), Error) << n;
    }
  });
  EXPECT_TRUE(done) << done.error().message;
}

TEST(Totals, of_fields_come_behind_those_of_components) {
  const DerivedField<2> twice{.name = "twice",
                              .unit = "",
                              .compute = compute_cells<testing::Carried::State, 2>(
                                  [](const auto&, const auto& here) { return 2.0 * here().q; })};
  for (const int n_ranks : {1, 3}) {
    io::MemoryFileSystem files;
    const auto done = testing::on_ranks(n_ranks, files, [&](const Context& context) {
      const auto simulation = testing::made(context, testing::carried_spot(), testing::settings());
      ASSERT_TRUE(simulation->advance_to(3));
      const auto sums = totals(context.transport, simulation->mesh(), simulation->state(), 1,
                               {std::vector{twice}});
      EXPECT_EQ(sums, (std::vector{totals_after(3, 1)[0][0], 2 * totals_after(3, 1)[0][0]}));
    });
    EXPECT_TRUE(done) << done.error().message;
  }
}

TEST(Totals, of_what_is_not_finite_are_infinite_or_no_number_on_any_ranks) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto in_corners = [](const char* name, double lower, double upper) {
    return DerivedField<2>{
        .name = name,
        .unit = "",
        .integral_unit = "m",
        .compute = compute_cells<testing::Carried::State, 2>([=](const auto& cell, const auto&) {
          const auto [x, y] = cell.centre.at;
          return x < 0.25 && y < 0.25 ? lower : x > 0.75 && y > 0.75 ? upper : 1.0;
        })};
  };
  for (const int n_ranks : {1, 3}) {
    io::MemoryFileSystem files;
    const auto done = testing::on_ranks(n_ranks, files, [&](const Context& context) {
      const auto simulation = testing::made(context, testing::carried_spot(), testing::settings());
      const auto sums =
          totals(context.transport, simulation->mesh(), simulation->state(), 1,
                 {std::vector{in_corners("a", 1.0, -infinity), in_corners("b", infinity, -infinity),
                              in_corners("c", std::nan(""), 1.0)}});
      EXPECT_TRUE(std::isfinite(sums[0]));
      EXPECT_EQ(sums[1], -infinity);
      EXPECT_TRUE(std::isnan(sums[2])) << sums[2];
      EXPECT_TRUE(std::isnan(sums[3])) << sums[3];
    });
    EXPECT_TRUE(done) << done.error().message;
  }
}

TEST(Totals, what_flows_through_a_periodic_box_is_conserved) {
  const double before = totals_after(0, 3)[0][0];

  const double after = totals_after(12, 3)[0][0];

  EXPECT_NEAR(after, before, 1e-14 * before);
}

}  // namespace
}  // namespace thalweg::app
